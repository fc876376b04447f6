/** Two app processes on one profile: one writes, the other says who does and waits; who is gone is taken over. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clearBackoffs } from '../db/backoffs-table';
import { outboxOf } from '../db/outbox-table';
import { shownTurn } from '../sessions/shown';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';

let profile: TempProfile;
let one: Engine;
let other: Engine;
beforeEach(() => {
  profile = new TempProfile();
  one = new Engine(profile);
  other = new Engine(profile, one.clock);
});
afterEach(() => {
  other.close();
  one.close();
  profile.remove();
});
const settle = async () => {
  await one.settle();
  await other.settle();
};

test('S32 one window writes to a session; in the other a message waits, and it says who holds the session', async () => {
  const session = one.session(2);
  expect(await one.send(session, 'from this window')).toBe('sent');
  await settle();
  expect(await other.send(session, 'from the other')).toBe('waiting');
  await settle();
  expect(other.requests()).toEqual([]);
  expect(shownTurn(other.db, session.sessionId, other.me)).toMatchObject({ state: 'requesting', elsewhere: true });
  expect(shownTurn(one.db, session.sessionId, one.me)).toMatchObject({ state: 'requesting', elsewhere: false });
  await expect(other.turns.sendAgain(session.sessionId, session.branchId)).rejects.toMatchObject({
    code: 'held-elsewhere',
  });
  expect(outboxOf(other.db, session.sessionId).map(({ text }) => text)).toEqual(['from the other']);

  // the one that answers looks into the outbox once more
  await one.answerAll('answered');
  await settle();
  await one.answerAll('answered');
  expect(one.requests()).toHaveLength(2);
  expect(other.requests()).toEqual([]);
  expect(one.texts(session.branchId).slice(-4)).toEqual(['from this window', 'answered', 'from the other', 'answered']);
  expect(one.lease(session.sessionId, 'turn').instanceId).toBeNull();
});

describe('a turn that waits for a backoff', () => {
  let session: ReturnType<Engine['session']>;
  beforeEach(async () => {
    session = one.session(40, 800);
    one.extractAllowed = false;
    const first = await one.attempt(session);
    one.host.last.dieOfTimeout();
    await first.outcome;
    await one.send(session, 'does not fit without a compression');
    await one.settle();
    expect(one.turn(session.sessionId)?.reason).toMatchObject({ why: { kind: 'backoff' } });
  });
  const moved = async () => {
    one.turns.moved(); // the beat saw the database move
    await one.settle();
  };

  test('goes on at once when another window has made its session fit', async () => {
    const attempt = await other.attempt(session, 'manual', ['extract']);
    expect((await attempt.outcome).kind).toBe('committed');
    expect(one.backoff(session.sessionId)).not.toBeNull(); // it is summarize that pauses
    await moved();
    await one.answerAll('fine');
    expect(one.turn(session.sessionId)).toMatchObject({ state: 'completed', attempts: 0 });
  });
  test('goes on at once when another window has cleared it', async () => {
    other.write((tx) => clearBackoffs(tx, session.sessionId));
    await moved();
    expect(one.coordinator.running(session.sessionId)?.need).toBe('must');
  });
  test('is left alone where the other window did something else: nothing is measured or written', async () => {
    other.session(1);
    const before = { published: one.published.length, rows: one.attempts(session.sessionId).length };
    await moved();
    expect({ published: one.published.length, rows: one.attempts(session.sessionId).length }).toEqual(before);
    expect(one.turn(session.sessionId)?.state).toBe('deferred');
  });
});

test('S28 whose owner is gone is taken over at once, whose owner only hangs after one TTL', async () => {
  const session = one.session(40, 800);
  const dying = await other.attempt(session, 'manual', ['summarize']);
  expect(one.lease(session.sessionId)).toMatchObject({ instanceId: other.me, runId: dying.spec.id });
  other.die();
  await one.send(session, 'does not fit without a compression');
  await one.settle();
  expect(one.lease(session.sessionId)).toMatchObject({ instanceId: one.me, epoch: 2 });
  await one.answerAll();
  expect(one.turn(session.sessionId)?.state).toBe('completed');

  // a clock of its own that stands still: it is alive and renews nothing
  const hung = new Engine(profile);
  const long = one.session(40, 800);
  const held = await hung.attempt(long, 'manual', ['summarize']);
  await one.send(long, 'nor does this');
  await one.settle();
  expect(one.turn(long.sessionId)).toMatchObject({
    state: 'deferred',
    reason: { why: { kind: 'lease-held', holder: hung.me } },
  });
  for (let looks = 0; looks < 4; looks++) {
    await one.pass(11_000, 11_000);
    one.turns.lookAtLeases(); // as the beat does
  }
  expect(one.lease(long.sessionId).instanceId).toBe(hung.me);
  await one.pass(1_000, 1_000);
  one.turns.lookAtLeases();
  await one.settle();
  expect(one.lease(long.sessionId)).toMatchObject({ instanceId: one.me, epoch: 2 });
  await one.answerAll();
  expect(one.turn(long.sessionId)?.state).toBe('completed');
  // it wakes: what it has is refused, and harms nothing
  await hung.answerAll();
  expect((await held.outcome).kind).toBe('failed');
  expect(one.shown(long.branchId)).toHaveLength(1);
  hung.close();
});
