import { z } from 'zod';
import { AppError } from '../../shared/errors';
import { contract, type RouteName } from '../../shared/ipc/contract';
import type { Reply } from '../../shared/ipc/reply';
import type { Log } from '../lib/log';
import type { Caller, Handler, Handlers } from './handlers';

/** Paths that one request may carry. Source: the contract's routes that take files allow 50. */
const filePaths = z.array(z.string().min(1).max(4_096)).max(50);

/** A request as the preload posts it; nothing in it is trusted. */
export interface Posted {
  readonly route: unknown;
  readonly input: unknown;
  readonly files: unknown;
}

/**
 * Answers one request: who (a sender that is no app window is refused), what (the route's schema), then the
 * handler. Never rejects: every end is a Reply. An error that is no AppError is a fault of ours; it is logged and
 * the page learns its message only.
 */
export class Router {
  readonly #handlers: Handlers;
  readonly #log: Log;

  constructor(handlers: Handlers, log: Log) {
    this.#handlers = handlers;
    this.#log = log;
  }

  async answer(sender: Omit<Caller, 'files'> | null, posted: Posted): Promise<Reply<unknown>> {
    if (sender === null) {
      this.#log.warn('request refused: not an app window');
      return refused('bad-input');
    }
    const { route } = posted;
    if (!isRoute(route)) return refused('bad-input');
    const input = contract[route].input.safeParse(posted.input);
    const files = filePaths.safeParse(posted.files);
    if (!input.success || !files.success || promisedFiles(input.data) !== files.data.length) {
      this.#log.warn('request refused: bad input', { route });
      return refused('bad-input');
    }
    try {
      const handler = this.#handlers[route] as Handler<RouteName>;
      const value = await handler(input.data as never, { ...sender, files: files.data });
      return { ok: true, value };
    } catch (error) {
      if (error instanceof AppError) return { ok: false, code: error.code, fields: error.fields };
      this.#log.error('request failed', error, { route });
      return { ok: false, code: 'internal', fields: { message: error instanceof Error ? error.message : 'unknown' } };
    }
  }
}

function isRoute(route: unknown): route is RouteName {
  return typeof route === 'string' && Object.hasOwn(contract, route);
}

/** The number of dropped files that the input speaks of: it must be the number of paths that came with it. */
function promisedFiles(input: object): number {
  return 'files' in input ? Number(input.files) : 0;
}

function refused(code: 'bad-input'): Reply<never> {
  return { ok: false, code, fields: {} };
}
