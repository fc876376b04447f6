import { app } from 'electron';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';

/** The longest a quit may take, in milliseconds. Source: design, section 10. */
const LIMIT_MS = 2_000;

/**
 * Lets the core end in order before the process goes: at the first wish to quit it is asked to, and after at most
 * 2 s the process ends either way. Further wishes meanwhile change nothing. `isQuitting` tells closing windows
 * that nobody is to be asked any more.
 */
export class Quitting {
  #started = false;

  constructor(clock: Clock, log: Log, endCore: () => Promise<void>) {
    app.on('before-quit', (event) => {
      event.preventDefault();
      if (this.#started) return;
      this.#started = true;
      const started = clock.monotonic();
      const limit = new Promise<'limit'>((resolve) => {
        clock.after(LIMIT_MS, () => resolve('limit'));
      });
      const end = endCore().then(
        () => 'ended' as const,
        (error: unknown) => {
          log.error('the core did not end in order', error);
          return 'failed' as const;
        },
      );
      void Promise.race([end, limit]).then((how) => {
        log.info('quit', { how, ms: Math.round(clock.monotonic() - started) });
        app.exit(0); // nobody is asked again, and no event of a closing window can hold it up
      });
    });
  }

  get isQuitting(): boolean {
    return this.#started;
  }
}
