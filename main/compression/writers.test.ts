import { describe, expect, test } from 'vitest';
import type { ProviderId } from '../../shared/model/ids';
import type { ModelFacts } from '../providers/registry-types';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { FixedModels } from '../testing/fixed-models';
import { whyNot, writersOf } from './writers';

const facts = (model: string, change: Partial<ModelFacts> = {}, providerId = 'test'): ModelFacts => ({
  ...new FixedModels().facts(),
  ref: { providerId: providerId as ProviderId, model },
  name: model,
  ...change,
});
const window = (served: number | null): Partial<ModelFacts> => ({
  window: { served, trained: served, source: served === null ? 'unknown' : 'server' },
});
const own = facts('own');
const named = facts('named');
const other = facts('other');

describe('who writes', () => {
  test.each([
    ['the chat’s own model, where none is named', own, null, null, 'own', null],
    ['the named one', own, named, null, 'named', null],
    ['a named one with a second', own, named, other, 'named', 'other'],
    ['the own model is a fine second', own, named, own, 'named', 'own'],
    ['the same model twice is no second', own, named, named, 'named', null],
    ['a remote one never reads a local chat', own, facts('far', { remote: true }), null, 'own', null],
    ['nor as the second', own, named, facts('far', { remote: true }), 'named', null],
    [
      'a remote one of the chat’s own service does',
      facts('own', { remote: true }),
      facts('far', { remote: true }),
      null,
      'far',
      null,
    ],
    [
      'one of another service does not',
      facts('own', { remote: true }),
      facts('far', { remote: true }, 'elsewhere'),
      null,
      'own',
      null,
    ],
    ['the same name elsewhere is another model', own, named, facts('named', {}, 'elsewhere'), 'named', 'named'],
    ['a second that cannot summarize is none', own, null, facts('practice', { canSummarize: false }), 'own', null],
    ['nor one whose window holds no chunk', own, null, facts('small', window(1_900)), 'own', null],
    ['one that cannot summarize is passed over', own, facts('practice', { canSummarize: false }), null, 'own', null],
    ['one whose window holds no chunk is passed over', own, facts('small', window(1_900)), null, 'own', null],
  ])('%s', (_name, chat, first, second, writes, secondly) => {
    const writers = writersOf(chat, first, second);
    expect({ first: writers.first.name, second: writers.second?.name ?? null }).toEqual({
      first: writes,
      second: secondly,
    });
  });

  test.each([
    [facts('large'), null],
    [facts('unknown', window(null)), null],
    [facts('just', window(1_936)), null],
    [facts('small', window(1_935)), 'window-too-small'],
    [facts('practice', { canSummarize: false }), 'cannot-summarize'],
  ])('why not: %#', (model, why) => {
    expect(whyNot(model)).toBe(why);
  });
});

describe('the second model', () => {
  let engine: Engine;
  eachEngine((made) => {
    engine = made;
    engine.secondModel = facts('second', {
      ...window(4_096),
      target: { kind: 'openai', address: 'http://127.0.0.1:2', model: 'second', key: null },
    });
  });
  const modelOf = (index: number) => {
    const target = engine.host.streams[index]?.job.target;
    return target?.kind === 'openai' ? target.model : null;
  };

  test('reads the range by itself after a stall of the first, under the same lease, once that one is proved stopped', async () => {
    const session = engine.session(40, 800);
    const attempt = await engine.attempt(session);
    const first = engine.host.last;
    first.onCancel = 'ignore';
    await engine.pass(31_000); // silent while connecting
    expect(first.cancels).toEqual(['idle']);
    expect(engine.host.streams).toHaveLength(1);
    expect(engine.backoff(session.sessionId)?.kind).toBe('stalled');
    first.settle({ t: 'stopped' });
    await engine.settle();
    expect(modelOf(1)).toBe('second');
    await engine.answerAll();
    expect((await attempt.outcome).kind).toBe('committed');
    expect(engine.shown(session.branchId)[0]).toMatchObject({ author: 'model', model: 'second' });
    expect(engine.lease(session.sessionId)).toMatchObject({ epoch: 1, instanceId: null });
    expect(engine.backoff(session.sessionId)).toBeNull();
    expect(attempt.candidate.run?.chunks.length).toBeGreaterThan(3); // cut to its smaller window
  });

  test('whose process was written off is not asked again before its end is seen', async () => {
    await engine.attempt(engine.session(40, 800));
    await engine.pass(31_000); // the first stalls
    const lost = engine.host.last;
    lost.onCancel = 'ignore';
    lost.onKill = 'never';
    await engine.pass(70_000); // so does the second; it is killed, and no exit is seen
    expect(lost.killed).toBe(true);
    const asked = engine.host.streams.length;
    await engine.attempt(engine.session(40, 800));
    await engine.pass(31_000);
    expect(engine.host.streams).toHaveLength(asked + 1);
    lost.exit();
    await engine.settle();
    await engine.attempt(engine.session(40, 800));
    await engine.pass(31_000);
    expect(engine.host.streams).toHaveLength(asked + 3);
  });

  test('that stalls as well leads to the extract; the ladder was climbed by one rung', async () => {
    const session = engine.session(40, 800);
    const attempt = await engine.attempt(session);
    await engine.pass(31_000);
    await engine.pass(31_000);
    expect(engine.host.streams).toHaveLength(2);
    expect((await attempt.outcome).kind).toBe('committed');
    expect(engine.shown(session.branchId)[0]?.author).toBe('extract');
    expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'stalled', rung: 1 });
  });

  test('P16 the user’s stop during it counts: the first had run out of patience', async () => {
    const session = engine.session(40, 800);
    const attempt = await engine.attempt(session);
    await engine.pass(31_000);
    expect(modelOf(1)).toBe('second');
    attempt.cancel('user');
    await engine.settle();
    expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'stall-interrupted', rung: 1 });
    expect(engine.lease(session.sessionId).instanceId).toBeNull();
  });

  test('is not asked after an answer that did not pass the check', async () => {
    const session = engine.session(40, 800);
    const attempt = await engine.attempt(session);
    await engine.answerAll('Error 500: internal server error');
    expect((await attempt.outcome).kind).toBe('committed');
    expect(engine.host.streams.map((_, index) => modelOf(index))).not.toContain('second');
  });
});
