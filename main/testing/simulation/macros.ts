/** Situations that single actions meet too seldom: each is a few actions in a row, with the rest left to chance. */
import fc from 'fast-check';
import { type Action, at, first, ms, one, place, type StreamSays, says, who, words } from './action';
import { reviewed } from './reviewed';
import { chat, compress, other, pass, plain, summary, times } from './steps';
import { attaching, bothSend, calling, deafAnswer, pinned, turnOvertaken } from './turn-macros';

/** A holder stands still for a TTL, another process takes its lease over, and it wakes before it notices. */
const overtaken = fc
  .record({
    ...place,
    parts: fc.nat(1),
    won: fc.constantFrom(0, 0, 1, 3),
    first,
    event: fc.constantFrom('answer', 'answer', 'cancel', 'stop', 'quit', 'compress', 'pass', 'skip-model', 'error'),
  })
  .map(({ p, s, parts, won, first: heard, event }): Action[] => {
    const o = other(p);
    const woken: Record<typeof event, Action> = {
      answer: summary(p),
      error: summary(p, 'error'),
      cancel: plain('cancel', p, s),
      stop: plain('stop', p, s),
      'skip-model': plain('skip-model', p, s),
      quit: { do: 'quit', p },
      compress: compress(p, s),
      pass: pass(600),
    };
    return [
      { do: 'start', p },
      { do: 'start', p: o },
      compress(p, s),
      ...times(parts, summary(p)),
      { do: 'hang', p },
      compress(o, s),
      pass(46_000),
      compress(o, s),
      ...times(won, summary(o)),
      { do: 'wake', p, first: heard },
      woken[event],
      summary(p),
    ];
  });

/** Summary streams that hear neither cancel nor, perhaps, kill; what they say afterwards comes too late. */
const deafSummary = fc
  .record({
    ...place,
    text: fc.boolean(),
    kill: fc.constantFrom('at-once' as const, 'never' as const),
    end: fc.constantFrom('cancel', 'skip-model', 'quit', 'compress'),
    wait: fc.constantFrom(10, 1_100, 8_000, 36_000),
    meanwhile: fc.constantFrom(0, 900, 2_500),
    late: says,
  })
  .map(({ p, s, text, kill, end, wait, meanwhile, late }): Action[] => [
    { do: 'start', p },
    compress(p, s),
    ...(text ? [summary(p, 'text')] : []),
    { do: 'mood', p, of: 'summary', nth: 0, cancel: 'ignore', kill },
    end === 'quit' ? { do: 'quit', p } : end === 'compress' ? compress(p, s, 'extract') : plain(end as 'cancel', p, s),
    ...(meanwhile === 0 ? [] : [{ do: 'send', p, s, words: meanwhile } as const]),
    pass(wait),
    summary(p, 'text'),
    summary(p, late),
    pass(600),
  ]);

/** The commit finds the database locked, and something comes between two tries. */
const atCommit = fc
  .record({
    ...place,
    q: who,
    parts: fc.constantFrom(1, 2),
    writes: fc.constantFrom(0, 1, 1, 1, 2),
    tries: fc.integer({ min: 1, max: 12 }),
    event: fc.constantFrom('cancel', 'undo', 'redo', 'compress', 'stop', 'pass', 'kill', 'hang', 'quit'),
  })
  .map(({ p, s, q, parts, writes, tries, event }): Action[] => [
    { do: 'start', p },
    { do: 'start', p: q },
    compress(p, s),
    ...times(parts - 1, summary(p)),
    { do: 'busy', p, writes, tries },
    summary(p),
    event === 'pass'
      ? pass(10)
      : event === 'kill' || event === 'hang' || event === 'quit'
        ? { do: event, p }
        : event === 'compress'
          ? compress(q, s)
          : plain(event as 'cancel', event === 'undo' || event === 'redo' ? q : p, s),
    pass(600),
    ...(event === 'hang' ? [{ do: 'wake', p, first: 'timers' } as const, pass(600)] : []),
  ]);

/** A death at one of the next writes of something. */
const crashes = fc
  .record({
    ...place,
    q: who,
    writes: fc.nat(5),
    at,
    what: fc.constantFrom(
      'send',
      'answer',
      'drain',
      'drain',
      'drain',
      'compress',
      'summary',
      'edit',
      'stop',
      'send-again',
    ),
    words,
    again: fc.boolean(),
  })
  .map(({ p, s, q, writes, at: point, what, words: n, again }): Action[] => {
    const before: Action[] =
      what === 'answer' || what === 'stop' || what === 'drain'
        ? [{ do: 'send', p, s, words: 3 }, chat(p, 'text')]
        : what === 'summary'
          ? [compress(p, s), summary(p)]
          : [];
    const doing: Record<typeof what, Action> = {
      send: { do: 'send', p, s, words: n },
      answer: chat(p),
      drain: chat(p),
      compress: compress(p, s),
      summary: summary(p),
      edit: { do: 'edit', p, s, back: 1 },
      stop: plain('stop', p, s),
      'send-again': plain('send-again', p, s),
    };
    return [
      { do: 'start', p },
      { do: 'start', p: q },
      ...before,
      ...(what === 'drain' ? times(2, { do: 'send', p, s, words: 3 }) : []),
      { do: 'crash', p, writes, at: point },
      doing[what],
      pass(1_100),
      ...(again ? [{ do: 'start', p } as const, plain('send-again', p, s)] : []),
    ];
  });

/** A turn in one process, a compression of the same session in the other. */
const rivals = fc
  .record({
    ...place,
    words: fc.constantFrom(900, 2_500),
    event: fc.constantFrom(
      'send-now',
      'stop',
      'pass',
      'cancel',
      'answer',
      'error',
      'kill',
      'hang',
      'die',
      'die',
      'quit',
      'send',
    ),
    wait: ms,
    more: fc.constantFrom('send', 'send', 'send-again', 'stop', 'edit'),
  })
  .map(({ p, s, words: length, event, wait, more }): Action[] => {
    const o = other(p);
    const doing: Record<typeof event, Action> = {
      'send-now': plain('send-now', o, s),
      stop: plain('stop', o, s),
      pass: pass(10_100),
      cancel: plain('cancel', p, s),
      answer: summary(p),
      error: summary(p, 'error'),
      kill: { do: 'kill', p },
      hang: { do: 'hang', p },
      die: { do: 'kill', p: o },
      quit: { do: 'quit', p: o },
      send: { do: 'send', p, s, words: 3 },
    };
    return [
      { do: 'start', p },
      { do: 'start', p: o },
      compress(p, s),
      { do: 'send', p: o, s, words: length },
      doing[event],
      pass(wait),
      { do: 'start', p: o },
      more === 'send'
        ? { do: 'send', p: o, s, words: 3 }
        : more === 'edit'
          ? { do: 'edit', p: o, s, back: 1 }
          : plain(more, o, s),
      pass(1_100),
    ];
  });

/** What a summary stands on changes while it is written: undone, done again, edited, forked. */
const shifting = fc
  .record({
    ...place,
    q: who,
    parts: fc.nat(1),
    change: fc.constantFrom('undo', 'undo', 'redo', 'edit', 'answer-again', 'send'),
    back: fc.nat(11),
  })
  .map(({ p, s, q, parts, change, back }): Action[] => [
    { do: 'start', p },
    { do: 'start', p: q },
    compress(p, s),
    ...times(parts, summary(p)),
    change === 'send'
      ? { do: 'send', p: q, s, words: 3 }
      : change === 'edit' || change === 'answer-again'
        ? { do: change, p: q, s, back }
        : plain(change, q, s),
    ...times(2, summary(p)),
    chat(q),
  ]);

/** Process 1 has one summarizer: an attempt waits for it while the other process compresses, and fails, meanwhile. */
const starved = fc
  .record({ s: who, fails: fc.constantFrom('error', 'empty', 'cut', 'timeout', 'answer') })
  .map(({ s, fails }): Action[] => [
    { do: 'start', p: 1 },
    { do: 'start', p: 0 },
    compress(1, other(s)),
    compress(1, s),
    compress(0, s),
    summary(0, fails as StreamSays),
    ...times(5, summary(1)),
  ]);

/** An answer in the moment in which patience ends. */
const photoFinish = fc
  .record({ ...place, parts: fc.nat(1) })
  .map(({ p, s, parts }): Action[] => [
    { do: 'start', p },
    compress(p, s),
    ...times(parts, summary(p)),
    { do: 'last-moment', p, of: 'summary', nth: 0 },
    pass(31_000),
  ]);

/** The database is locked by another program while something goes on. */
const locked = fc
  .record({
    ...place,
    work: fc.constantFrom('compress', 'send', 'both'),
    wait: fc.constantFrom(600, 6_000, 20_000),
    says,
  })
  .map(({ p, s, work, wait, says: say }): Action[] => [
    { do: 'start', p },
    ...(work === 'send' ? [] : [compress(p, s)]),
    ...(work === 'compress' ? [] : [{ do: 'send', p, s, words: 3 } as const]),
    { do: 'block', on: true },
    { do: 'stream', p, of: 'any', nth: 0, says: say },
    pass(wait),
    { do: 'block', on: false },
    pass(1_100),
  ]);

/** A failure, then a wish that its backoff must hold back or let through. */
const failing = fc
  .record({
    ...place,
    q: who,
    says: fc.constantFrom<StreamSays>('error', 'empty', 'refused', 'cut', 'long', 'timeout', 'exit', 'answer'),
    clock: fc.constantFrom(0, 0, -86_400_000, 86_400_000),
    event: fc.constantFrom('ahead' as const, 'all' as const, 'summarize' as const),
    words,
    extract: fc.boolean(),
  })
  .map(({ p, s, q, says: say, clock, event, words: length, extract }): Action[] => [
    { do: 'start', p },
    { do: 'start', p: q },
    compress(p, s),
    summary(p, say),
    { do: 'setting', p: q, extract, automatic: 'on', tools: true },
    ...(clock === 0 ? [] : [{ do: 'wall', p: q, ms: clock } as const]),
    { do: 'compress', p: q, s, how: event },
    { do: 'send', p: q, s, words: length },
    { do: 'stream', p: q, of: 'any', nth: 0, says: 'answer' },
  ]);

const situations = fc.oneof(
  calling,
  calling,
  pinned,
  attaching,
  attaching,
  overtaken,
  deafSummary,
  reviewed,
  deafAnswer,
  atCommit,
  crashes,
  crashes,
  bothSend,
  turnOvertaken,
  rivals,
  rivals,
  shifting,
  starved,
  photoFinish,
  locked,
  failing,
);

/** Random schedules: single actions and situations in any order; shorter ones first when one that failed is shrunk. */
export const schedules: fc.Arbitrary<Action[]> = fc
  .array(fc.oneof({ weight: 7, arbitrary: one.map((action) => [action]) }, { weight: 2, arbitrary: situations }), {
    minLength: 2,
    maxLength: 16,
    size: 'max',
  })
  .map((parts) => parts.flat());
