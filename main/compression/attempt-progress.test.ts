import { expect, test } from 'vitest';
import { eachEngine } from '../testing/each-engine';
import { type Engine, GOOD_SUMMARY } from '../testing/engine';

let engine: Engine;
eachEngine((made) => {
  engine = made;
});

test('a chunk is read until its notes are there, the last request writes, and parts never count backwards', async () => {
  const attempt = await engine.attempt(engine.session(40, 800)); // three chunks and their fold
  const seen: string[] = [];
  for (let request = 1; request <= 4; request++) {
    const stream = engine.host.last;
    for (const phase of ['reading', 'writing'] as const) {
      stream.emit({ t: 'phase', phase });
      const { phase: shown, chunksDone, chunks, chunkShare } = attempt.view();
      seen.push(`${shown} ${chunksDone + chunkShare} of ${chunks}`);
    }
    stream.answer(GOOD_SUMMARY);
    await engine.settle();
  }
  expect((await attempt.outcome).kind).toBe('committed');
  expect(seen).toEqual([
    'reading 0 of 3',
    'reading 1 of 3',
    'reading 1 of 3',
    'reading 2 of 3',
    'reading 2 of 3',
    'reading 3 of 3',
    'writing 3 of 3',
    'writing 3 of 3',
  ]);
});

test('the only request of a short range is read and then written', async () => {
  const attempt = await engine.attempt(engine.session(8, 800), 'manual');
  const phases = (['reading', 'writing'] as const).map((phase) => {
    engine.host.last.emit({ t: 'phase', phase });
    return attempt.view().phase;
  });
  expect(attempt.view().chunks).toBe(1);
  expect(phases).toEqual(['reading', 'writing']);
  await engine.answerAll();
});

test('the newest line stays while a heading has none of its own', async () => {
  const attempt = await engine.attempt(engine.session(40, 800));
  const newest = (text: string) => {
    engine.host.last.emit({ t: 'text', text });
    return attempt.view().newestLine;
  };
  expect(newest('## Goal\n- Talk')).toBeNull();
  expect(newest(' about things.\n\n## Decisions\n')).toEqual({ section: 'goal', text: 'Talk about things.' });
  expect(newest('- The first.\n- The sec')).toEqual({ section: 'decisions', text: 'The first.' });
});

test('after its end an attempt tells nothing more: the database may be closed by then', async () => {
  const attempt = await engine.attempt(engine.session(40, 800));
  await engine.coordinator.quit();
  expect((await attempt.outcome).kind).toBe('cancelled');
  const told = engine.published.length;
  await engine.pass(1_000);
  expect(engine.published).toHaveLength(told);
});
