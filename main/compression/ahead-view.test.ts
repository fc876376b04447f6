import { describe, expect, test } from 'vitest';
import type { AttemptOutcome } from '../../shared/model/compression';
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { changeSession } from '../db/sessions-table';
import { eachEngine } from '../testing/each-engine';
import { Engine } from '../testing/engine';
import { TEST_MODEL } from '../testing/fixed-models';
import type { TempProfile } from '../testing/profile';
import { type AheadFacts, aheadView, causeEnded } from './ahead-view';

let engine: Engine;
let profile: TempProfile;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made, at) => {
  engine = made;
  profile = at;
  session = engine.session(20, 800);
});
const facts = (more: Partial<AheadFacts> = {}): AheadFacts => {
  const { db, leases, coordinator, models, toolbox } = engine;
  return { db, leases, coordinator, models, toolbox, automatic: () => 'on', ...more };
};
const view = (more?: Partial<AheadFacts>) => aheadView(facts(more), session.sessionId);

describe('there is nothing to see', () => {
  test('of a session that does not exist', () => {
    expect(aheadView(facts(), 'no such session' as SessionId)).toBeNull();
  });
  test('of a deleted session', () => {
    engine.write((tx) => changeSession(tx, session.sessionId, { deletedAt: 1 }));
    expect(view()).toBeNull();
  });
  test('of a session whose model is gone', () => {
    expect(view({ models: { facts: () => null, defaultModel: () => TEST_MODEL } })).toBeNull();
  });
});

describe('a session is free', () => {
  test('while nothing runs or waits in it', () => {
    expect(view()).toMatchObject({ free: true, wish: { ...session, need: 'ahead', trigger: 'soft-mark' } });
  });
  test('not while a turn is open', async () => {
    await engine.send(session, 'a question');
    await engine.settle();
    expect(view()?.free).toBe(false);
  });
  test('not while an attempt runs', async () => {
    await engine.attempt(session, 'manual', ['summarize']);
    expect(view()?.free).toBe(false);
    await engine.answerAll();
    expect(view()?.free).toBe(true);
  });
  test('not while a proposal waits', async () => {
    engine.setReview(session.sessionId, true);
    await engine.attempt(session, 'manual', ['summarize']);
    await engine.answerAll();
    expect(engine.coordinator.running(session.sessionId)).toBeNull();
    expect(view()?.free).toBe(false);
  });
  test.each(['off', 'breaker'] as const)('not with automatic compression %s', (automatic) => {
    expect(view({ automatic: () => automatic })?.free).toBe(false);
  });
});

describe('what kept an attempt from succeeding', () => {
  const ended = (outcome: AttemptOutcome) => causeEnded(facts(), session.sessionId, outcome);
  const summaryId = 1 as SummaryId;

  test.each<[AttemptOutcome, boolean]>([
    [{ kind: 'failed', failure: 'died' }, true],
    [{ kind: 'deferred', why: { kind: 'model-busy' } }, true],
    [{ kind: 'superseded', by: 'newer' }, true],
    [{ kind: 'superseded', by: 'undo' }, false],
    [{ kind: 'superseded', by: 'edit' }, false],
    [{ kind: 'superseded', by: 'fork' }, false],
    [{ kind: 'cancelled', by: 'user' }, false],
    [{ kind: 'nothing-to-do', reason: 'nothing-to-gain' }, false],
    [{ kind: 'proposed', summaryId }, false],
    [{ kind: 'committed', summaryId }, false],
  ])('%j: may have ended = %s', (outcome, may) => {
    expect(ended(outcome)).toBe(may);
  });

  test('a lease of another window has not ended before that window lets go, whatever else could be waited for', () => {
    const other = new Engine(profile, engine.clock);
    other.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 999, () => {});
    expect(ended({ kind: 'deferred', why: { kind: 'lease-held', holder: other.me } })).toBe(false);
    expect(ended({ kind: 'deferred', why: { kind: 'model-busy' } })).toBe(true);
    other.close();
    expect(ended({ kind: 'deferred', why: { kind: 'lease-held', holder: other.me } })).toBe(true);
  });
});
