/** A window that hangs while it answers, seen from another one, and from itself when it wakes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { messagesBetween } from '../db/messages-table';
import { openForWriting } from '../db/open';
import { outboxOf } from '../db/outbox-table';
import { changeTurn } from '../db/turns-table';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';

let profile: TempProfile;
let one: Engine;
/** It has a clock of its own, which stands still: it is alive, and renews nothing. */
let hung: Engine;
let session: ReturnType<Engine['session']>;
beforeEach(() => {
  profile = new TempProfile();
  one = new Engine(profile);
  hung = new Engine(profile);
  session = one.session(2);
});
afterEach(() => {
  hung.close();
  one.close();
  profile.remove();
});

/** It hangs in the middle of its answer. */
async function half(): Promise<void> {
  await hung.send(session, 'from the one that hangs');
  await hung.settle();
  hung.host.last.emit({ t: 'text', text: 'half an answer' });
  hung.turns.all()[0]?.flushNow();
  await hung.settle();
}
/** It hangs while its first answer comes and a second chat waits for the end of that. */
async function behindIt(): Promise<ReturnType<Engine['session']>> {
  await half();
  const second = one.session(1);
  await hung.send(second, 'waits there');
  await hung.settle();
  expect(hung.turn(second.sessionId)?.reason).toMatchObject({ why: { kind: 'server-busy' } });
  return second;
}
async function beat(engine: Engine): Promise<void> {
  engine.turns.lookAtLeases();
  await engine.settle();
}
/** Time passes for the other one, with its beat. */
async function look(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    await one.pass(1_000);
    await beat(one);
  }
}
const newest = () => one.texts(session.branchId).slice(-4);
const waiting = (engine = one) => outboxOf(engine.db, session.sessionId).map(({ text }) => text);

describe('S28 a window that hangs in the middle of an answer', () => {
  beforeEach(half);

  test('is taken over after one TTL where a message waits: that goes out, and what was streamed stays', async () => {
    expect(await one.send(session, 'from the other')).toBe('waiting');
    await look(44_000);
    expect(one.lease(session.sessionId, 'turn')).toMatchObject({ instanceId: hung.me, epoch: 1 });
    await look(2_000);
    expect(one.published).toContain('taken over');
    await one.answerAll('answered');
    expect(newest()).toEqual(['from the one that hangs', 'half an answer', 'from the other', 'answered']);
    expect(one.lease(session.sessionId, 'turn')).toMatchObject({ instanceId: null, epoch: 3 });
  });

  test.each([
    ['finishes its answer', () => hung.host.last.answer(' and the rest')],
    ['goes on streaming', () => hung.host.last.emit({ t: 'text', text: ' and the rest' })],
    ['loses its host', () => hung.host.last.dieOfTimeout()],
  ])('and that %s as it wakes adds nothing, and ends', async (_what, wake) => {
    await one.send(session, 'from the other');
    await look(46_000);
    await one.answerAll('answered');
    const before = newest();
    wake();
    await hung.pass(300, 300);
    await hung.settle();
    expect(newest()).toEqual(before);
    expect(hung.turns.all()).toEqual([]);
    expect(hung.host.running).toEqual([]);
    await one.send(session, 'and on');
    await one.settle();
    await one.answerAll('it goes');
    expect(one.texts(session.branchId).slice(-2)).toEqual(['and on', 'it goes']);
  });

  test('and in which somebody sends as it wakes answers that alone', async () => {
    await one.send(session, 'from the other');
    await look(46_000);
    await one.answerAll('answered');
    expect(await hung.send(session, 'from the one that woke')).toBe('sent');
    await hung.settle();
    expect(hung.host.streams.map(({ cancels }) => cancels.length)).toEqual([1, 0]);
    await hung.answerAll('and that');
    expect(newest()).toEqual(['from the other', 'answered', 'from the one that woke', 'and that']);
  });

  test('is not taken over while it gives signs of life', async () => {
    await one.send(session, 'from the other');
    for (let round = 0; round < 5; round++) {
      await look(20_000);
      await hung.pass(20_000); // renews
    }
    expect(one.lease(session.sessionId, 'turn')).toMatchObject({ instanceId: hung.me, epoch: 1 });
    hung.host.last.answer(', and the rest');
    await hung.settle();
    await hung.answerAll('the next');
    expect(newest()).toEqual(['from the one that hangs', 'half an answer, and the rest', 'from the other', 'the next']);
  });

  test('is stopped by a click, once that may be', async () => {
    await expect(one.turns.stop(session.sessionId)).rejects.toMatchObject({ code: 'held-elsewhere' });
    await one.pass(45_000);
    await one.turns.stop(session.sessionId);
    expect(one.turn(session.sessionId)).toMatchObject({ state: 'interrupted' });
    expect(newest().slice(-1)).toEqual(['half an answer']);
  });

  test('and whose turn was stopped there leaves what waits to the user', async () => {
    await one.send(session, 'from the other');
    await hung.turns.stop(session.sessionId);
    await hung.settle();
    await look(3_000);
    expect(one.requests()).toEqual([]);
    expect(outboxOf(one.db, session.sessionId)).toHaveLength(1);
  });
});

describe('S28 what waits for another window goes out', () => {
  test('on the next beat after that one died', async () => {
    await half();
    expect(await one.send(session, 'from the other')).toBe('waiting');
    hung.die();
    await beat(one);
    await one.answerAll('answered');
    expect(newest()).toEqual(['from the one that hangs', 'half an answer', 'from the other', 'answered']);
  });

  test('where that one hangs between the end of its turn and the release of its lease', async () => {
    await half();
    const turn = hung.turn(session.sessionId);
    if (!turn) throw new Error('no turn');
    const end = { ...turn, state: 'completed', reason: null, retryAt: null, endedAt: 1 } as const;
    one.write((tx) => changeTurn(tx, turn.id, end));
    expect(await one.send(session, 'from the other')).toBe('waiting');
    await look(46_000);
    expect(waiting()).toEqual([]);
  });

  test('where it was sent between that one’s stop and its release: it is newer than the stop', async () => {
    await half();
    const sent: Promise<string>[] = [];
    hung.seam.onWrite(() => {
      if (sent.length === 0 && hung.turn(session.sessionId)?.state === 'stopped')
        sent.push(one.send(session, 'from the other'));
    });
    await hung.turns.stop(session.sessionId);
    await hung.settle();
    await one.settle();
    expect(await Promise.all(sent)).toEqual(['waiting']);
    await look(2_000);
    expect(waiting()).toEqual([]);
  });

  test('also where the database was busy for longer than one write is tried', async () => {
    await half();
    await one.send(session, 'from the other');
    hung.die();
    one.leases.holderOf({ session: session.sessionId, kind: 'turn' }); // recovered
    const busy = openForWriting(profile.database);
    busy.exec('BEGIN IMMEDIATE');
    await look(8_000);
    busy.exec('ROLLBACK');
    busy.close();
    expect(waiting()).toEqual(['from the other']);
    await look(3_000);
    expect(waiting()).toEqual([]);
  });

  test('in the window that woke as well, where the one that took over dies', async () => {
    await half();
    await one.send(session, 'from the other');
    await look(46_000);
    expect(await hung.send(session, 'from the one that woke')).toBe('waiting');
    one.die();
    await beat(hung);
    expect(waiting(hung)).toEqual([]);
  });

  test('after a turn of that one which had to wait, in the order in which they were sent', async () => {
    const second = await behindIt();
    await one.send(second, 'from the other');
    await look(46_000);
    await one.answerAll('answered');
    expect(one.texts(second.branchId).slice(-4)).toEqual(['waits there', 'answered', 'from the other', 'answered']);
    expect(one.turn(second.sessionId)?.state).toBe('completed');
  });

  test('though another session cannot be looked at', async () => {
    const second = one.session(1);
    for (const where of [session, second]) {
      await hung.send(where, 'from the one that hangs');
      await hung.settle();
      await one.send(where, 'from the other');
    }
    hung.die();
    const holderOf = one.leases.holderOf.bind(one.leases);
    one.leases.holderOf = (key) => {
      if (key.session === session.sessionId) throw new Error('the disk is full');
      return holderOf(key);
    };
    await beat(one);
    expect(one.turns.all().map(({ spec }) => spec.sessionId)).toEqual([second.sessionId]);
    await one.answerAll();
    one.leases.holderOf = holderOf;
    await beat(one);
    expect(waiting()).toEqual([]);
  });
});

describe('S28 a click', () => {
  test('on Send again, once the other may be taken over, sends what waits', async () => {
    await half();
    await hung.send(session, 'waits there');
    const again = () => one.turns.sendAgain(session.sessionId, session.branchId);
    await expect(again()).rejects.toMatchObject({ code: 'held-elsewhere' });
    await one.pass(46_000);
    await again();
    await one.settle();
    await one.answerAll('answered');
    expect(newest()).toContain('half an answer');
    expect(one.requests()).toHaveLength(1);
  });

  test('in the window that woke, on a deferred turn that was ended here, sends it', async () => {
    const second = await behindIt();
    await expect(one.turns.stop(second.sessionId)).rejects.toMatchObject({ code: 'held-elsewhere' });
    await one.pass(46_000);
    await expect(one.turns.begin(second.sessionId, () => ({ ...second, messageRid: 1 }))).rejects.toThrow();
    expect(one.turn(second.sessionId)?.reason).toMatchObject({ why: { kind: 'after-restart' } });
    await hung.turns.sendAgain(second.sessionId, second.branchId);
    expect(hung.turns.all()).toHaveLength(2);
  });

  test('in the window that woke, on Answer again, does not wait for the turn that was ended', async () => {
    await half();
    await one.send(session, 'from the other');
    await look(46_000);
    await one.answerAll('answered');
    const begun = hung.turns.begin(session.sessionId, () => {
      const question = messagesBetween(one.db, session.branchId, 1, 99).find(({ text }) => text === 'from the other');
      if (!question) throw new Error('no question');
      return { branchId: session.branchId, messageRid: question.rid };
    });
    await hung.settle();
    expect(hung.turns.all()).toHaveLength(1);
    expect(await begun).toBe(session.branchId);
  });
});

test('S28 a machine that slept looks at the leases of its turns before anything else', async () => {
  await half();
  await one.send(session, 'from the other');
  await look(46_000);
  hung.turns.slept();
  await hung.settle();
  expect(hung.turns.all()).toEqual([]);
});

test('S28 a turn that hangs while it compresses is followed by one wait alone', async () => {
  const large = one.session(60, 900);
  await hung.send(large, 'does not fit');
  await hung.settle();
  expect(hung.coordinator.running(large.sessionId)).not.toBeNull();
  await one.send(large, 'from the other');
  await look(48_000);
  await one.answerAll();
  expect(one.texts(large.branchId)).toContain('from the other');
  expect(one.turn(large.sessionId)?.state).toBe('completed');
});
