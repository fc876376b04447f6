import { describe, expect, test } from 'vitest';
import type { ContextUse } from '../../shared/model/context';
import type { BranchId, MessageId, ProviderId, TurnId } from '../../shared/model/ids';
import type { Provider, ProviderState } from '../../shared/model/provider';
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

  const use: ContextUse = {
    parts: { system: 0, pins: 0, summary: 0, recall: 0, tail: 500, tools: 0 },
    ...{ total: 500, pins: [], reserve: 200, window: 1_000, trained: null, source: 'server' },
    ...{ softMark: 600, hardMark: 700, exact: true, toolsChanged: false },
  };
  const at = (state: ProviderState): Provider => ({
    ...{ id: 's' as ProviderId, kind: 'openai', name: 'S', address: '', origin: 'user', remote: false },
    ...{ hasKey: false, askWindow: null, models: [], state },
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
      use,
      ...change,
    };
  };
  const kinds = (change: Partial<NoticeFacts>) => noticesOf(facts(change)).map(({ kind }) => kind);

  test('S19 an unknown window is said for as long as it is unknown: nothing is blocked or switched off in silence', () => {
    const provider = at({ kind: 'ready', answeredInMs: 1 });
    expect(kinds({ provider, use: { ...use, window: null } })).toEqual(['window-unknown']);
    expect(kinds({ provider })).toEqual([]);
  });

  test('a server that is away is said to be so while it is asked again, and of its window nothing is said meanwhile', () => {
    const said = (state: ProviderState) => noticesOf(facts({ provider: at(state), use: { ...use, window: null } }));
    expect(said({ kind: 'offline', nextTryAt: 9 })).toEqual([{ kind: 'provider-away', name: 'S', nextTryAt: 9 }]);
    expect(said({ kind: 'asking', away: true })).toEqual([{ kind: 'provider-away', name: 'S', nextTryAt: null }]);
    expect(said({ kind: 'asking', away: false })).toEqual([]);
    expect(said({ kind: 'refused', code: 'refused-by-server', fields: {} })).toEqual([]);
  });

  test('S19 automatic compression that is off says so once it would be needed, and by whom', () => {
    const off = facts({ use: { ...use, total: 800 } });
    expect(noticesOf({ ...off, session: { ...off.session, automatic: 'off' } })).toEqual([
      { kind: 'automatic-off', by: 'user' },
    ]);
    expect(noticesOf({ ...off, automaticEverywhere: false })).toEqual([{ kind: 'automatic-off', by: 'everywhere' }]);
    expect(noticesOf(off)).toEqual([]);
    expect(kinds({ automaticEverywhere: false })).toEqual([]);
  });

  test('that a window was learned is said for as long as it is the one that counts', () => {
    const learned = { id: 1, kind: 'window-learned', served: 1_000, trained: null } as const;
    const stored = [{ notice: learned, sessionId: null }];
    expect(kinds({ stored })).toEqual(['window-learned']);
    expect(kinds({ stored, use: { ...use, window: 4_000 } })).toEqual([]);
  });

  test('what was exhausted fits once the window is large enough, and not because it is estimated to be smaller', () => {
    const why = { needTokens: 900, windowTokens: 1_000, usableTokens: 800 };
    const turn: Turn = { ...waiting('auto-off'), state: 'exhausted', reason: { state: 'exhausted', why }, endedAt: 1 };
    const path = turn.branchId;
    expect(kinds({ turn, path })).toEqual(['exhausted']);
    expect(kinds({ turn, path, use: { ...use, window: 1_050 } })).toEqual(['exhausted']);
    const fits = { kind: 'sendable', because: 'fits', hasText: false };
    expect(noticesOf(facts({ turn, path, use: { ...use, window: 1_100 } }))).toEqual([fits]);
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
      expect(noticesOf(on)).toEqual([{ kind: 'sendable', because: 'automatic-on', hasText: false }]);
      expect(noticesOf({ ...on, automaticEverywhere: false })).toMatchObject([{ why: { kind } }]);
      const off = { ...on, session: { ...on.session, automatic: 'off' as const }, use: { ...use, total: 800 } };
      expect(noticesOf(off)).toMatchObject([{ why: { kind } }]); // once, by the notice that has the way on
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
