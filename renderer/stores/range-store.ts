import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { foldOver } from './covered';
import { sessionStore } from './session-store';

export interface MessageRange {
  readonly from: number;
  readonly to: number;
}

interface RangeState {
  /** First and last message that were chosen to be compressed; null = none are being chosen. */
  readonly chosen: MessageRange | null;
  /** What would be covered by that: whole turns and whole summaries; null = not known, or nothing. */
  readonly whole: MessageRange | null;
  chosenFrom(from: number): void;
  chosenTo(to: number): void;
  rangeChosen(range: MessageRange): void;
  wholeFound(whole: MessageRange | null): void;
  choiceEnded(): void;
}

/** The one range that is being chosen in this window. */
export const rangeStore = createStore<RangeState>()((set, get) => ({
  chosen: null,
  whole: null,
  chosenFrom: (from) => {
    const { to = 0 } = get().chosen ?? {};
    set({ chosen: { from, to: to >= from ? to : sessionStore.getState().lastSeq }, whole: null });
  },
  chosenTo: (to) => {
    const { from = to + 1 } = get().chosen ?? {};
    set({ chosen: { from: from <= to ? from : firstUncovered(to), to }, whole: null });
  },
  rangeChosen: (chosen) => set({ chosen, whole: null }),
  wholeFound: (whole) => set({ whole }),
  choiceEnded: () => set({ chosen: null, whole: null }),
}));

export function useRange<T>(selector: (state: RangeState) => T): T {
  return useStore(rangeStore, selector);
}

/** Begins with what no summary covers yet. */
export function chooseRange(): void {
  const { lastSeq } = sessionStore.getState();
  rangeStore.getState().rangeChosen({ from: firstUncovered(lastSeq), to: lastSeq });
}

/** The first message of the uncovered stretch in which this one lies. */
function firstUncovered(seq: number): number {
  const { summaries } = sessionStore.getState();
  const before = summaries.filter((summary) => summary.kind === 'text' && summary.coversTo < seq);
  const first = Math.max(0, ...before.map((summary) => summary.coversTo)) + 1;
  return foldOver(summaries, seq) ? Math.min(first, seq) : first;
}
