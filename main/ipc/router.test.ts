import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors';
import { silentLog } from '../lib/log';
import type { Caller, Handlers } from './handlers';
import { type Posted, Router } from './router';

const sender = { windowId: 7, kind: 'main' } as const;
const link = (url: unknown, files: unknown = []): Posted => ({ route: 'app.openLink', input: { url }, files });

/** A router whose one handler does as it is told; any other route would be a fault of the test. */
function routerWith(handlers: Partial<Handlers>): Router {
  return new Router(handlers as Handlers, silentLog);
}

describe('Router', () => {
  it('gives the handler the parsed input and a caller that main made', async () => {
    const heard: unknown[] = [];
    const router = routerWith({
      'app.openLink': (input, caller) => {
        heard.push(input, caller);
      },
    });
    const posted = { ...link('https://example.org/a'), input: { url: 'https://example.org/a', windowId: 99 } };
    expect(await router.answer(sender, posted)).toEqual({ ok: true, value: undefined });
    expect(heard).toEqual([{ url: 'https://example.org/a' }, { windowId: 7, kind: 'main', files: [] }]);
  });

  it('refuses before the handler runs: unknown senders, unknown routes, input that does not fit', async () => {
    let calls = 0;
    const router = routerWith({
      'app.openLink': () => {
        calls += 1;
      },
    });
    const badInput = { ok: false, code: 'bad-input', fields: {} };
    expect(await router.answer(null, link('https://example.org/'))).toEqual(badInput);
    for (const posted of [
      link('file:///etc/passwd'),
      link('javascript:alert(1)'),
      link(5),
      { route: 'toString', input: {}, files: [] },
      { route: '__proto__', input: {}, files: [] },
      { route: 4, input: {}, files: [] },
      link('https://example.org/', ['/etc/passwd']),
      link('https://example.org/', 'no list'),
    ]) {
      expect(await router.answer(sender, posted)).toEqual(badInput);
    }
    expect(calls).toBe(0);
  });

  it('hands over dropped files only where their number agrees with the input', async () => {
    const callers: Caller[] = [];
    const router = routerWith({
      'sessions.import': (_input, caller) => {
        callers.push(caller);
        return [];
      },
    });
    const posted = (files: number, paths: readonly string[]): Posted => ({
      route: 'sessions.import',
      input: { files },
      files: paths,
    });
    expect(await router.answer(sender, posted(2, ['/a.md', '/b.md']))).toEqual({ ok: true, value: [] });
    expect(await router.answer(sender, posted(0, []))).toEqual({ ok: true, value: [] });
    expect(await router.answer(sender, posted(2, ['/a.md']))).toMatchObject({ ok: false, code: 'bad-input' });
    // a file made by script has no path
    expect(await router.answer(sender, posted(1, ['']))).toMatchObject({ ok: false, code: 'bad-input' });
    expect(callers.map((caller) => caller.files)).toEqual([['/a.md', '/b.md'], []]);
  });

  it('turns errors into codes, awaited ones too, and logs only those that are faults', async () => {
    const faults: unknown[] = [];
    const log = { ...silentLog, error: (_event: string, error: unknown) => faults.push(error) };
    const fault = new TypeError('x is undefined');
    const router = new Router(
      {
        'app.openLink': () => {
          throw new AppError('not-found', { what: 'session' });
        },
        'app.copy': async () => {
          throw fault;
        },
      } as Partial<Handlers> as Handlers,
      log,
    );
    expect(await router.answer(sender, link('https://example.org/'))).toEqual({
      ok: false,
      code: 'not-found',
      fields: { what: 'session' },
    });
    expect(faults).toEqual([]);
    const copy = { route: 'app.copy', input: { text: 'a' }, files: [] };
    expect(await router.answer(sender, copy)).toEqual({
      ok: false,
      code: 'internal',
      fields: { message: 'x is undefined' },
    });
    expect(faults).toEqual([fault]);
  });
});
