import { describe, expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { changeSession } from '../db/sessions-table';
import { SettingsStore } from '../settings/settings';
import { eachEngine } from '../testing/each-engine';
import { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { setAutomatic } from './breaker-store';

let profile: TempProfile;
let engine: Engine;
eachEngine((made, at) => {
  engine = made;
  profile = at;
});

type Session = { sessionId: SessionId; branchId: BranchId };

/** Past the soft mark (of about 6,100 usable tokens) and under the hard one, by a turn that has just been answered. */
const answered = async (): Promise<Session> => {
  const session = engine.session(10, 800);
  await say(session, 'one more question');
  return session;
};
const say = async (session: Session, text: string) => {
  await engine.send(session, text);
  await engine.settle();
  for (const request of engine.requests()) if (!request.end) request.answer('an answer');
  await engine.settle();
};
const attempts = (session: Session) => engine.attempts(session.sessionId);
const running = (session: Session) => engine.coordinator.running(session.sessionId);

test('switched on again after a try it looks anew, whatever came of that', async () => {
  const session = await answered();
  await engine.pass(3_100, 100);
  running(session)?.cancel('user');
  await engine.settle();
  await engine.pass(10_000);
  expect(attempts(session)).toHaveLength(1);
  engine.ahead.switchedOn(session.sessionId);
  await engine.pass(3_100, 100);
  expect(attempts(session)).toHaveLength(2);
});

test('S7 past the soft mark an idle session is compressed after three seconds, once', async () => {
  const session = await answered();
  await engine.pass(2_900, 100);
  expect(attempts(session)).toHaveLength(0);
  await engine.pass(200, 100);
  expect(running(session)?.spec).toMatchObject({ need: 'ahead', trigger: 'soft-mark' });
  await engine.answerAll();
  await engine.pass(60_000);
  expect(attempts(session)).toHaveLength(1);
  expect(engine.shown(session.branchId)).toHaveLength(1);
});

test('S23 ten short turns in a new session start nothing', async () => {
  engine.models.change({ window: { served: 32_768, trained: 32_768, source: 'server' } });
  const session = engine.session();
  for (let i = 0; i < 10; i++) {
    await say(session, `short question ${i}`);
    await engine.pass(10_000);
  }
  expect(attempts(session)).toHaveLength(0);
});

test('each key of the user starts the three seconds anew', async () => {
  const session = await answered();
  for (let i = 0; i < 5; i++) {
    await engine.pass(2_000);
    engine.ahead.typed(session.sessionId);
  }
  expect(attempts(session)).toHaveLength(0);
  await engine.pass(3_100, 100);
  expect(attempts(session)).toHaveLength(1);
});

test('typing while it is being compressed starts nothing more', async () => {
  const session = await answered();
  await engine.pass(4_000);
  engine.ahead.typed(session.sessionId);
  await engine.pass(10_000);
  expect(attempts(session)).toHaveLength(1);
  expect(running(session)?.spec).toMatchObject({ need: 'ahead' });
});

describe('nothing begins', () => {
  const nothing = async (session: Session) => {
    await engine.pass(60_000);
    expect(attempts(session)).toHaveLength(0);
  };

  test('in a session that was not used since the start, whatever is typed or undone in it', async () => {
    const session = engine.session(10, 800);
    engine.ahead.typed(session.sessionId);
    engine.ahead.undone(session.sessionId);
    await nothing(session);
  });
  test('on battery, before the machine is on power again', async () => {
    engine.onPower = false;
    const session = await answered();
    await nothing(session);
    engine.onPower = true;
    engine.ahead.lookAgain();
    await engine.pass(100, 100);
    expect(attempts(session)).toHaveLength(1);
  });
  test('S24 with automatic compression off', async () => {
    engine.automatic = 'off';
    await nothing(await answered());
  });
  test('with a model that cannot summarize', async () => {
    engine.models.change({ canSummarize: false });
    await nothing(await answered());
  });
  test('while another chat is answered by the same model', async () => {
    const session = await answered();
    const other = engine.session();
    await engine.send(other, 'a question elsewhere');
    await nothing(session);
    engine.host.last.answer('an answer');
    await engine.settle();
    await engine.pass(4_000);
    expect(attempts(session)).toHaveLength(1); // that chat has ended
  });
  test('where the window is unknown', async () => {
    engine.models.change({ window: { served: null, trained: null, source: 'unknown' } });
    await nothing(await answered());
  });
});

describe('switched on, it looks after three seconds without another turn', () => {
  const begins = async (session: Session) => {
    await engine.pass(2_900, 100);
    expect(attempts(session)).toHaveLength(0);
    await engine.pass(200, 100);
    expect(running(session)?.spec).toMatchObject({ need: 'ahead' });
  };
  const set = (session: Session, automatic: 'on' | 'off') =>
    engine.write((tx) => setAutomatic(tx, session.sessionId, automatic));

  test('S24 for the session', async () => {
    const session = await answered();
    set(session, 'off');
    await engine.pass(60_000);
    expect(attempts(session)).toHaveLength(0);
    set(session, 'on');
    engine.ahead.switchedOn(session.sessionId);
    await begins(session);
  });
  test('by the button of the breaker, in a session that was not used since the start', async () => {
    const session = engine.session(10, 800);
    engine.write((tx) => changeSession(tx, session.sessionId, { automatic: 'breaker' }));
    await engine.pass(60_000);
    set(session, 'on');
    engine.ahead.switchedOn(session.sessionId);
    await begins(session);
  });
  test('for all sessions, in those that were used', async () => {
    const settings = new SettingsStore({ all: () => ({ automaticCompression: 'false' }), set: () => {} });
    engine.ahead.follow(settings);
    engine.automatic = 'off';
    const session = await answered();
    const unused = engine.session(10, 800);
    await engine.pass(60_000);
    engine.automatic = 'on';
    settings.change({ automaticCompression: true });
    await engine.pass(100, 100);
    expect(running(session)?.spec).toMatchObject({ need: 'ahead' });
    await engine.pass(60_000);
    expect(attempts(unused)).toHaveLength(0);
  });
  test('on battery not before the machine is on power again', async () => {
    const session = await answered();
    engine.onPower = false;
    engine.ahead.switchedOn(session.sessionId);
    await engine.pass(60_000);
    expect(attempts(session)).toHaveLength(0);
    engine.onPower = true;
    engine.ahead.lookAgain();
    await engine.pass(100, 100);
    expect(running(session)?.spec).toMatchObject({ need: 'ahead' });
  });
});

describe('the second try of a crossing', () => {
  test('comes when the backoff of the first has ended, and is the last', async () => {
    const session = await answered();
    await engine.pass(4_000);
    engine.host.last.settle({ t: 'exited', code: 1, killedByUs: false });
    await engine.settle();
    expect(attempts(session)[0]?.outcome).toMatchObject({ kind: 'failed', failure: 'died' });
    await engine.pass(50_000);
    expect(attempts(session)).toHaveLength(1);
    await engine.pass(20_000);
    expect(attempts(session)).toHaveLength(2);
    engine.host.last.settle({ t: 'exited', code: 1, killedByUs: false });
    await engine.settle();
    await engine.pass(3_600_000, 60_000);
    expect(attempts(session)).toHaveLength(2);
  });

  test('comes when the lease of another window has gone', async () => {
    const session = await answered();
    const other = new Engine(profile, engine.clock);
    const key = { session: session.sessionId, kind: 'compression' } as const;
    const got = other.leases.tryAcquire(key, 999, () => {});
    if (got.kind !== 'acquired') throw new Error('not held');
    await engine.pass(4_000);
    expect(attempts(session).map((one) => one.outcome?.kind)).toEqual(['deferred']);
    engine.ahead.lookAgain();
    await engine.pass(4_000);
    expect(attempts(session)).toHaveLength(1);
    other.close();
    await engine.settle();
    engine.ahead.lookAgain();
    await engine.pass(4_000);
    expect(attempts(session)).toHaveLength(2);
  });

  test('comes when a chat that it stood back for is done, by the same conditions', async () => {
    const session = await answered();
    await engine.pass(4_000);
    await engine.send(engine.session(), 'a question elsewhere');
    await engine.settle();
    expect(attempts(session).map((one) => one.outcome?.kind)).toEqual(['deferred']);
    await engine.pass(10_000);
    expect(attempts(session)).toHaveLength(1);
    engine.onPower = false;
    engine.requests().at(-1)?.answer('an answer');
    await engine.pass(10_000);
    expect(attempts(session)).toHaveLength(1);
    engine.onPower = true;
    engine.ahead.lookAgain();
    await engine.pass(4_000);
    expect(attempts(session)).toHaveLength(2);
  });

  test('does not come after the user has cancelled the first', async () => {
    const session = await answered();
    await engine.pass(4_000);
    engine.coordinator.cancel(session.sessionId, null, 'user');
    await engine.settle();
    await say(session, 'another question');
    await engine.pass(60_000);
    expect(attempts(session)).toHaveLength(1);
  });
});

test('the next crossing, after the fill was below the mark, is tried again', async () => {
  const session = await answered();
  await engine.pass(4_000);
  await engine.answerAll();
  await say(session, 'another question'); // seen below the mark
  await engine.pass(4_000);
  expect(attempts(session)).toHaveLength(1);
  engine.fill(session.sessionId, session.branchId, 6, 800);
  await say(session, 'and one more');
  await engine.pass(4_000);
  expect(attempts(session)).toHaveLength(2);
});

test('a summary that the user took back is not made again before the fill was below the mark', async () => {
  const session = await answered();
  await engine.pass(4_000);
  await engine.answerAll();
  await engine.pass(4_000); // seen below the mark
  const [summary] = engine.shown(session.branchId);
  if (!summary) throw new Error('nothing was compressed');
  engine.ahead.undone(session.sessionId);
  await engine.summaries.undo(session.sessionId, summary.id);
  await say(session, 'another question');
  await engine.pass(60_000);
  expect(attempts(session)).toHaveLength(1);
  expect(engine.shown(session.branchId)).toHaveLength(0);
});
