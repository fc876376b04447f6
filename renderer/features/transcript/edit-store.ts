import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

interface EditState {
  /** Number of the user message being edited; null = none. */
  readonly seq: number | null;
  readonly text: string;
  editBegun(seq: number, text: string): void;
  textTyped(text: string): void;
  editEnded(): void;
}

/** The one edit of this window. */
export const editStore = createStore<EditState>()((set) => ({
  seq: null,
  text: '',
  editBegun: (seq, text) => set({ seq, text }),
  textTyped: (text) => set({ text }),
  editEnded: () => set({ seq: null, text: '' }),
}));

export function useEdit<T>(selector: (state: EditState) => T): T {
  return useStore(editStore, selector);
}
