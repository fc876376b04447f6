import fc from 'fast-check';

/** Which of the two processes, and which of the two sessions. */
export type Who = 0 | 1;

/** One thing that can happen. A schedule is a list of them: everything else follows from it. */
export type Action =
  | { readonly do: 'send'; readonly p: Who; readonly s: Who; readonly words: number }
  | { readonly do: 'compress'; readonly p: Who; readonly s: Who; readonly how: 'all' | 'summarize' | 'extract' }
  | {
      readonly do: 'cancel' | 'skip-model' | 'stop' | 'send-now' | 'send-again' | 'undo' | 'continue';
      readonly p: Who;
      readonly s: Who;
    }
  | { readonly do: 'edit' | 'answer-again'; readonly p: Who; readonly s: Who }
  | { readonly do: 'drop-waiting'; readonly p: Who; readonly s: Who }
  | { readonly do: 'stream'; readonly p: Who; readonly nth: number; readonly says: StreamSays }
  | {
      readonly do: 'mood';
      readonly p: Who;
      readonly nth: number;
      readonly cancel: 'stop' | 'ignore';
      readonly kill: 'at-once' | 'never';
    }
  | { readonly do: 'pass'; readonly ms: number }
  /** The process throws at its nth write from now: before it, inside the transaction, or right after the commit. */
  | { readonly do: 'crash'; readonly p: Who; readonly writes: number; readonly at: 'before' | 'inside' | 'after' }
  | { readonly do: 'kill' | 'start' | 'quit' | 'hang' | 'wake'; readonly p: Who }
  /** The process stands still while the other one wants its session for a whole TTL; then it wakes. */
  | { readonly do: 'overtake'; readonly p: Who; readonly s: Who }
  | { readonly do: 'wall'; readonly p: Who; readonly ms: number }
  | { readonly do: 'block'; readonly on: boolean };

export type StreamSays =
  | 'text'
  | 'answer'
  | 'empty'
  | 'error'
  | 'refused'
  | 'overflow'
  | 'timeout'
  | 'exit'
  | 'reading'
  | 'alive'
  | 'cut';

const who = fc.constantFrom<Who>(0, 1);
const both = { p: who, s: who };
const says = fc.constantFrom<StreamSays>(
  ...([
    'text',
    'answer',
    'answer',
    'answer',
    'answer',
    'empty',
    'error',
    'refused',
    'overflow',
    'timeout',
    'exit',
    'reading',
    'alive',
    'cut',
  ] as const),
);

const one: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('send' as const), ...both, words: fc.constantFrom(3, 200, 900, 2_500) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('compress' as const),
      ...both,
      how: fc.constantFrom('all', 'summarize', 'extract'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'cancel',
        'skip-model',
        'stop',
        'send-now',
        'send-again',
        'undo',
        'continue',
        'edit',
        'answer-again',
        'drop-waiting',
      ),
      ...both,
    }),
  },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('stream' as const), p: who, nth: fc.nat(3), says }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('mood' as const),
      p: who,
      nth: fc.nat(3),
      cancel: fc.constantFrom('stop', 'ignore'),
      kill: fc.constantFrom('at-once', 'never'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(10, 600, 1_100, 5_100, 10_100, 31_000, 61_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      p: who,
      writes: fc.nat(6),
      at: fc.constantFrom('before', 'inside', 'after'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('kill', 'start', 'start', 'start', 'quit', 'hang', 'wake', 'wake'),
      p: who,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('wall' as const),
      p: who,
      ms: fc.constantFrom(-86_400_000, -30_000, 30_000, 86_400_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('block' as const), on: fc.boolean() }) },
) as fc.Arbitrary<Action>;

/** Random schedules; shorter ones first when one that failed is shrunk. */
export const schedules = fc.array(one, { minLength: 4, maxLength: 40, size: 'max' });
