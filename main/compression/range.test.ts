import { describe, expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { changeSession } from '../db/sessions-table';
import { changeSummaryState } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';

describe('compressing a chosen range', () => {
  let engine: Engine;
  let session: { sessionId: SessionId; branchId: BranchId };
  eachEngine((made) => {
    engine = made;
    engine.models.change({ window: { served: 32_768, trained: null, source: 'server' } });
    session = engine.session(20, 800);
  });

  const cover = async (from: number, to: number) => {
    const attempt = await engine.attempt(session, 'manual', ['extract'], { from, to });
    await engine.settle();
    return attempt.outcome;
  };
  const shown = () => engine.shown(session.branchId).map(({ coversFrom, coversTo }) => [coversFrom, coversTo]);

  test('covers whole turns in the middle; the request has the summary in its place and all other words', async () => {
    expect(await cover(12, 19)).toMatchObject({ kind: 'committed' });
    expect(shown()).toEqual([[11, 20]]);
    expect(engine.attempts(session.sessionId)[0]?.trigger).toBe('range');
    await engine.send(session, 'and now?');
    await engine.settle();
    const job = engine.requests().at(-1)?.job;
    const sent = (job && 'messages' in job ? job.messages : []).map(({ content }) => content);
    const texts = engine.texts(session.branchId);
    const place = sent.findIndex((content) => content.includes('Summary of messages 11 to 20'));
    expect(sent.slice(0, place)).toEqual(texts.slice(0, 10));
    expect(sent[place]).toMatch(new RegExp(`End of the summary\\]\n\n${texts[20]}$`));
    expect(sent.slice(place + 1)).toEqual(texts.slice(21, 41));
  });

  test('that gains nothing says nothing of the rest: what runs by itself goes on', async () => {
    engine.say(session, 'user', 'hi');
    engine.say(session, 'assistant', 'ho');
    const attempt = await engine.attempt(session, 'manual', null, { from: 41, to: 42 });
    expect(await attempt.outcome).toEqual({ kind: 'nothing-to-do', reason: 'nothing-to-gain' });
    await engine.settle();
    expect(engine.backoff(session.sessionId)).toBeNull();
  });

  test('widens to the union with a summary that it crosses, and is refused inside one', async () => {
    await cover(11, 20);
    expect(await cover(16, 30)).toMatchObject({ kind: 'committed' });
    expect(shown()).toEqual([[11, 30]]);
    expect(await cover(13, 18)).toEqual({ kind: 'nothing-to-do', reason: 'inside-summary' });
    expect(shown()).toEqual([[11, 30]]);
  });

  test('a later compression from the start takes the range in, reading a text that was built upon', async () => {
    await engine.attempt(session, 'manual', ['summarize'], { from: 11, to: 20 });
    await engine.answerAll('## Facts\n- The middle is about words.');
    expect(shown()).toEqual([[11, 20]]);
    engine.fill(session.sessionId, session.branchId, 20, 800);
    await engine.attempt(session, 'manual', ['summarize']);
    const asked = engine.host.running.map(({ job }) => JSON.stringify(job)).join();
    expect(asked).toContain('Summary of messages 11 to 20');
    expect(asked).toContain('The middle is about words.');
    expect(asked).not.toContain('(message 15)');
    await engine.answerAll();
    expect(shown()[0]?.[0]).toBe(1);
    expect(shown()).toHaveLength(1);
  });

  test('an undo of a summary inside the range meanwhile refuses the commit', async () => {
    await cover(11, 20);
    const attempt = await engine.attempt(session, 'manual', ['summarize'], { from: 1, to: 30 });
    const [inner] = engine.shown(session.branchId);
    engine.write((tx) => inner && changeSummaryState(tx, inner.id, { from: 'active', to: 'undone', now: 1 }));
    await engine.answerAll();
    expect(await attempt.outcome).toEqual({ kind: 'superseded', by: 'undo' });
    expect(shown()).toEqual([]);
  });

  test('what a turn must have is not served by a chosen range: the wish takes over', async () => {
    const chosen = await engine.attempt(session, 'manual', ['summarize'], { from: 1, to: 10 });
    expect(await engine.compress(session, 'pressure')).toEqual({ kind: 'skipped', why: 'by-hand' });
    expect(chosen.state.phase.at).toBe('summarizing');
    await engine.attempt(session, 'must');
    expect(await chosen.outcome).toEqual({ kind: 'superseded', by: 'newer' });
    await engine.answerAll();
    expect(shown()).toHaveLength(1);
  });
});

describe('S48 how many of the last turns stay', () => {
  let engine: Engine;
  eachEngine((made) => {
    engine = made;
  });

  const keep = (sessionId: SessionId, keepTurns: number) =>
    engine.write((tx) => changeSession(tx, sessionId, { keepTurns }));
  const sentTexts = () => {
    const job = engine.requests().at(-1)?.job;
    return job && 'messages' in job ? job.messages.map(({ content }) => content) : [];
  };

  test.each([0, 1, 2, 5])('as the user says: %i', async (turns) => {
    const session = engine.session(20, 3_600); // each turn is more than the tail may hold beyond the kept ones
    keep(session.sessionId, turns);
    await engine.attempt(session, 'manual', ['extract']);
    await engine.settle();
    expect(engine.shown(session.branchId)[0]?.coversTo).toBe(40 - turns * 2);
  });

  test('short turns that fit the tail stay with them, unless all are to be folded', async () => {
    const some = engine.session(40, 400);
    await engine.attempt(some, 'manual', ['extract']);
    await engine.settle();
    expect(engine.shown(some.branchId)[0]?.coversTo).toBeLessThan(76);
    const all = engine.session(40, 400);
    keep(all.sessionId, 0);
    await engine.attempt(all, 'manual', ['extract']);
    await engine.settle();
    expect(engine.shown(all.branchId)[0]?.coversTo).toBe(80);
  });

  test('the question that waits stays in any case, byte for byte', async () => {
    const session = engine.session(20, 1_600);
    keep(session.sessionId, 0);
    const newest = '  And  now?\n\n(briefly)  ';
    await engine.send(session, newest);
    await engine.settle();
    await engine.answerAll();
    expect(engine.shown(session.branchId)[0]?.coversTo).toBe(40);
    expect(sentTexts()).toHaveLength(1);
    expect(sentTexts()[0]?.endsWith(`\n\n${newest}`)).toBe(true);
  });
});
