import { describe, expect, test } from 'vitest';
import { LEASE } from '../compression/policy';
import { insertFork } from '../db/branches-table';
import { messagesBetween } from '../db/messages-table';
import { storeRecall } from '../db/recalls';
import { eachEngine } from '../testing/each-engine';
import { Engine } from '../testing/engine';
import { madePublisher } from '../testing/made-publisher';
import type { TempProfile } from '../testing/profile';
import { answerAgain } from './branches';
import { shownMessages } from './shown';
import { ShownPaths } from './shown-paths';

let profile: TempProfile;
let engine: Engine;
eachEngine((made, at) => {
  engine = made;
  profile = at;
});

test('a summary that shows on two paths is told to both windows, each by its own path', async () => {
  const session = engine.session(40, 800);
  const { sessionId, branchId } = session;
  const fork = engine.write((tx) => insertFork(tx, { sessionId, parentId: branchId, forkSeq: 79, now: 1 }));
  const paths = new ShownPaths();
  paths.opened(1, sessionId, branchId);
  paths.opened(2, sessionId, fork);
  paths.opened(3, engine.session(1).sessionId, branchId); // another session's window
  const { publisher, told } = madePublisher(engine, paths);
  await engine.attempt(session, 'manual', ['extract']);
  await engine.settle();
  publisher.summaries(sessionId);
  const shown = told.flatMap((event) => (event.type === 'summaries.changed' ? [event] : []));
  expect(shown.map((event) => [event.branchId, event.summaries.length])).toEqual([
    [branchId, 1],
    [fork, 1],
  ]);
  const contexts = told.flatMap((event) => (event.type === 'context.changed' ? [event.branchId] : []));
  expect(contexts).toEqual([branchId, fork]);
});

test('a question that is answered again is told as the path of that answer shows it, not as its own', async () => {
  const session = engine.session(2);
  await engine.send(session, 'a question');
  await engine.settle();
  await engine.answerAll('an answer');
  const env = engine;
  const fork = await answerAgain(env, { ...session, seq: 6 });
  await engine.settle();
  const turn = engine.turn(session.sessionId);
  const passages = [{ seq: 1, role: 'user' as const, text: 'user words number 0' }];
  engine.write((tx) => turn && storeRecall(tx, turn.id, { view: [], passages }));
  const { publisher, told } = madePublisher(engine, new ShownPaths());
  const question = messagesBetween(engine.db, session.branchId, 5, 5)[0];
  if (question) publisher.message(session.sessionId, question.id, 'changed');
  const changed = told.find((event) => event.type === 'message.changed');
  expect(changed).toMatchObject({ branchId: fork, message: { recalled: passages } });
  const [own] = shownMessages(engine.db, session.sessionId, session.branchId, question ? [question] : []);
  expect(own?.recalled).toEqual([]);
});

test('what another process says in a session that is shown here is told here: as it grows, as it ends, and once', async () => {
  const other = new Engine(profile, engine.clock);
  const session = engine.session(2);
  const paths = new ShownPaths();
  paths.opened(1, session.sessionId, session.branchId);
  const { publisher, told } = madePublisher(engine, paths);
  const moved = () => {
    told.length = 0;
    publisher.all(session.sessionId);
    return told.flatMap((event) =>
      event.type === 'message.added' || event.type === 'message.changed'
        ? [`${event.type.slice(8)} ${event.message.status} ${event.message.text.slice(0, 12)}`]
        : event.type === 'message.removed'
          ? ['removed']
          : [],
    );
  };
  moved();
  await other.send(session, 'from there');
  await other.settle();
  other.host.last.emit({ t: 'text', text: 'half' });
  await other.pass(1_000);
  const question = ['added complete from there', 'changed complete from there'];
  expect(moved()).toEqual([...question, 'added streaming half']);
  other.host.last.answer(' and all');
  await other.settle();
  expect(moved()).toEqual(['added complete half and all', 'changed complete half and all']);
  expect(moved()).toEqual([]);
  await other.send(session, 'once more');
  await other.settle();
  expect(moved().at(-1)).toBe('added streaming ');
  await other.turns.stop(session.sessionId);
  await other.settle();
  await other.send(session, 'and once again');
  await other.settle();
  expect(moved()).toEqual([
    'removed',
    'added complete and once aga',
    'changed complete and once aga',
    'added streaming ',
  ]);
  other.close();
});

test('S28 the card tells of the attempt that ended last: not that it waits for a window that has ended by now', async () => {
  const other = new Engine(profile, engine.clock);
  const session = engine.session(40, 800);
  const { publisher } = madePublisher(engine, new ShownPaths());
  const theirs = await other.attempt(session, 'manual', ['summarize']);
  const ours = await engine.attempt(session, 'manual', ['extract']);
  expect(ours.view().outcome).toMatchObject({ kind: 'deferred', why: { kind: 'lease-held' } });
  expect(publisher.attemptOf(session.sessionId)).toMatchObject({ id: theirs.spec.id, elsewhere: true });
  engine.clock.advance(1_000);
  await other.answerAll();
  expect(publisher.attemptOf(session.sessionId)).toMatchObject({ id: theirs.spec.id, outcome: { kind: 'committed' } });
  other.close();
});

test('S28 an attempt whose lease was taken over is shown as running no more, while its window stands still', async () => {
  const hung = new Engine(profile); // no time passes for it
  const session = engine.session(40, 800);
  const { sessionId } = session;
  const { publisher } = madePublisher(engine, new ShownPaths());
  const theirs = await hung.attempt(session, 'manual', ['summarize']);
  expect(publisher.row(sessionId)?.activity.kind).toBe('compressing');
  engine.leases.mayTake({ session: sessionId, kind: 'compression' });
  engine.clock.advance(LEASE.ttlMs);
  const ours = await engine.attempt(session, 'manual', ['extract']);
  expect((await ours.outcome).kind).toBe('committed');
  expect(theirs.state.phase.at).not.toBe('ended');
  expect(publisher.row(sessionId)?.activity).toEqual({ kind: 'idle' });
  expect(publisher.attemptOf(sessionId)).toMatchObject({ id: ours.spec.id, elsewhere: false });
  hung.close();
});

describe('S28 a window that wakes after another one ended its turn', () => {
  const told = async (begun: string) => {
    const session = engine.session(2);
    const { sessionId, branchId } = session;
    const paths = new ShownPaths();
    paths.opened(1, sessionId, branchId);
    const { publisher, told } = madePublisher(engine, paths);
    await engine.send(session, 'from the one that hangs');
    await engine.settle();
    if (begun !== '') engine.host.last.emit({ t: 'text', text: begun });
    engine.turns.all()[0]?.flushNow();
    publisher.all(sessionId); // as on a beat: another window wrote while it answered
    const other = new Engine(profile);
    await other.send(session, 'from the other');
    for (let passed = 0; passed < 46_000; passed += 1_000) {
      await other.pass(1_000);
      other.turns.lookAtLeases();
    }
    await other.settle();
    await other.answerAll('answered');
    other.close();
    told.length = 0;
    engine.onMessage = (id, what) => publisher.message(sessionId, id, what);
    engine.host.last.answer(' and the rest');
    await engine.settle();
    publisher.all(sessionId);
    return told.flatMap((event) => {
      if (event.type === 'message.removed') return ['removed'];
      return event.type === 'message.changed' ? [`${event.message.status}: ${event.message.text}`] : [];
    });
  };

  test('tells what became of its answer, and what the other said', async () => {
    const events = await told('half an answer');
    expect(events).toEqual(expect.arrayContaining(['partial: half an answer', 'complete: from the other']));
    expect(events.join()).not.toContain('and the rest');
  });
  test('tells that an answer without a word is gone, and what stands in its place', async () => {
    const events = await told('');
    expect(events).toEqual(expect.arrayContaining(['removed', 'complete: from the other', 'complete: answered']));
  });
});
