import type { Summary } from '../../shared/model/compression';
import type { ContextUse } from '../../shared/model/context';
import type { BranchId, MessageId, PinId, ProviderId, SessionId, SummaryId, TurnId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import type { Excerpt, Pin } from '../../shared/model/pin';
import type { Provider } from '../../shared/model/provider';
import type { SessionRow } from '../../shared/model/session';
import type { Spend } from '../../shared/model/spend';
import { fixtureText } from './fixture-text';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const branch = (n: number) => n as BranchId;
export const message = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as MessageId;
export const session = (n: number) => `11111111-0000-4000-8000-${String(n).padStart(12, '0')}` as SessionId;
export const ollamaId = 'ollama@127.0.0.1:11434' as ProviderId;

export function fixtureProviders(): Provider[] {
  const rest = { sees: false, cacheBytesPerToken: 147_456, chosenWindow: null, downloaded: false } as const;
  const model = (name: string, state: 'loaded' | 'not-loaded', bytes: number, served: number | null, trained: number) =>
    ({ ...rest, model: name, name, state, served, trained, bytes, canSummarize: true, practice: false }) as const;
  return [
    {
      id: ollamaId,
      kind: 'ollama',
      name: 'Ollama',
      address: 'http://127.0.0.1:11434',
      origin: 'found',
      remote: false,
      hasKey: false,
      askWindow: 65_536,
      state: { kind: 'ready', answeredInMs: 14 },
      models: [
        model('qwen3:30b', 'loaded', 18.6e9, 65_536, 262_144),
        model('gemma3:12b', 'not-loaded', 8.1e9, null, 131_072),
        model('phi4-mini', 'not-loaded', 2.5e9, null, 131_072),
      ],
    },
    {
      id: 'lm-studio' as ProviderId,
      kind: 'openai',
      name: 'LM Studio',
      address: 'http://127.0.0.1:1234/v1',
      origin: 'found',
      remote: false,
      hasKey: false,
      askWindow: null,
      state: { kind: 'ready', answeredInMs: 6 },
      models: [model('mistral-small-3.2', 'not-loaded', 14.2e9, null, 131_072)],
    },
    {
      id: 'team' as ProviderId,
      kind: 'openai',
      name: 'Team gateway',
      address: 'https://models.example.net/v1',
      origin: 'user',
      remote: true,
      hasKey: true,
      askWindow: null,
      state: { kind: 'refused', code: 'refused-by-server', fields: { status: 401, message: 'expired' } },
      models: [],
    },
    {
      id: 'embedded' as ProviderId,
      kind: 'embedded',
      name: 'Inside the app',
      address: null,
      origin: 'built-in',
      remote: false,
      hasKey: false,
      askWindow: null,
      state: { kind: 'ready', answeredInMs: null },
      models: [
        {
          model: 'practice.gguf',
          name: 'Practice model',
          state: 'not-loaded',
          served: 8_192,
          trained: 8_192,
          bytes: 2.6e6,
          canSummarize: false,
          ...rest,
          practice: true,
        },
      ],
    },
  ];
}

const titles: readonly (readonly [string, number, boolean])[] = [
  ['Move orders to Postgres 16', 0.02, true],
  ['Kitchen and wiring, ground floor', 3, true],
  ['Retry policy for webhooks', 0.1, false],
  ['Letter to the building insurer', 0.17, false],
  ['Lifetimes in the log parser', 0.21, false],
  ['On-call handover, week 12', 1, false],
  ['Bread: longer cold proof', 1.05, false],
  ['Three heat pumps compared', 1.1, false],
  ['Which alerts nobody reads', 1.15, false],
  ['Interview plan, platform role', 3, false],
  ['Subjunctive drills', 4, false],
  ['Tax form, side project', 5, false],
  ['Menu for eight, no nuts', 5.5, false],
  ['Postmortem: stale price cache', 6, false],
  ['Bike route along the river', 25, false],
  ['Rename the billing events', 28, false],
];

/** Rows as in the mockups, then as many more as are asked for. `now` is the wall time they are seen at. */
export function fixtureRows(now: number, more: number, messages: number): SessionRow[] {
  const row = (n: number, title: string, age: number, pinned: boolean): SessionRow => ({
    id: session(n),
    title,
    model: { providerId: ollamaId, model: 'qwen3:30b' },
    messages: n === 1 ? messages : 12 + n,
    createdAt: now - age * DAY - 12 * DAY,
    updatedAt: now - age * DAY,
    pinnedAt: pinned ? now - n : null,
    deletedAt: null,
    activity: { kind: 'idle' },
  });
  const named = titles.map(([title, age, pinned], at) => row(at + 1, title, age, pinned));
  const rest = Array.from({ length: more }, (_, at) => row(at + 100, `Older chat ${at + 1}`, 40 + at / 8, false));
  return [...named, ...rest];
}

/** One message of a path of `last` messages, made when asked for, so that 100,000 cost nothing. */
export function fixtureMessage(seq: number, last: number, now: number): Message {
  const answers = seq % 2 === 0;
  return {
    id: message(seq),
    branchId: branch(1),
    seq,
    role: answers ? 'assistant' : 'user',
    status: 'complete',
    text: fixtureText(seq, last),
    files: [],
    usage: answers
      ? { model: 'qwen3:30b', promptTokens: 34_011, outputTokens: 412, cachedTokens: null, tookMs: 11_800 }
      : null,
    calls: [],
    result: null,
    recalled: [],
    turnId: Math.ceil(seq / 2) as TurnId,
    createdAt: now - (last - seq) * 7 * MINUTE - 30 * MINUTE,
    siblings: seq === last ? { index: 1, branches: [branch(2), branch(1), branch(3)] } : null,
  };
}

export function fixtureContext(window: number | null, tail: number): ContextUse {
  const parts = { system: 640, pins: 0, summary: 0, recall: 0, tail, tools: 0 };
  return {
    parts,
    total: parts.system + parts.tail,
    reserve: 4_096,
    window,
    trained: 262_144,
    source: 'server',
    softMark: window === null ? null : Math.floor(window * 0.5625),
    hardMark: window === null ? null : Math.floor(window * 0.75),
    pins: [],
    exact: true,
    toolsChanged: false,
  };
}

export function fixtureSpend(now: number): Spend {
  return {
    answers: { read: 1_284_300, written: 18_640 },
    uncounted: 0,
    compressions: { read: 46_200, written: 2_310 },
    peak: { tokens: 52_280, at: now },
  };
}

export function fixturePin(seq: number, words: string, excerpt: Excerpt | null = null): Pin {
  const id = `22222222-0000-4000-8000-${String(seq).padStart(12, '0')}` as PinId;
  return { id, messageId: message(seq), seq, role: seq % 2 ? 'user' : 'assistant', excerpt, words };
}

export function fixtureSummary(coversTo: number, now: number): Summary {
  const line = (text: string, ...sources: number[]) => ({ text, sources });
  return {
    id: 1 as SummaryId,
    branchId: branch(1),
    coversFrom: 1,
    coversTo,
    kind: 'text',
    author: 'model',
    strategy: 'summarize',
    model: 'qwen3:30b',
    sections: [
      {
        name: 'goal',
        lines: [line('Move `orders`, 1.4 TB, to Postgres 16; writes stop for ten minutes at most.', 1, 4)],
      },
      {
        name: 'constraints',
        lines: [
          line('Only Sunday 02:00 to 04:00. Never during the March stock count.', 9, 31),
          line('Card data stays in the Frankfurt region.', 22),
        ],
      },
      {
        name: 'decisions',
        lines: [
          line('Logical replication, not `pg_upgrade`: it keeps a way back for a week.', 38, 57),
          line('Sequences are set by script with a margin of 10,000.', 207, 211),
        ],
      },
      { name: 'state', lines: [line('Staging dry run done; lag stayed under 4 s, peak 380 MB/min of WAL.', 188, 196)] },
      {
        name: 'open',
        lines: [
          line('Who watches lag during the drain.', 176),
          line('Large objects in `invoice_scans`: 2,114 rows, not replicated.', 143),
        ],
      },
      { name: 'facts', lines: [line('Old primary `db-orders-01`, new `db-orders-16`, slot `orders_to_16`.', 12, 40)] },
    ],
    text: '',
    receipt: { kept: 41, restored: 3, dropped: 0, anchors: [], struckLines: 0, aboveTarget: false },
    tokensBefore: 41_300,
    tokensAfter: 1_120,
    chunks: 9,
    tookMs: 248_000,
    createdAt: now - 11 * MINUTE,
    containsOlder: false,
    newer: 0,
    paths: 1,
  };
}
