import { describe, expect, it } from 'vitest';
import type { AppSnapshot } from '../../shared/ipc/contract';
import type { Numbered } from '../../shared/ipc/events';
import type { SessionId } from '../../shared/model/ids';
import type { SessionView } from '../../shared/model/session';
import { systemClock } from '../lib/clock';
import { EventFeed } from './event-feed';
import { withFeed } from './feed-handlers';
import type { Caller, Handlers } from './handlers';

const a = '11111111-1111-4111-8111-111111111111' as SessionId;
const b = '22222222-2222-4222-8222-222222222222' as SessionId;
const caller: Caller = { windowId: 1, kind: 'main', files: [] };

/** A feed with one window, and the way to wait for its next batch. */
function oneWindow() {
  let arrived: (batch: readonly Numbered[]) => void = () => undefined;
  const feed = new EventFeed(systemClock, (_windowId, batch) => arrived(batch));
  feed.addWindow(1);
  const next = () =>
    new Promise<readonly Numbered[]>((resolve) => {
      arrived = resolve;
    });
  return { feed, next };
}

describe('withFeed', () => {
  it('a fact that arrives while the snapshot is made follows it by the next number', async () => {
    const { feed, next } = oneWindow();
    const handlers = withFeed(
      {
        'app.snapshot': async () => {
          const told = next();
          feed.publish({ type: 'theme.changed', dark: true });
          expect((await told).map((event) => event.revision)).toEqual([1]);
          return { revision: -1, dark: false } as AppSnapshot;
        },
      } as Partial<Handlers> as Handlers,
      feed,
    );
    expect((await handlers['app.snapshot']({}, caller)).revision).toBe(0);
  });

  it('a window hears of the session it opens while that is still being read, and of the old one if it cannot be', async () => {
    const { feed, next } = oneWindow();
    feed.snapshotTaken(1);
    const handlers = withFeed(
      {
        'sessions.open': async ({ sessionId }) => {
          if (sessionId === b) throw new Error('gone');
          const told = next();
          feed.publish({ type: 'outbox.changed', sessionId, outbox: [] });
          await told;
          return {} as SessionView;
        },
      } as Partial<Handlers> as Handlers,
      feed,
    );
    await handlers['sessions.open']({ sessionId: a, branchId: null }, caller);
    await expect(handlers['sessions.open']({ sessionId: b, branchId: null }, caller)).rejects.toThrow('gone');
    const told = next();
    feed.publish({ type: 'outbox.changed', sessionId: b, outbox: [] });
    feed.publish({ type: 'outbox.changed', sessionId: a, outbox: [] });
    expect((await told).map((event) => 'sessionId' in event && event.sessionId)).toEqual([a]);
  });
});
