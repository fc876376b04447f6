import { beforeEach, expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { endAttempt, insertAttempt } from '../db/attempts-table';
import { changeSession } from '../db/sessions-table';
import { insertSummary } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { setAutomatic, tripBreaker, tripStored } from './breaker-store';

const MINUTE = 60_000;
let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made) => {
  engine = made;
});
beforeEach(() => {
  session = engine.session(1);
});

/** Stores an automatic commit with its gain, as the commit's transaction does; true = that stopped the session. */
const commit = (gain: number) =>
  engine.write((tx) => {
    const now = engine.clock.wall();
    const row = { ...session, instanceId: engine.me, turnId: null, now };
    const attemptId = insertAttempt(tx, { ...row, need: 'pressure', trigger: 'hard-mark' });
    const receipt = { kept: 0, restored: 0, dropped: 0, anchors: [], struckLines: 0, aboveTarget: false, gain };
    const summaryId = insertSummary(tx, {
      ...{ ...session, attemptId, epoch: 1, now, receipt },
      ...{ coversFrom: 1, coversTo: 2, parentId: null, tokensBefore: 100, tokensAfter: 50 },
      ...{ kind: 'text', state: 'active', author: 'extract', strategy: 'extract' },
      ...{ model: null, text: 'a summary', sections: [], stubs: null },
    });
    endAttempt(tx, attemptId, { kind: 'committed', summaryId }, { now, error: null, strategy: 'extract' });
    return tripBreaker(tx, session.sessionId);
  });
const say = async () => {
  await engine.send(session, 'a question');
  await engine.settle();
  engine.host.last.answer('an answer');
  await engine.settle();
};
const automatic = () => engine.stored(session.sessionId)?.automatic;
const trip = () => tripStored(engine.stored(session.sessionId)?.automaticWhy ?? null);

test('the commit that stops the session says so, and why is stored', () => {
  expect(trip()).toBeNull();
  expect(commit(0.04)).toBe(false);
  expect(trip()).toBeNull();
  expect(commit(0.05)).toBe(true);
  expect(automatic()).toBe('breaker');
  expect(trip()).toEqual({ kind: 'small-gains', gains: [0.04, 0.05] });
  engine.write((tx) => setAutomatic(tx, session.sessionId, 'on'));
  expect(trip()).toBeNull();
});

test.each(['off', 'breaker'] as const)('a session whose automatic is %s already stays as it is', (state) => {
  engine.write((tx) => changeSession(tx, session.sessionId, { automatic: state, automaticWhy: null }));
  expect([commit(0.04), commit(0.05)]).toEqual([false, false]);
  expect(automatic()).toBe(state);
  expect(trip()).toBeNull();
});

test.each([
  [1, true],
  [2, false],
])('six commits in an hour, with %i turns of the user between each two, stop the session: %s', async (turns, stops) => {
  const stopped: boolean[] = [];
  for (let n = 0; n < 6; n++) {
    for (let turn = 0; turn < turns; turn++) {
      engine.clock.advance(MINUTE);
      await say();
    }
    engine.clock.advance(MINUTE);
    stopped.push(commit(0.5));
  }
  expect(stopped).toEqual([false, false, false, false, false, stops]);
  expect(trip()).toEqual(stops ? { kind: 'too-often', times: 6, turns: [1, 1, 1] } : null);
});
