/** Situations of turns: answers, tools, pins, two processes that write. */
import fc from 'fast-check';
import { type Action, at, first, ms, place, says, toolSays, who, words } from './action';
import { chat, compress, other, pass, plain, summary, times } from './steps';

/** A turn calls tools; what comes of them, and what comes between, is left to chance. */
export const calling = fc
  .record({
    ...place,
    words: fc.constantFrom(3, 900),
    says: fc.constantFrom('call' as const, 'call' as const, 'recall' as const),
    results: fc.array(toolSays, { maxLength: 3 }),
    event: fc.constantFrom(
      'none',
      'none',
      'stop',
      'quit',
      'kill',
      'compress',
      'crash',
      'busy',
      'send',
      'hang',
      'overtaken',
    ),
    writes: fc.nat(4),
    at,
    wait: fc.constantFrom(10, 600, 21_000),
  })
  .map(({ p, s, words: length, says: say, results, event, writes, at: point, wait }): Action[] => {
    const doing: Record<typeof event, Action[]> = {
      none: [],
      stop: [plain('stop', p, s)],
      quit: [{ do: 'quit', p }],
      kill: [{ do: 'kill', p }],
      compress: [{ do: 'start', p: other(p) }, compress(other(p), s)],
      crash: [{ do: 'crash', p, writes, at: point }],
      busy: [{ do: 'busy', p, writes, tries: 3 }],
      send: [{ do: 'send', p, s, words: 3 }],
      hang: [{ do: 'hang', p }, pass(600), { do: 'wake', p, first: 'timers' }],
      overtaken: [plain('stop', p, s), pass(10), { do: 'block', on: false }],
    };
    return [
      { do: 'start', p },
      { do: 'setting', p, extract: true, automatic: 'on', tools: true },
      { do: 'send', p, s, words: length },
      ...(event === 'crash' || event === 'busy' ? doing[event] : []),
      ...(event === 'overtaken' ? [{ do: 'block', on: true } as const] : []),
      chat(p, say),
      ...results.slice(0, 1).map((result): Action => ({ do: 'tool', p, says: result })),
      ...(event === 'crash' || event === 'busy' ? [] : doing[event]),
      ...results.slice(1).map((result): Action => ({ do: 'tool', p, says: result })),
      pass(wait),
      chat(p),
      { do: 'start', p },
      plain('send-again', p, s),
    ];
  });

/** Answer streams that hear neither cancel nor kill: they are given up, kept as they are, and go on. */
export const deafAnswer = fc
  .record({
    ...place,
    text: fc.constantFrom(true, true, false),
    end: fc.constantFrom('stop', 'stop', 'stop', 'quit', 'kill'),
    wait: fc.constantFrom(10, 1_100, 1_100),
    talks: fc.constantFrom(true, true, false),
    pause: fc.constantFrom(10, 600, 600),
    late: says,
  })
  .map(({ p, s, text, end, wait, talks, pause, late }): Action[] => [
    { do: 'start', p },
    { do: 'send', p, s, words: 3 },
    ...(text ? [chat(p, 'text')] : []),
    { do: 'mood', p, of: 'chat', nth: 0, cancel: 'ignore', kill: 'never' },
    end === 'stop' ? plain('stop', p, s) : { do: end as 'quit', p },
    pass(wait),
    ...(talks ? [chat(p, 'text')] : []),
    pass(pause),
    chat(p, late),
    pass(600),
  ]);

/** Both processes write into one session. */
export const bothSend = fc
  .record({ ...place, n: fc.integer({ min: 1, max: 3 }), answers: fc.integer({ min: 1, max: 4 }), words, wait: ms })
  .map(({ p, s, n, answers, words: length, wait }): Action[] => [
    { do: 'start', p },
    { do: 'start', p: other(p) },
    ...times(n, { do: 'send', p, s, words: length }, { do: 'send', p: other(p), s, words: 3 }),
    pass(wait),
    ...times(answers, chat(p), chat(other(p))),
  ]);

/** A window stands still in the middle of an answer, another one ends its turn, and it wakes before it notices. */
export const turnOvertaken = fc
  .record({
    ...place,
    begun: fc.constantFrom('none' as const, 'text' as const, 'call' as const),
    won: fc.nat(2),
    first,
    event: fc.constantFrom('text', 'answer', 'error', 'call', 'stop', 'quit', 'send', 'pass'),
  })
  .map(({ p, s, begun, won, first: heard, event }): Action[] => {
    const o = other(p);
    const woken: Record<typeof event, Action> = {
      text: chat(p, 'text'),
      answer: chat(p),
      error: chat(p, 'error'),
      call: chat(p, 'call'),
      stop: plain('stop', p, s),
      quit: { do: 'quit', p },
      send: { do: 'send', p, s, words: 3 },
      pass: pass(600),
    };
    return [
      { do: 'start', p },
      { do: 'start', p: o },
      { do: 'send', p, s, words: 3 },
      ...(begun === 'none' ? [] : [chat(p, begun), pass(600)]),
      { do: 'hang', p },
      { do: 'send', p: o, s, words: 3 },
      pass(46_000),
      pass(1_100),
      ...times(won, chat(o)),
      { do: 'wake', p, first: heard },
      woken[event],
      { do: 'tool', p, says: 'done' },
      pass(600),
      chat(p),
    ];
  });

/** Files go with a message that is sent, waits, is edited or taken back, while two processes write and one may die. */
export const attaching = fc
  .record({
    ...place,
    q: who,
    many: fc.integer({ min: 1, max: 2 }),
    busy: fc.boolean(),
    event: fc.constantFrom('chat', 'chat', 'edit', 'drop-waiting', 'crash', 'compress', 'kill'),
    writes: fc.nat(3),
    at,
  })
  .map(({ p, s, q, many, busy, event, writes, at: point }): Action[] => [
    { do: 'start', p },
    { do: 'start', p: q },
    ...times(many, plain('attach', q, s)),
    ...(busy ? [{ do: 'send', p, s, words: 3 } as const, plain('attach', p, s)] : []),
    ...(event === 'crash' ? [{ do: 'crash', p, writes, at: point } as const] : []),
    { do: 'send', p, s, words: 3 },
    ...(event === 'edit' ? [chat(p), { do: 'edit', p, s, back: 0 } as const] : []),
    ...(event === 'drop-waiting' ? [plain(event, q, s)] : []),
    ...(event === 'compress' ? [compress(p, s), ...times(2, summary(p))] : []),
    ...(event === 'kill' ? [{ do: event, p } as const] : []),
    ...times(2, chat(p)),
    { do: 'start', p },
    chat(p),
  ]);

/** What is pinned is covered, shown again, let go; each request in between carries what stands. */
export const pinned = fc
  .record({
    ...place,
    q: who,
    backs: fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }),
    whole: fc.boolean(),
    event: fc.constantFrom('compress', 'undo', 'edit', 'unpin'),
    back: fc.nat(9),
  })
  .map(({ p, s, q, backs, whole, event, back }): Action[] => [
    { do: 'start', p },
    { do: 'start', p: q },
    ...backs.map((far): Action => ({ do: 'pin', p: q, s, back: far, whole })),
    ...(event === 'compress' ? [compress(p, s), ...times(3, summary(p))] : []),
    ...(event === 'edit' ? [{ do: event, p, s, back } as const, chat(p)] : []),
    ...(event === 'undo' || event === 'unpin' ? [plain(event, q, s)] : []),
    { do: 'send', p, s, words: 3 },
    chat(p),
  ]);
