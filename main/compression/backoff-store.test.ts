import { beforeEach, expect, test } from 'vitest';
import type { AttemptId, SessionId } from '../../shared/model/ids';
import { openForWriting } from '../db/open';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { armBackoff, awaitGrowth } from './backoff-store';

let profile: TempProfile;
let engine: Engine;
let sessionId: SessionId;
eachEngine((made, at) => {
  engine = made;
  profile = at;
});
beforeEach(() => {
  sessionId = engine.session(1).sessionId;
});

const id = (n: number) => n as AttemptId;
const arm = (strategy: 'summarize' | 'extract' = 'summarize', n = 4) =>
  armBackoff(engine.seam, engine.clock, sessionId, id(n), strategy, 'stalled', null);
const grow = (n: number, strategy: 'summarize' | 'extract' = 'summarize') =>
  awaitGrowth(engine.seam, engine.clock, sessionId, id(n), strategy);
/** Another process holds the write lock meanwhile. */
const whileLocked = (fn: () => void) => {
  const other = openForWriting(profile.database);
  other.exec('BEGIN IMMEDIATE');
  fn();
  other.exec('ROLLBACK');
  other.close();
};

test('I4 an older attempt that has nothing to gain does not take the place of what a newer one has set', () => {
  arm();
  grow(2);
  expect(engine.backoff(sessionId)).toMatchObject({ kind: 'stalled', attemptId: 4 });
  engine.clock.advance(60_000); // over: what is set by a failure stays as long as it holds
  grow(2);
  expect(engine.backoff(sessionId)).toMatchObject({ kind: 'stalled', attemptId: 4 });
  grow(5);
  expect(engine.backoff(sessionId)).toMatchObject({ kind: 'nothing-to-gain', attemptId: 5 });
});

test('an attempt that failed and then has nothing to gain either waits for the session to grow', () => {
  arm();
  engine.clock.advance(60_000);
  grow(4);
  const { chars = 0 } = engine.stored(sessionId) ?? {};
  expect(engine.backoff(sessionId)).toMatchObject({
    kind: 'nothing-to-gain',
    attemptId: 4,
    untilChars: Math.ceil(chars * 1.1),
  });
});

test.each([
  ['a failure', () => arm('extract')],
  ['nothing to gain', () => grow(4, 'extract')],
])('%s of a strategy without a backoff asks nothing of the database', (_name, store) => {
  whileLocked(() => {
    store();
    expect(engine.clock.armed).toBe(0); // no write waits for the lock
  });
});

test('a backoff goes before what else waits for the database: the next turn must find it', () => {
  const order: string[] = [];
  engine.seam.onWrite(() => order.push(engine.backoff(sessionId) ? 'backoff' : 'other'));
  whileLocked(() => {
    engine.seam.write('other', () => {}).catch(() => {});
    arm();
  });
  engine.clock.advance(10);
  expect(order).toEqual(['backoff', 'backoff']);
});
