import type { Provider } from '../../shared/model/provider';
import type { Emitter } from '../lib/emitter';

/** Calls back when the window of any model is another one than before: what is counted against it is told anew. */
export function onWindowChange(changed: Emitter<readonly Provider[]>, tell: () => void): void {
  let before: string | null = null;
  changed.on((providers) => {
    const now = providers.flatMap(({ id, models }) => models.map(({ model, served }) => [id, model, served])).join();
    const moved = before !== null && before !== now;
    before = now;
    if (moved) tell();
  });
}
