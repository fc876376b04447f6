import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { AppError } from '../../shared/errors';
import type { SessionId } from '../../shared/model/ids';
import { asAppError } from '../bridge/request';

/** Milliseconds a toast stays; one with a way back stays longer. */
export const TOAST_MS = 6_000;
export const TOAST_WITH_ACTION_MS = 10_000;

export type ToastContent =
  | { readonly kind: 'failed'; readonly error: AppError }
  | { readonly kind: 'done'; readonly text: string; readonly undo: ToastUndo | null };

export interface ToastUndo {
  readonly label: string;
  /** The chat that it brings back: once that was done elsewhere, or cannot be any more, the toast goes. */
  readonly of: SessionId;
  run(): void;
}

export type Toast = ToastContent & { readonly id: number };

interface ToastState {
  readonly toasts: readonly Toast[];
  happened(content: ToastContent): void;
  dismissed(id: number): void;
  /** What was done to these chats can no longer be taken back here. */
  settled(which: (id: SessionId) => boolean): void;
}

let lastId = 0;

/** What just happened because of a click and is said nowhere else. At most three are shown. */
export const toastStore = createStore<ToastState>()((set) => ({
  toasts: [],
  happened: (content) =>
    set((state) => {
      lastId += 1;
      return { toasts: [...state.toasts.slice(-2), { ...content, id: lastId }] };
    }),
  settled: (which) =>
    set((state) => ({
      toasts: state.toasts.filter((toast) => toast.kind !== 'done' || toast.undo === null || !which(toast.undo.of)),
    })),
  dismissed: (id) => set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) })),
}));

export function useToasts(): readonly Toast[] {
  return useStore(toastStore, (state) => state.toasts);
}

const saidElsewhere = new WeakSet<AppError>();

/** A refusal that the page itself shows, as long as it is true, becomes no toast as well. */
export function shownOnPage(error: AppError): AppError {
  saidElsewhere.add(error);
  return error;
}

/** Waits for an action that shows its success by itself; its failure becomes a toast. Answers whether it went well. */
export async function told(action: Promise<unknown>): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (thrown) {
    const error = asAppError(thrown);
    if (!saidElsewhere.has(error)) toastStore.getState().happened({ kind: 'failed', error });
    return false;
  }
}
