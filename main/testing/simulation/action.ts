import fc from 'fast-check';

/** Which of the two processes, and which of the two sessions. */
export type Who = 0 | 1;

/** Streams of a process that are open: the newest is the zeroth of its kind. */
export interface Pick {
  readonly p: Who;
  readonly of: 'summary' | 'chat' | 'any';
  readonly nth: number;
}

export type Verb =
  | { readonly do: 'send'; readonly p: Who; readonly s: Who; readonly words: number }
  | {
      readonly do: 'compress';
      readonly p: Who;
      readonly s: Who;
      readonly how: 'all' | 'summarize' | 'extract' | 'ahead';
    }
  | {
      readonly do:
        | 'cancel'
        | 'skip-model'
        | 'stop'
        | 'send-now'
        | 'send-again'
        | 'undo'
        | 'redo'
        | 'edit-summary'
        | 'roll-back'
        | 'accept'
        | 'reject'
        | 'edit-proposal'
        | 'continue'
        | 'drop-waiting'
        | 'unpin'
        | 'attach';
      readonly p: Who;
      readonly s: Who;
    }
  /** A chosen range: from so many messages before the end of the path, and how many. */
  | { readonly do: 'compress-range'; readonly p: Who; readonly s: Who; readonly back: number; readonly many: number }
  | { readonly do: 'review'; readonly p: Who; readonly s: Who; readonly on: boolean }
  /** `back` = turns before the end of the path. */
  | { readonly do: 'edit' | 'answer-again'; readonly p: Who; readonly s: Who; readonly back: number }
  /** `back` = messages before the end of the path; the first third of it, or the whole. */
  | { readonly do: 'pin'; readonly p: Who; readonly s: Who; readonly back: number; readonly whole: boolean };

/** One thing that can happen. A schedule is a list of them: everything else follows from it. */
export type Action =
  | Verb
  | ({ readonly do: 'stream'; readonly says: StreamSays } & Pick)
  | ({ readonly do: 'mood'; readonly cancel: 'stop' | 'ignore'; readonly kill: 'at-once' | 'never' } & Pick)
  /** Its answer arrives in the very turn of the loop in which a timer that judges it fires. */
  | ({ readonly do: 'last-moment' } & Pick)
  | { readonly do: 'pass'; readonly ms: number }
  /** The process throws at its nth write from now: before it, inside the transaction, or right after the commit. */
  | { readonly do: 'crash'; readonly p: Who; readonly writes: number; readonly at: 'before' | 'inside' | 'after' }
  /** From its nth write on, so many tries of the process find the database locked. */
  | { readonly do: 'busy'; readonly p: Who; readonly writes: number; readonly tries: number }
  | { readonly do: 'kill' | 'start' | 'quit' | 'hang'; readonly p: Who }
  /** It goes on: what its timers missed comes first, or what had arrived for it meanwhile, which is the next action. */
  | { readonly do: 'wake'; readonly p: Who; readonly first: 'timers' | 'input' }
  /** What the user set: whether a turn may fall back to extract, whether it compresses by itself, whether its model takes tools. */
  | {
      readonly do: 'setting';
      readonly p: Who;
      readonly extract: boolean;
      readonly automatic: 'on' | 'off' | 'breaker';
      readonly tools: boolean;
    }
  /** What the newest call of a tool that has not ended comes to. */
  | { readonly do: 'tool'; readonly p: Who; readonly says: ToolSays }
  | { readonly do: 'wall'; readonly p: Who; readonly ms: number }
  | { readonly do: 'block'; readonly on: boolean };

const SAYS = [
  'text',
  'answer',
  'long',
  'empty',
  'error',
  'refused',
  'overflow',
  'timeout',
  'exit',
  'reading',
  'alive',
  'cut',
  'call',
  'recall',
] as const;
export type StreamSays = (typeof SAYS)[number];

const TOOL_SAYS = ['done', 'long', 'failed', 'timeout', 'line'] as const;
export type ToolSays = (typeof TOOL_SAYS)[number];

export const who = fc.constantFrom<Who>(0, 1);
export const place = { p: who, s: who };
export const says = fc.oneof({ weight: 4, arbitrary: fc.constant('answer' as const) }, fc.constantFrom(...SAYS));
export const ms = fc.constantFrom(10, 600, 1_100, 5_100, 10_100, 31_000, 61_000);
export const words = fc.constantFrom(3, 200, 900, 2_500);
/** What a process hears first when it goes on. */
export const first = fc.constantFrom('timers' as const, 'input' as const);
const pick = { p: who, of: fc.constant('any' as const), nth: fc.nat(3) };
export const at = fc.constantFrom('before' as const, 'inside' as const, 'after' as const);

export const toolSays = fc.constantFrom(...TOOL_SAYS);
const what = <const T extends string | boolean>(...names: T[]) => fc.constantFrom(...names);

/** Single actions, each as likely as its weight. */
export const one: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: what('send'), ...place, words }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: what('compress'), ...place, how: what('all', 'summarize', 'extract', 'ahead') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: what('compress-range'),
      ...place,
      back: fc.integer({ min: 1, max: 60 }),
      many: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: what(
        'cancel',
        'skip-model',
        'stop',
        'send-now',
        'send-again',
        'undo',
        'redo',
        'edit-summary',
        'roll-back',
        'accept',
        'accept',
        'reject',
        'edit-proposal',
        'continue',
        'drop-waiting',
        'unpin',
        'attach',
      ),
      ...place,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: what('review'), ...place, on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: what('edit', 'answer-again'), ...place, back: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: what('pin'), ...place, back: fc.nat(30), whole: fc.boolean() }) },
  { weight: 12, arbitrary: fc.record({ do: what('stream'), ...pick, says }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: what('mood'), ...pick, cancel: what('stop', 'ignore'), kill: what('at-once', 'never') }),
  },
  { weight: 6, arbitrary: fc.record({ do: what('pass'), ms }) },
  { weight: 2, arbitrary: fc.record({ do: what('crash'), p: who, writes: fc.nat(6), at }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: what('busy'), p: who, writes: fc.nat(4), tries: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: what('kill', 'start', 'start', 'start', 'quit', 'hang'), p: who }) },
      { weight: 2, arbitrary: fc.record({ do: what('wake'), p: who, first }) },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: what('wall'), p: who, ms: fc.constantFrom(-86_400_000, -30_000, 30_000, 86_400_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: what('setting'),
      p: who,
      extract: fc.boolean(),
      automatic: what('on', 'on', 'off', 'breaker'),
      tools: what(true, true, false),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: what('tool'), p: who, says: toolSays }) },
  { weight: 1, arbitrary: fc.record({ do: what('block'), on: fc.boolean() }) },
);
