import { describe, expect, test } from 'vitest';
import type { BranchId, MessageId, TurnId } from '../../shared/model/ids';
import type { Turn } from '../../shared/model/turn';
import { getSession } from '../db/sessions-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { type NoticeFacts, noticesOf } from './notices';

describe('what the user must be able to read', () => {
  let engine: Engine;
  eachEngine((made) => {
    engine = made;
  });

  const facts = (change: Partial<NoticeFacts> = {}): NoticeFacts => {
    const stored = getSession(engine.db, engine.session().sessionId);
    if (!stored) throw new Error('no session');
    return {
      session: stored,
      path: stored.lastBranch,
      turn: null,
      endsWithAnswer: false,
      accepted: false,
      outbox: 0,
      recover: null,
      proposal: null,
      backoffs: [],
      stored: [],
      now: 0,
      automaticEverywhere: true,
      provider: null,
      hasModel: true,
      overHardMark: false,
      windowKnown: true,
      ...change,
    };
  };
  const kinds = (change: Partial<NoticeFacts>) => noticesOf(facts(change)).map(({ kind }) => kind);

  test('S19 an unknown window is said for as long as it is unknown: nothing is blocked or switched off in silence', () => {
    expect(kinds({ windowKnown: false })).toEqual(['window-unknown']);
    expect(kinds({ windowKnown: true })).toEqual([]);
  });

  test('S19 automatic compression that is off says so once it would be needed, and by whom', () => {
    const off = facts({ overHardMark: true });
    expect(noticesOf({ ...off, session: { ...off.session, automatic: 'off' } })).toEqual([
      { kind: 'automatic-off', by: 'user' },
    ]);
    expect(noticesOf({ ...off, automaticEverywhere: false })).toEqual([{ kind: 'automatic-off', by: 'everywhere' }]);
    expect(kinds({ overHardMark: true })).toEqual([]);
  });

  const waiting = (kind: 'review-pending' | 'auto-off' | 'breaker-open'): Turn => ({
    ...{ id: 1 as TurnId, branchId: 1 as BranchId, messageId: 'm' as MessageId },
    state: 'deferred',
    reason: { state: 'deferred', why: { kind } },
    ...{ retryAt: null, elsewhere: false, startedAt: 0, endedAt: null },
  });

  test.each(['auto-off', 'breaker-open'] as const)(
    'what waits since automatic compression is off is not told that for longer than it is: %s',
    (kind) => {
      const on = facts({ turn: waiting(kind) });
      expect(noticesOf(on)).toEqual([{ kind: 'automatic-on', hasText: false }]);
      expect(noticesOf({ ...on, automaticEverywhere: false })).toMatchObject([{ why: { kind } }]);
      const off = { ...on, session: { ...on.session, automatic: 'off' as const } };
      expect(noticesOf(off)).toMatchObject([{ why: { kind } }]);
    },
  );

  test('a review that a turn waits for: rejected, or accepted in a window that went before the turn could go on', () => {
    const turn = waiting('review-pending');
    expect(noticesOf(facts({ turn, proposal: 1 as BranchId }))).toMatchObject([{ why: { kind: 'review-pending' } }]);
    const rejected = { kind: 'review-rejected', hasText: false };
    expect(noticesOf(facts({ turn }))).toEqual([rejected]);
    expect(noticesOf(facts({ turn, endsWithAnswer: true }))).toEqual([{ ...rejected, hasText: true }]);
    expect(noticesOf(facts({ turn, accepted: true }))).toMatchObject([{ why: { kind: 'after-restart' } }]);
  });
});
