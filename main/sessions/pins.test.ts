import { describe, expect, test } from 'vitest';
import type { MessageId, PinId } from '../../shared/model/ids';
import { messagesBetween } from '../db/messages-table';
import { pinsOnPath } from '../db/pins-table';
import { lastRequestOf } from '../db/requests-table';
import { threadJobs } from '../db/thread/jobs';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { estimate, measureExactly } from '../turns/measure';
import { pinBlock, pinTokens } from '../turns/pin-block';
import { editMessage } from './branches';
import { addPin, unpin } from './pins';

describe('pins', () => {
  let engine: Engine;
  let session: ReturnType<Engine['session']>;
  let told: number;
  eachEngine((made) => {
    engine = made;
    session = engine.session(40, 800);
    told = 0;
  });

  const env = () => ({ ...engine.pins, changed: () => told++ });
  const at = (seq: number) => {
    const [message] = messagesBetween(engine.db, session.branchId, seq, seq);
    if (!message) throw new Error('no message');
    return message;
  };
  const pin = (seq: number, excerpt: { from: number; to: number } | null = null) =>
    addPin(env(), { sessionId: session.sessionId, messageId: at(seq).id, excerpt });
  const standing = (branch = session.branchId) => pinsOnPath(engine.db, branch).map(({ id }) => id);
  const use = () =>
    estimate(engine.db, session.sessionId, session.branchId, engine.models.facts(), engine.toolbox, false).use;
  const compressed = async () => {
    await engine.attempt(session, 'manual', ['extract']);
    await engine.settle();
    const [shown] = engine.shown(session.branchId);
    if (!shown) throw new Error('nothing was covered');
    return shown;
  };
  /** Sends a message and answers it; the messages of its request. */
  const request = async (text: string) => {
    await engine.send(session, text);
    await engine.settle();
    const { job } = engine.requests().at(-1) ?? {};
    await engine.answerAll('an answer');
    return job?.kind === 'chat' ? job.messages : [];
  };

  test('I6 a covered pin is sent word for word, before the summary, in user role', async () => {
    await pin(3);
    const excerpt = { from: 5, to: 47 };
    await pin(6, excerpt);
    const shown = await compressed();
    const [first] = await request('go on');
    const text = first?.content ?? '';
    expect(first?.role).toBe('user');
    expect(text.indexOf(at(3).text)).toBeGreaterThan(0);
    const word = at(6).text.slice(excerpt.from, excerpt.to);
    expect(text.indexOf(`\n${word}\n`)).toBeGreaterThan(text.indexOf(at(3).text));
    expect(text.indexOf(shown.text)).toBeGreaterThan(text.indexOf(word));
    expect(text).toContain(pinBlock(pinsOnPath(engine.db, session.branchId)));
  });

  test('a pin in the live tail changes no byte and costs nothing until its message is covered', async () => {
    await compressed();
    const before = await request('first');
    const id = await pin(79);
    const after = await request('second');
    expect(after.slice(0, before.length)).toEqual(before);
    expect(use().parts.pins).toBe(0);
    expect(use().pins).toEqual([{ id, tokens: expect.any(Number), covered: false }]);
  });

  test('prices add up to the part, and the parts to the whole', async () => {
    await pin(3);
    await pin(5, { from: 0, to: 100 });
    const last = await pin(80);
    await compressed();
    const { parts, pins, total } = use();
    const covered = pins.filter((price) => price.covered);
    expect(covered).toHaveLength(2);
    expect(covered.reduce((sum, price) => sum + price.tokens, 0)).toBe(parts.pins);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total);
    expect(pins.find((price) => price.id === last)?.covered).toBe(false);
    expect(parts.pins).toBeGreaterThan(200); // a message of 800 characters is 200 tokens
  });

  test('they add up to the runtime’s own count as well', async () => {
    await pin(3);
    await pin(5, { from: 0, to: 100 });
    await compressed();
    // close to the window, so that the runtime is asked
    engine.models.change({ countsExactly: true, window: { served: 3_000, trained: null, source: 'server' } });
    engine.models.count = () => Promise.resolve(4_321);
    const { db, models, toolbox } = engine;
    const { use } = await measureExactly(db, session, models.facts(), models, toolbox, true);
    expect(use.total).toBe(4_321);
    expect(Object.values(use.parts).reduce((sum, part) => sum + part, 0)).toBe(4_321);
    expect(use.pins.reduce((sum, price) => sum + price.tokens, 0)).toBe(use.parts.pins);
  });

  test('what is protected counts what the block will cost, and what stays in place only once', async () => {
    const facts = engine.models.facts();
    const measure = () =>
      estimate(engine.db, session.sessionId, session.branchId, facts, engine.toolbox, false).measure.protectedTokens;
    const plain = measure();
    await pin(79); // one of the two turns that stay
    expect(measure()).toBe(plain);
    await pin(3);
    expect(measure()).toBeGreaterThan(plain + 200);
  });

  test('a pin larger than the window is said to be too much, by both numbers, and unpinning is a way out', async () => {
    engine.models.change({ window: { served: 2_048, trained: null, source: 'server' } });
    const pins: PinId[] = [];
    for (let seq = 1; seq <= 20; seq++) pins.push(await pin(seq));
    await engine.send(session, 'does it fit');
    await engine.settle();
    await engine.answerAll();
    expect(engine.turn(session.sessionId)?.state).toBe('exhausted');
    expect(engine.requests()).toHaveLength(0);
    for (const id of pins) await unpin(env(), session.sessionId, id);
    await engine.turns.sendAgain(session.sessionId, session.branchId);
    await engine.settle();
    await engine.answerAll();
    expect(engine.turn(session.sessionId)?.state).toBe('completed');
  });

  test('a compression that would only move what is pinned gains nothing and is not tried', async () => {
    for (let seq = 1; seq <= 76; seq++) await pin(seq);
    const attempt = await engine.attempt(session, 'manual', ['extract']);
    await engine.settle();
    expect(await attempt.outcome).toMatchObject({ kind: 'nothing-to-do', reason: 'nothing-to-gain' });
  });

  test('what a compression gains is told without what its pins go on costing', async () => {
    const { sessionId, branchId } = session;
    const { rates } = engine.models.facts();
    const window = { usable: 6_144, target: 2_457, keepTurns: 2, readsAgain: true, chosen: null };
    const job = { sessionId, branch: branchId, rates, ...window };
    const plain = threadJobs.plan(engine.db, job).tokensShown;
    await pin(3);
    const block = pinTokens(pinsOnPath(engine.db, branchId), rates);
    expect(threadJobs.plan(engine.db, job).tokensShown).toBe(plain - block);
  });

  test('a pin inside another is not kept twice; the same place again is the same pin', async () => {
    const part = await pin(4, { from: 0, to: 50 });
    expect(await pin(4, { from: 10, to: 20 })).toBe(part);
    const whole = await pin(4);
    expect(standing()).toEqual([whole]);
    expect(await pin(4, { from: 0, to: at(4).text.length })).toBe(whole);
    expect(await pin(4)).toBe(whole);
    expect(standing()).toEqual([whole]);
    await pin(6, { from: 0, to: at(6).text.length });
    expect(pinsOnPath(engine.db, session.branchId).map(({ excerpt }) => excerpt)).toEqual([null, null]);
  });

  test('no character is cut in two; what does not lie in the text is refused', async () => {
    await engine.send(session, 'a 😀 b');
    await engine.settle();
    const seq = 81;
    await pin(seq, { from: 3, to: 6 });
    expect(pinsOnPath(engine.db, session.branchId)[0]?.text).toBe('😀 b');
    await expect(pin(seq, { from: 0, to: 99 })).rejects.toMatchObject({ code: 'bad-input' });
    await expect(pin(seq, { from: 1, to: 2 })).rejects.toMatchObject({ code: 'bad-input' });
    const other = engine.session(1);
    const messageId = messagesBetween(engine.db, other.branchId, 1, 1)[0]?.id as MessageId;
    await expect(addPin(env(), { sessionId: session.sessionId, messageId, excerpt: null })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(told).toBe(1);
  });

  test('unpinned and pinned again it is the same pin, one version on; an old request names the version it had', async () => {
    const id = await pin(3);
    await compressed();
    await request('first');
    const turn = engine.turn(session.sessionId);
    await unpin(env(), session.sessionId, id);
    await unpin(env(), session.sessionId, id);
    expect(standing()).toEqual([]);
    expect(await pin(3)).toBe(id);
    expect(pinsOnPath(engine.db, session.branchId)[0]?.version).toBe(2);
    expect(turn && lastRequestOf(engine.db, turn.id)?.recipe.pins).toEqual([[id, 1]]);
    expect(told).toBe(3);
  });

  test('a pin stands on every path that holds its message, and on no other', async () => {
    const early = await pin(3);
    const late = await pin(60);
    const id = '66666666-6666-4666-8666-666666666666' as MessageId;
    const branch = await editMessage(engine, { ...session, seq: 41, id, text: 'edited' });
    expect(standing(branch)).toEqual([early]);
    expect(standing()).toEqual([early, late]);
  });

  test('a binned message leaves with its pins', async () => {
    await pin(3);
    engine.write((tx) => tx.prepare('UPDATE messages SET deleted_at = 1 WHERE id = ?').run(at(3).id));
    expect(standing()).toEqual([]);
  });
});
