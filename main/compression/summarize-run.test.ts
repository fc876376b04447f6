import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { BranchId, ProviderId, SessionId } from '../../shared/model/ids';
import type { PlacedChunk } from '../db/thread/chunk-jobs';
import type { FailedFrame, ToolSpec } from '../hosts/protocol';
import { isRefusal } from '../hosts/stream-handle';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import type { PartSizes } from './policy';
import { type SummarizeEnv, SummarizeRun } from './summarize-run';

let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
/** What a run told, in order. */
let told: unknown[];
eachEngine((made) => {
  engine = made;
  session = engine.session(2);
  told = [];
});

const SIZES: PartSizes = { chunk: 400, notes: 60, fold: 300, summary: 400 };
const TOOL: ToolSpec = { name: 'look', description: 'Looks.', schema: { type: 'object' } };
const chunks = (count: number): PlacedChunk[] =>
  Array.from({ length: count }, (_, n) => {
    const hash = createHash('sha256').update(`chunk ${n}`).digest();
    return { from: 2 * n + 1, to: 2 * n + 2, piece: null, tokens: 100, hash };
  });
/** By the engine's model a token is four characters. */
const ofTokens = (tokens: number, letter: string) => letter.repeat(4 * tokens);

const runOf = (over: Partial<SummarizeEnv> = {}): SummarizeRun => {
  const model = engine.models.facts();
  const slot = engine.host.reserve(model.target);
  if (isRefusal(slot)) throw new Error(slot.refused);
  const { seam, clock } = engine;
  const range = { ...session, from: 1, cutoff: 4, previous: null, whole: null };
  return new SummarizeRun({
    ...{ seam, clock, slot, model, ...range },
    chunks: chunks(2),
    budget: 150,
    sizes: SIZES,
    textOf: (chunk, then) => then(`text of ${chunk.from}`),
    progress: () => {},
    heard: () => {},
    done: () => told.push('done'),
    failed: (...failure) => told.push(failure),
    ...over,
  });
};
const wholeRun = (tools: readonly ToolSpec[] = []) =>
  runOf({ chunks: chunks(1), whole: { messages: [{ role: 'user', content: 'all of it' }], tools, to: 4 } });
const asked = () => {
  const { job } = engine.host.last;
  if (job.kind !== 'summary') throw new Error('no summary was asked for');
  return job;
};
/** What the model was given to read in the last request. */
const read = () => asked().messages.at(-1)?.content;
const answer = async (text: string, finish: 'stop' | 'length' = 'stop') => {
  engine.host.last.answer(text, finish);
  await engine.settle();
};
/** Reads a chunk for each of these notes, and asks for their fold. */
const folding = async (notes: readonly string[], over: Partial<SummarizeEnv> = {}) => {
  const run = runOf({ chunks: chunks(notes.length), ...over });
  for (const [n, note] of notes.entries()) {
    run.open(n + 1);
    await answer(note);
  }
  told = [];
  run.open(notes.length + 1);
};

test.each([
  [1, null, 1],
  [1, 'so far', 2],
  [2, null, 3],
  [2, 'so far', 3],
])('%i chunks and the summary %j make %i parts', (count, previous, parts) => {
  expect(runOf({ chunks: chunks(count), previous }).parts).toBe(parts);
});

test('its candidate is the answer of the last part; before any answer there is none', async () => {
  const run = runOf();
  expect(run.candidate).toBe('');
  for (const [part, note] of ['first', 'second', 'both'].entries()) {
    run.open(part + 1);
    await answer(note);
    expect(run.candidate).toBe(note);
  }
  expect(told).toEqual(['done', 'done', 'done']);
});

describe('a fold', () => {
  const PIECES = /^Notes on part \d of \d:\n\n/;
  const parts = () => read()?.split('\n\n---\n\n');

  test.each([
    [150, 400, 90],
    [400, 200, 120],
  ])('of a budget of %i tokens, cut at %i, asks for %i words', async (budget, summary, words) => {
    await folding(['first', 'second'], { budget, sizes: { ...SIZES, summary } });
    expect(asked().messages[0]?.content).toContain(`one summary of at most ${words} words`);
    expect(asked().maxTokens).toBe(summary);
    expect(parts()).toEqual(['Notes on part 1 of 2:\n\nfirst', 'Notes on part 2 of 2:\n\nsecond']);
  });

  test('takes up the summary so far where it has a third of the room, and reads a larger one like notes', async () => {
    const previous = ofTokens(100, 'p');
    await folding(['note'], { previous });
    expect(parts()).toEqual([`Summary so far:\n\n${previous}`, 'Notes on part 1 of 1:\n\nnote']);
    await folding(['note'], { previous: `${previous}q` });
    expect(parts()?.every((part) => PIECES.test(part))).toBe(true);
    expect(parts()?.map((part) => part.replace(PIECES, ''))).toEqual([
      ofTokens(60, 'p'),
      `${ofTokens(40, 'p')}q`,
      'note',
    ]);
  });

  test('takes the notes that fit in one request, to the last token; the rest is folded into what comes of them', async () => {
    const notes = (last: number) => [ofTokens(100, 'a'), ofTokens(100, 'b'), ofTokens(last, 'c')];
    await folding(notes(100));
    expect(parts()).toHaveLength(3);
    await answer('folded');
    expect(told).toEqual(['done']);
  });

  test('of notes that have a token too many leaves the last of them for the next request', async () => {
    await folding([ofTokens(100, 'a'), ofTokens(100, 'b'), ofTokens(101, 'c')]);
    expect(parts()).toHaveLength(2);
    await answer('folded');
    expect(told).toEqual([]);
    expect(parts()).toEqual(['Summary so far:\n\nfolded', `Notes on part 1 of 1:\n\n${ofTokens(101, 'c')}`]);
    await answer('folded again');
    expect(told).toEqual(['done']);
  });

  test('takes a note for which there is no room at all by itself, else there would be no end', async () => {
    const [a, b] = [ofTokens(301, 'a'), ofTokens(301, 'b')];
    await folding([a, b]);
    expect(parts()).toEqual([`Notes on part 1 of 1:\n\n${a}`]);
    await answer('folded');
    expect(parts()).toEqual(['Summary so far:\n\nfolded', `Notes on part 1 of 1:\n\n${b}`]);
  });
});

test.each([
  ['the model that wrote it', {}, false],
  ['another model', { model: 'other' }, true],
  ['another provider’s model of that name', { providerId: 'other' as ProviderId }, true],
])('whether %s is asked where a checkpoint lies', async (_who, ref, asks) => {
  runOf().open(1);
  await answer('notes');
  engine.models.change({ ref: { ...engine.models.facts().ref, ...ref } });
  const next = runOf();
  next.open(1);
  await engine.settle();
  expect(engine.host.running).toHaveLength(asks ? 1 : 0);
  expect(next.candidate).toBe(asks ? '' : 'notes');
});

test('the chat itself goes out with the tools that it was offered, if there were any', () => {
  const base = { kind: 'summary', target: engine.models.facts().target, maxTokens: SIZES.summary, whole: true };
  const messages = [{ role: 'user', content: 'all of it' }];
  wholeRun([TOOL]).open(1);
  expect(asked()).toStrictEqual({ ...base, messages, tools: [TOOL] });
  wholeRun().open(1);
  expect(asked()).toStrictEqual({ ...base, messages });
});

describe('a run that was ended', () => {
  test('reads nothing and asks nothing', () => {
    const seen: number[] = [];
    const run = runOf({ textOf: (chunk) => seen.push(chunk.from) });
    run.end();
    run.open(1);
    expect(seen).toEqual([]);
  });

  test('asks nothing once the text that it waited for is there', () => {
    let give = () => {};
    const run = runOf({
      textOf: (_chunk, then) => {
        give = () => then('late');
      },
    });
    run.open(1);
    run.end();
    give();
    expect(engine.host.streams).toEqual([]);
  });

  test('loses no patience any more, and judges nothing', async () => {
    const run = runOf();
    run.open(1);
    run.end();
    expect(engine.clock.armed).toBe(0);
    await answer('late');
    expect(told).toEqual([]);
  });
});

describe('a pause', () => {
  test('is for the running stream and for each that follows; meanwhile nobody loses patience', async () => {
    const run = runOf();
    run.open(1);
    expect(engine.host.last.paused).toBe(false);
    run.pause(true);
    expect(engine.host.last.paused).toBe(true);
    await answer('first');
    run.open(2);
    expect(engine.host.last.paused).toBe(true);
    engine.clock.advance(1_000_000);
    expect(told).toEqual(['done']);
    run.pause(false);
    expect(engine.host.last.paused).toBe(false);
    engine.clock.advance(30_000);
    expect(told).toHaveLength(2);
  });

  test('that ends where there was none gives the running stream no more time', () => {
    const run = runOf();
    run.open(1);
    engine.clock.advance(20_000);
    run.pause(false);
    engine.clock.advance(10_000);
    expect(told).toHaveLength(1);
  });

  test('that ended before anything was asked leaves the first stream running', () => {
    const run = runOf();
    run.pause(true);
    run.pause(false);
    run.open(1);
    expect(engine.host.last.paused).toBe(false);
  });
});

describe('what is told of a part', () => {
  test('that got no place: not in the step that asked', async () => {
    const run = runOf();
    engine.host.refusal = { refused: 'barred' };
    run.open(1);
    expect(told).toEqual([]);
    await engine.settle();
    expect(told).toEqual([['host-lost', 'settled', 'barred']]);
  });

  test('whose checkpoint cannot be written: it failed, and is asked for again', async () => {
    const progress = () => {
      throw new Error('broken');
    };
    runOf({ progress }).open(1);
    await answer('notes');
    expect(told).toEqual([['commit-failed', 'settled', 'Error: broken']]);
    runOf().open(1);
    expect(engine.host.running).toHaveLength(1);
  });

  const failed = (change: Partial<FailedFrame>) => (): void => {
    const frame = { t: 'failed', kind: 'refused', cause: 'http', name: 'Error', message: 'no', fields: {} } as const;
    engine.host.last.settle({ ...frame, ...change });
  };
  const goesOn = () => {
    engine.host.last.emit({ t: 'phase', phase: 'writing' });
    for (let s = 0; s < 1_000 && told.length === 0; s += 10) {
      engine.host.last.emit({ t: 'text', text: 'x' });
      engine.clock.advance(10_000);
    }
  };
  test.each<[string, () => void, readonly unknown[]]>([
    ['failed', failed({}), [['refused', 'settled', 'Error: no']]],
    ['failed by a timeout', failed({ cause: 'timeout' }), [['stalled', 'settled', 'Error: no']]],
    ['failed by an error of that name', failed({ name: 'TimeoutError' }), [['stalled', 'settled', 'TimeoutError: no']]],
    ['died with its process', () => engine.host.last.exit(), [['died', 'settled', null]]],
    ['was killed with its process', () => engine.host.last.kill(), [['host-lost', 'settled', null]]],
    [
      'was silent',
      () => engine.clock.advance(30_000),
      [['stalled', 'running', 'silent for 30000 ms while connecting']],
    ],
    ['never came to an end', goesOn, [['ceiling-exhausted', 'running', null]]],
    ['was stopped, which is known to who stopped it', () => engine.host.last.cancel('user'), []],
  ])('whose stream %s', (_how, happens, tells) => {
    runOf().open(1);
    happens();
    expect(told).toEqual(tells);
  });

  const NOTES = '## State\n- one thing\n- another th';
  const [cut, empty] = [[['cut', 'settled', null]], [['empty', 'settled', null]]];
  test.each<[string, string, 'stop' | 'length', string, readonly unknown[]]>([
    ['are whole', NOTES, 'stop', NOTES, ['done']],
    ['ran into their limit lose the half line', NOTES, 'length', '## State\n- one thing', ['done']],
    ['are nothing but a half line', '- one th', 'length', '', cut],
    ['are cut while the model still thinks', '<think>so\nand so', 'length', '', cut],
    ['are nothing but what the model thinks', '<think>so</think>\n', 'stop', '', empty],
    ['are empty', '', 'stop', '', empty],
  ])('whose notes %s', async (_how, text, finish, kept, tells) => {
    const run = runOf();
    run.open(1);
    await answer(text, finish);
    expect(run.candidate).toBe(kept);
    expect(told).toEqual(tells);
  });

  test.each<[string, () => SummarizeRun]>([
    ['of the chat itself', wholeRun],
    ['of the only chunk', () => runOf({ chunks: chunks(1) })],
  ])('that is the summary %s: it may not be cut', async (_of, made) => {
    made().open(1);
    await answer(NOTES, 'length');
    expect(told).toEqual(cut);
  });
  test('that folds the notes: it may not be cut', async () => {
    await folding(['first', 'second']);
    await answer(NOTES, 'length');
    expect(told).toEqual(cut);
  });
});
