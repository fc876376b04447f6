import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { ModelRef } from '../../../shared/model/ids';

/** Milliseconds after which a summons begins a new session: what was asked before is hardly meant any more. */
export const FRESH_AFTER_MS = 10 * 60_000;

export interface QuickState {
  readonly pinned: boolean;
  /** Chosen before there is a session; null = what new sessions take. */
  readonly model: ModelRef | null;
  /** Wall-clock milliseconds of the last summons, key or sending; null = never. */
  readonly usedAt: number | null;
  /** Grows with each summons: the caret goes into the field. */
  readonly summons: number;
  pinChanged(pinned: boolean): void;
  modelChosen(model: ModelRef): void;
  used(at: number): void;
  summoned(at: number): void;
}

export const quickStore = createStore<QuickState>()((set) => ({
  pinned: false,
  model: null,
  usedAt: null,
  summons: 0,
  pinChanged: (pinned) => set({ pinned }),
  modelChosen: (model) => set({ model }),
  used: (usedAt) => set({ usedAt }),
  summoned: (usedAt) => set((state) => ({ usedAt, summons: state.summons + 1 })),
}));

export function useQuick<T>(selector: (state: QuickState) => T): T {
  return useStore(quickStore, selector);
}

/** True where a summons at `now` begins anew. */
export function isStale(usedAt: number | null, now: number): boolean {
  return usedAt !== null && now - usedAt >= FRESH_AFTER_MS;
}
