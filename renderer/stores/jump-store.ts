import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export interface Jump {
  readonly seq: number;
  /** Message whose fold the reader came from and may go back to; null = there is no way back to offer. */
  readonly backTo: number | null;
  /** Tells two jumps to one message apart. */
  readonly stamp: number;
}

interface JumpState {
  /** The message that was last asked for; it is tinted for a moment. */
  readonly jump: Jump | null;
  messageWanted(seq: number, backTo: number | null): void;
  arrived(): void;
}

let stamp = 0;

/** Wishes to see one message of the open session, from a summary's sources, a search hit or a branch switch. */
export const jumpStore = createStore<JumpState>()((set) => ({
  jump: null,
  messageWanted: (seq, backTo) => {
    stamp += 1;
    set({ jump: { seq, backTo, stamp } });
  },
  arrived: () => set({ jump: null }),
}));

export function useJump(): Jump | null {
  return useStore(jumpStore, (state) => state.jump);
}
