import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SummaryId } from '../../../shared/model/ids';

interface SummaryEditState {
  /** The summary that is being edited; null = none. */
  readonly id: SummaryId | null;
  readonly text: string;
  editBegun(id: SummaryId, text: string): void;
  textTyped(text: string): void;
  editEnded(): void;
}

/** The one edit of a summary in this window: kept outside the transcript, which unmounts what is not on screen. */
export const summaryEditStore = createStore<SummaryEditState>()((set) => ({
  id: null,
  text: '',
  editBegun: (id, text) => set({ id, text }),
  textTyped: (text) => set({ text }),
  editEnded: () => set({ id: null, text: '' }),
}));

export function useSummaryEdit<T>(selector: (state: SummaryEditState) => T): T {
  return useStore(summaryEditStore, selector);
}
