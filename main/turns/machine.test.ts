import { describe, expect, test } from 'vitest';
import type { AttemptOutcome } from '../../shared/model/compression';
import { endedTurnStates, openTurnStates, type TurnState } from '../../shared/model/turn';
import { marksOf } from '../compression/policy';
import { hasEnded, type Input, type Measure, QUEUED, type Step, step, type TurnMachine } from './machine';

const marks = marksOf(8_192, null, 0);
const measure = (tokens: number, change: Partial<Measure> = {}): Measure => ({
  tokens,
  bytes: tokens * 5,
  marks,
  protectedTokens: 500,
  windowTokens: 8_192,
  truncated: false,
  ...change,
});
const measured = (tokens: number, change: Partial<Measure> = {}): Input => ({
  in: 'measured',
  measure: measure(tokens, change),
  automatic: 'on',
});
const FITS = 1_000;
const PRESSED = marks.hard + 10;
const TOO_LONG = marks.usable + 10;

const ended = (outcome: AttemptOutcome, joined = false): Input => ({ in: 'compressed', outcome, joined });
const HELD = { kind: 'deferred', why: { kind: 'lease-held', holder: 'other' } } as AttemptOutcome;
const EXITING = { kind: 'deferred', why: { kind: 'worker-exiting' } } as AttemptOutcome;
const COMMITTED = { kind: 'committed' } as AttemptOutcome;
const FAILED = { kind: 'failed', failure: 'stalled' } as AttemptOutcome;

/** Every input, by a name. */
const inputs: Record<string, Input> = {
  begin: { in: 'begin' },
  fits: measured(FITS),
  pressed: measured(PRESSED),
  'too long': measured(TOO_LONG),
  'cannot fit': measured(TOO_LONG, { protectedTokens: TOO_LONG }),
  committed: ended(COMMITTED),
  'nothing to do': ended({ kind: 'nothing-to-do', reason: 'nothing-covered' } as AttemptOutcome),
  superseded: ended({ kind: 'superseded', by: 'undo' } as unknown as AttemptOutcome),
  held: ended(HELD),
  exiting: ended(EXITING),
  cancelled: ended({ kind: 'cancelled', by: 'user' } as AttemptOutcome),
  'attempt failed': ended(FAILED),
  proposed: ended({ kind: 'proposed' } as AttemptOutcome),
  skipped: { in: 'skipped' },
  paused: { in: 'paused', until: 5_000, now: 1_000 },
  stalls: { in: 'compression-stalls' },
  'send now': { in: 'send-now' },
  free: { in: 'wake', cause: 'free' },
  timer: { in: 'wake', cause: 'timer' },
  anew: { in: 'wake', cause: 'anew' },
  text: { in: 'text' },
  answered: { in: 'answered' },
  called: { in: 'called' },
  results: { in: 'results' },
  'no tools': { in: 'no-tools' },
  'answer too long': { in: 'answer-too-long' },
  overflow: { in: 'overflow', of: 'tokens', textShown: false },
  413: { in: 'overflow', of: 'bytes', textShown: false },
  cut: { in: 'overflow', of: 'tokens', textShown: true },
  'server busy': { in: 'server-busy' },
  'asked to wait': { in: 'asked-to-wait', afterMs: null, code: 'refused-by-server', fields: {} },
  failed: { in: 'failed', code: 'busy', fields: {} },
  interrupted: { in: 'interrupted' },
  stop: { in: 'stop' },
};

const ANY = { failed: 'failed', interrupted: 'interrupted', stop: 'stopped' } as const;
const REQUESTED = {
  ...ANY,
  answered: 'completed',
  called: 'tools',
  'no tools': 'preparing',
  'answer too long': 'preparing',
  overflow: 'preparing',
  413: 'preparing',
  cut: 'completed',
} as const;
const COMPRESSED = {
  ...ANY,
  committed: 'preparing',
  'nothing to do': 'preparing',
  superseded: 'preparing',
  held: 'deferred',
  'attempt failed': 'preparing',
  proposed: 'deferred',
  skipped: 'preparing',
} as const;

/** Each state as it may be, and the inputs that mean something in it. */
const table: { name: string; state: TurnMachine; acts: Partial<Record<keyof typeof inputs, TurnState>> }[] = [
  {
    name: 'queued',
    state: QUEUED,
    acts: { ...ANY, begin: 'preparing', free: 'preparing', timer: 'preparing', anew: 'preparing' },
  },
  {
    name: 'preparing',
    state: { ...QUEUED, at: 'preparing' },
    acts: { ...ANY, fits: 'requesting', pressed: 'compressing', 'too long': 'compressing', 'cannot fit': 'exhausted' },
  },
  {
    name: 'compressing, pressed',
    state: { ...QUEUED, at: 'compressing', need: 'pressure' },
    acts: {
      ...COMPRESSED,
      exiting: 'preparing',
      proposed: 'preparing', // it fits: it goes out, and the summary waits
      cancelled: 'preparing',
      paused: 'preparing',
      stalls: 'preparing',
      'send now': 'preparing',
    },
  },
  {
    name: 'compressing, needed',
    state: { ...QUEUED, at: 'compressing', need: 'must' },
    acts: { ...COMPRESSED, exiting: 'deferred', cancelled: 'stopped', paused: 'deferred' },
  },
  {
    name: 'requesting',
    state: { ...QUEUED, at: 'requesting' },
    acts: { ...REQUESTED, text: 'streaming', 'server busy': 'deferred', 'asked to wait': 'deferred' },
  },
  {
    name: 'requesting, asked to wait too often',
    state: { ...QUEUED, at: 'requesting', waits: 5 },
    acts: { ...REQUESTED, text: 'streaming', 'server busy': 'deferred', 'asked to wait': 'failed' },
  },
  { name: 'streaming', state: { ...QUEUED, at: 'streaming' }, acts: REQUESTED },
  { name: 'tools', state: { ...QUEUED, at: 'tools' }, acts: { ...ANY, results: 'preparing' } },
  {
    name: 'deferred',
    state: { ...QUEUED, at: 'deferred', reason: { state: 'deferred', why: { kind: 'worker-exiting' } } },
    acts: {
      ...ANY,
      begin: 'preparing',
      free: 'preparing',
      timer: 'preparing',
      anew: 'preparing',
      'send now': 'preparing',
    },
  },
  ...endedTurnStates.map((at) => ({ name: at, state: { ...QUEUED, at }, acts: {} })),
];

describe('the turn machine, every state with every input', () => {
  test('names every state', () => {
    const states = new Set(table.map(({ state }) => state.at));
    expect([...states].sort()).toEqual([...openTurnStates, ...endedTurnStates].sort());
  });

  for (const { name, state, acts } of table)
    for (const [input, value] of Object.entries(inputs)) {
      const to = acts[input];
      test(`${name} + ${input} -> ${to ?? 'nothing'}`, () => {
        const next = step(state, value);
        if (to === undefined) expect(next).toEqual({ state, effects: [] });
        else expect(next.state.at).toBe(to);
        // a request leaves only from a measure, and nothing but a deferral waits on a timer
        if (next.effects.some((effect) => effect.do === 'request')) expect(value.in).toBe('measured');
        if (next.state.wakeAfterMs !== null) expect(next.state.at).toBe('deferred');
        if (hasEnded(next.state.at)) expect(next.effects.every(({ do: what }) => STOPS.includes(what))).toBe(true);
      });
    }
});

/** What the end of a turn may still do: stop what it began. */
const STOPS = ['stop-stream', 'stop-tools', 'let-go', 'cancel-compression'];

function walk(...all: Input[]): Step {
  return all.reduce<Step>((now, input) => step(now.state, input), { state: QUEUED, effects: [] });
}
const BEGIN = inputs.begin as Input;
const TEXT = inputs.text as Input;
const OVERFLOW = inputs.overflow as Input;
const TOO_BIG = inputs[413] as Input;

describe('the turn machine', () => {
  /** The five places at which a compression may find the lease taken, each reached from the beginning. */
  const places: [string, Input[]][] = [
    ['in preflight', [BEGIN, measured(TOO_LONG)]],
    ['in the last check before a request', [BEGIN, measured(TOO_LONG), ended(COMMITTED), measured(PRESSED)]],
    ['after HTTP 413', [BEGIN, measured(FITS), TOO_BIG, measured(FITS)]],
    ['after a context overflow', [BEGIN, measured(FITS), OVERFLOW, measured(FITS)]],
    ['after tool results', [BEGIN, measured(FITS), TEXT, { in: 'called' }, { in: 'results' }, measured(TOO_LONG)]],
  ];
  for (const [place, inputsTo] of places)
    for (const why of [HELD, EXITING])
      test(`${why.kind === 'deferred' && why.why.kind} ${place} costs nothing and blocks nothing`, () => {
        const before = walk(...inputsTo).state;
        expect(before.at).toBe('compressing');
        const after = step(before, ended(why)).state;
        expect(after.attempts).toBe(before.attempts);
        expect(after).toMatchObject({ blocked: false, before: null, bypassed: false, failed: false });
        expect(after.at).toBe(before.need === 'pressure' && why === EXITING ? 'preparing' : 'deferred');
        // the same size once more is not taken for an attempt without progress
        const again = step(step(after, { in: 'wake', cause: 'free' }).state, measured(TOO_LONG)).state;
        expect(again).toMatchObject({ at: 'compressing', blocked: false });
      });

  test('the context is measured before every request: none leaves from any other step', () => {
    const { state } = walk(BEGIN, measured(FITS), TEXT, { in: 'called' });
    expect(step(state, { in: 'results' }).effects).toEqual([{ do: 'measure' }]);
  });

  test('what was proved of one model says nothing of another', () => {
    const { state } = walk(BEGIN, measured(FITS), OVERFLOW, measured(FITS), ended(HELD));
    expect(step(step(state, { in: 'wake', cause: 'free' }).state, measured(FITS)).state.at).toBe('compressing');
    expect(step(step(state, { in: 'wake', cause: 'anew' }).state, measured(FITS)).state.at).toBe('requesting');
  });

  test('a turn with nothing left to try is not left to a click that could not help', () => {
    const { state } = walk(BEGIN, measured(TOO_LONG), ended(FAILED), measured(TOO_LONG), ended(FAILED));
    expect(step(state, { ...measured(TOO_LONG), automatic: 'off' } as Input).state.at).toBe('failed');
  });

  test('progress after a 413 is counted in bytes, after anything else in tokens', () => {
    const after = (by: Input, tokens: number, bytes: number) =>
      walk(
        BEGIN,
        measured(FITS),
        by,
        measured(4_000, { bytes: 100_000 }),
        ended(COMMITTED),
        measured(tokens, { bytes }),
      ).state;
    expect(after(TOO_BIG, 3_990, 50_000)).toMatchObject({ at: 'requesting', blocked: false });
    expect(after(TOO_BIG, 2_000, 99_000)).toMatchObject({ blocked: true });
    expect(after(OVERFLOW, 2_000, 99_000)).toMatchObject({ at: 'requesting', blocked: false });
    expect(after(OVERFLOW, 3_990, 50_000)).toMatchObject({ blocked: true });
  });

  test('two attempts a turn, tools or not; then what does not fit is exhausted', () => {
    const { state } = walk(
      BEGIN,
      measured(20_000),
      ended(COMMITTED),
      measured(FITS),
      TEXT,
      { in: 'called' },
      { in: 'results' },
      measured(15_000),
      ended(COMMITTED),
      measured(10_000),
    );
    expect(state).toMatchObject({ at: 'exhausted', attempts: 2 });
  });

  test('a stop while tools run leaves them, an interruption too', () => {
    const { state } = walk(BEGIN, measured(FITS), TEXT, { in: 'called' });
    expect(step(state, { in: 'stop' }).effects).toEqual([{ do: 'stop-tools', why: 'cancelled' }]);
    expect(step(state, { in: 'interrupted' }).effects).toEqual([{ do: 'stop-tools', why: 'interrupted' }]);
  });

  test('S18 a compression with nothing to do is no error of the turn', () => {
    const nothing = inputs['nothing to do'] as Input;
    expect(walk(BEGIN, measured(PRESSED), nothing, measured(PRESSED)).state.at).toBe('requesting');
    expect(walk(BEGIN, measured(TOO_LONG), nothing, measured(TOO_LONG)).state.at).toBe('exhausted');
  });
});

test('an answer that is too long a second time is an overflow: what fits by no count of ours is compressed', () => {
  const { state } = step({ ...QUEUED, at: 'requesting' }, { in: 'answer-too-long' });
  expect(step(state, measured(FITS)).state.at).toBe('requesting');
  const again = step({ ...state, at: 'requesting' }, { in: 'answer-too-long' });
  expect(step(again.state, measured(FITS)).state.at).toBe('compressing');
});
