import type { Output, Parsed, RouteName } from '../../shared/ipc/contract';

/** Who asks, as main knows it; nothing of this comes from the page. */
export interface Caller {
  /** Number of the app window (its webContents). */
  readonly windowId: number;
  readonly kind: 'main' | 'quick';
  /** Paths of the files that were dropped with this request, filled in by the preload. */
  readonly files: readonly string[];
}

export type Handler<R extends RouteName> = (input: Parsed<R>, caller: Caller) => Output<R> | Promise<Output<R>>;

/** One handler for each route of the contract: a missing or an extra one does not compile. */
export type Handlers = { readonly [R in RouteName]: Handler<R> };
