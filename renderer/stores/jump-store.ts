import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../shared/model/ids';
import { sessionStore } from './session-store';

export interface Jump {
  /** A message, or the fold that ends with it. */
  readonly place: 'message' | 'fold';
  readonly sessionId: SessionId | null;
  readonly seq: number;
  /** Message whose fold the reader came from and may go back to; null = there is no way back to offer. */
  readonly backTo: number | null;
  /** Tells two jumps to one message apart. */
  readonly stamp: number;
}

interface JumpState {
  /** The place that is asked for; null once it was reached. */
  readonly jump: Jump | null;
  /** The message that was jumped to just now, which is tinted for a moment; null = none. */
  readonly found: number | null;
  /** Grows with each wish to see the end. */
  readonly ends: number;
  messageWanted(seq: number, backTo: number | null): void;
  foldWanted(coversTo: number): void;
  endWanted(): void;
  arrived(jump: Jump): void;
  foundShown(): void;
}

let stamp = 0;

/** Wishes to see one place of the open session: from a summary's sources, a search hit, a branch switch, a message sent. */
export const jumpStore = createStore<JumpState>()((set) => {
  const wanted = (place: Jump['place'], seq: number, backTo: number | null) => {
    stamp += 1;
    set({ jump: { place, sessionId: sessionStore.getState().sessionId, seq, backTo, stamp } });
  };
  return {
    jump: null,
    found: null,
    ends: 0,
    messageWanted: (seq, backTo) => wanted('message', seq, backTo),
    foldWanted: (coversTo) => wanted('fold', coversTo, null),
    endWanted: () => set((state) => ({ jump: null, ends: state.ends + 1 })),
    arrived: (jump) =>
      set((state) => (state.jump === jump ? { jump: null, found: jump.place === 'message' ? jump.seq : null } : state)),
    foundShown: () => set({ found: null }),
  };
});

export function useJump<T>(selector: (state: JumpState) => T): T {
  return useStore(jumpStore, selector);
}
