import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { HostPool } from '../hosts/pool';
import type { ChatMessage } from '../hosts/protocol';
import { isRefusal, type StreamOpener } from '../hosts/stream-handle';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import { PRACTICE_RATES } from '../providers/token-rates';
import { Collected } from '../testing/collect';
import { conversations, promptCounts, promptsOf } from '../testing/conversations';
import { Engine } from '../testing/engine';
import { buildHostEntry, nodeFork } from '../testing/node-fork';
import { practiceModelFile } from '../testing/practice-model';
import { TempProfile } from '../testing/profile';

// Real processes start slowly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const WINDOW = 4_096;
const target = { kind: 'embedded', path: practiceModelFile(), askWindow: WINDOW, threads: 1, greedy: true } as const;
/** Tokens besides the new messages that may be read again: what a template puts around them, and the last one. */
const AROUND = 16;

let pool: HostPool;
let entry: Awaited<ReturnType<typeof buildHostEntry>>;
let engine: Engine;
let profile: TempProfile;
let session: { readonly sessionId: SessionId; readonly branchId: BranchId };
const chats: Collected[] = [];

beforeAll(async () => {
  entry = await buildHostEntry();
  pool = new HostPool({
    fork: nodeFork(entry.file),
    clock: systemClock,
    instance: 'test',
    platform: process.platform,
    log: silentLog,
  });
});
afterAll(async () => {
  await pool.close(1_000);
  await entry.remove();
});

beforeEach(() => {
  profile = new TempProfile();
  chats.length = 0;
  // the real host; what its chats say is heard here too
  const streams: StreamOpener = {
    open: (job) => {
      const opened = pool.open(job);
      if (job.kind === 'chat' && !isRefusal(opened)) chats.push(new Collected(opened));
      return opened;
    },
    reserve: (model) => pool.reserve(model),
    hasPlace: (model) => pool.hasPlace(model),
    onSlotFree: (fn) => pool.onSlotFree(fn),
  };
  engine = new Engine(profile, undefined, undefined, 2, streams);
  const window = { served: WINDOW, trained: 8_192, source: 'server' } as const;
  engine.models.change({ target, window, rates: PRACTICE_RATES, tools: false, canSummarize: false });
  session = engine.session();
});
afterEach(() => {
  engine.close();
  profile.remove();
});

const counted = async (messages: readonly ChatMessage[]) => {
  const opened = pool.open({ kind: 'count', target, messages });
  if (isRefusal(opened)) throw new Error(opened.refused);
  const end = await new Collected(opened).end;
  return end.t === 'result' ? (end.value as { tokens: number }).tokens : null;
};

/** Says something and waits for the whole answer. Tokens of the prompt, and of it those that were evaluated. */
async function ask(text: string): Promise<{ prompt: number; evaluated: number; question: number }> {
  await engine.send(session, text);
  await engine.settle();
  const chat = chats.at(-1);
  expect((await chat?.end)?.t).toBe('result');
  await engine.settle();
  expect(engine.turn(session.sessionId)?.state).toBe('completed');
  const usage = chat?.usage;
  if (usage?.t !== 'usage' || usage.prompt === undefined) throw new Error('no usage');
  const question = (await counted([{ role: 'user', content: text }])) ?? 0;
  return { prompt: usage.prompt, evaluated: usage.prompt - (usage.cached ?? 0), question };
}

const QUESTIONS = [
  'The harbour of Sund has four cranes, and the oldest one is green. Please remember all of that for later.',
  'Crane two lifts 40 tonnes; cranes three and four lift 25 tonnes each, on weekdays only.',
  'Grüße aus Köln: der Hafenmeister heißt Lindqvist und hat am 14. März Urlaub.',
  '起重机的钥匙放在三号房间。',
  'def lift(crane: int) -> int:\n    return {1: 10, 2: 40}.get(crane, 25)',
  'Nothing of this may ever be sent to the old address.',
  'What was the colour of the oldest crane again?',
];

test('S68 each turn of a chat evaluates what is new alone, by the counts of llama.cpp', async () => {
  const turns = [];
  for (const question of QUESTIONS) turns.push(await ask(question));
  for (const { evaluated, question } of turns.slice(1)) expect(evaluated).toBeLessThanOrEqual(question + AROUND);
  expect(turns.at(-1)?.evaluated).toBeLessThan((turns.at(-1)?.prompt ?? 0) / 4);
});

test('S68 after a compaction the next request reads the prompt anew, and the one after it what is new alone', async () => {
  engine.fill(session.sessionId, session.branchId, 8, 250);
  const before = await ask(QUESTIONS[0] ?? '');
  await engine.compress(session, 'manual', ['extract']);
  expect(engine.shown(session.branchId)).toHaveLength(1);
  const first = await ask(QUESTIONS[1] ?? '');
  const second = await ask(QUESTIONS[5] ?? '');
  expect(first.prompt).toBeLessThan(before.prompt);
  expect(first.evaluated).toBeGreaterThan(first.question + AROUND);
  expect(second.evaluated).toBeLessThanOrEqual(second.question + AROUND);
});

test('S76 the counts of the practice model in the record are llama.cpp’s', async () => {
  const recorded = promptCounts['practice model, llama.cpp'];
  for (const [language, messages] of conversations)
    expect(await Promise.all(promptsOf(messages).map(counted))).toEqual(recorded?.[language]);
});
