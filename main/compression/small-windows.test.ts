import { describe, expect, test } from 'vitest';
import { eachEngine } from '../testing/each-engine';
import { type Engine, GOOD_SUMMARY } from '../testing/engine';
import { partSizes } from './policy';

let engine: Engine;
eachEngine((made) => {
  engine = made;
});

/** By the counter of the engine's model. */
const tokens = (text: string) => Math.ceil(text.length / 4);

describe('every request of a summary fits the window of the model that writes it', () => {
  test.each([1_936, 2_048, 3_000, 4_096, 8_192])('%i tokens', async (served) => {
    engine.models.change({ window: { served, trained: served, source: 'server' } });
    // a model that uses all that it may: notes of full length, and a summary of full length
    engine.host.onOpen = (stream) => {
      const { job } = stream;
      if (job.kind !== 'summary') return;
      const full = `${GOOD_SUMMARY}\n${'- user words number 1 again.\n'.repeat(400)}`.slice(
        0,
        (job.maxTokens ?? 0) * 4 - 8,
      );
      setImmediate(() => stream.answer(full));
    };
    const session = engine.session(60, 900);
    for (let round = 0; round < 2; round++) {
      const attempt = await engine.attempt(session, 'manual', ['summarize']);
      for (let i = 0; i < 200 && engine.ended.length === round; i++) await engine.settle();
      expect(await attempt.outcome).toMatchObject({ kind: 'committed' });
      engine.fill(session.sessionId, session.branchId, 30, 900);
    }
    const jobs = engine.host.streams.map((stream) => stream.job).filter((job) => job.kind === 'summary');
    expect(jobs.length).toBeGreaterThan(4);
    for (const job of jobs) {
      const asked = job.messages.reduce((sum, message) => sum + tokens(message.content), 0);
      expect(asked + (job.maxTokens ?? 0)).toBeLessThanOrEqual(served);
    }
  });
});

test('a summary so far that a person made long is read in pieces, and each request still fits', async () => {
  const served = 2_048;
  engine.models.change({ window: { served, trained: served, source: 'server' } });
  const session = engine.session(60, 900);
  const first = await engine.attempt(session, 'manual', ['summarize']);
  for (let i = 0; i < 200 && engine.ended.length === 0; i++) await engine.answerAll();
  expect(await first.outcome).toMatchObject({ kind: 'committed' });
  const [summary] = engine.shown(session.branchId);
  const long = `## State\n${Array.from({ length: 160 }, (_, i) => `- The user words of part ${i} are like the others.`).join('\n')}`;
  await engine.summaries.edit({ ...session, summaryId: summary?.id ?? (0 as never), text: long });
  engine.fill(session.sessionId, session.branchId, 30, 900);
  const before = engine.host.streams.length;
  const second = await engine.attempt(session, 'manual', ['summarize']);
  for (let i = 0; i < 200 && engine.ended.length === 1; i++) await engine.answerAll();
  expect(await second.outcome).toMatchObject({ kind: 'committed' });
  const asked = engine.host.streams.slice(before).map(({ job }) => (job.kind === 'summary' ? job : null));
  for (const job of asked) {
    const size = job?.messages.reduce((sum, message) => sum + tokens(message.content), 0) ?? 0;
    expect(size + (job?.maxTokens ?? 0)).toBeLessThanOrEqual(served);
  }
  const folded = asked.flatMap((job) => job?.messages ?? []).map(({ content }) => content);
  expect(folded.some((content) => content.includes('part 0 are'))).toBe(true);
  expect(folded.some((content) => content.includes('part 159 are'))).toBe(true);
});

test('three notes go into one fold, whatever the window of the model that writes, and of the one that chats', () => {
  for (const served of [1_936, 2_048, 3_000, 4_096, 8_192, 131_072, null])
    for (const budget of [200, 614, 2_000]) {
      const sizes = partSizes(served, budget);
      expect(3 * sizes.notes).toBeLessThanOrEqual(sizes.fold);
      expect(sizes.summary).toBeLessThanOrEqual(2 * budget);
      expect(sizes.chunk).toBeGreaterThanOrEqual(sizes.notes);
    }
});
