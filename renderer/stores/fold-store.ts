import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SummaryId } from '../../shared/model/ids';

interface FoldState {
  /** Folds that are open. Kept outside the transcript, which unmounts what is not on screen. */
  readonly open: Readonly<Record<SummaryId, true>>;
  foldToggled(id: SummaryId): void;
  foldOpened(id: SummaryId): void;
}

export const foldStore = createStore<FoldState>()((set) => ({
  open: {},
  foldToggled: (id) =>
    set((state) => {
      const open = { ...state.open };
      if (open[id]) delete open[id];
      else open[id] = true;
      return { open };
    }),
  foldOpened: (id) => set((state) => ({ open: { ...state.open, [id]: true } })),
}));

export function useFoldOpen(id: SummaryId): boolean {
  return useStore(foldStore, (state) => state.open[id] === true);
}
