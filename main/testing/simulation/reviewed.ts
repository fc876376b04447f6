import fc from 'fast-check';
import { type Action, place } from './action';
import { chat, compress, other, pass, plain, summary, times } from './steps';

/** A summary waits for a word; something happens to what it stands on, and then one window or both accept it. */
export const reviewed = fc
  .record({
    ...place,
    before: fc.boolean(),
    event: fc.constantFrom(
      'none',
      'undo',
      'redo',
      'edit-summary',
      'roll-back',
      'reject',
      'edit-proposal',
      'extract',
      'send',
    ),
    who: fc.constantFrom('one', 'other', 'both'),
    first: fc.constantFrom('accept' as const, 'reject' as const),
  })
  .map(({ p, s, before, event, who: whose, first }): Action[] => {
    const o = other(p);
    const happens: Action[] =
      event === 'none'
        ? []
        : event === 'extract'
          ? [{ do: 'review', p, s, on: false }, compress(o, s, 'extract')]
          : event === 'send'
            ? [{ do: 'send', p, s, words: 2_500 }, pass(600)]
            : [plain(event, p, s)];
    return [
      { do: 'start', p },
      { do: 'start', p: o },
      { do: 'review', p, s, on: false },
      ...(before ? [compress(p, s, 'extract')] : []),
      { do: 'send', p, s, words: 900 },
      chat(p),
      { do: 'review', p, s, on: true },
      compress(p, s),
      ...times(3, summary(p)),
      ...happens,
      ...(whose === 'other' ? [] : [plain(first, p, s)]),
      ...(whose === 'one' ? [] : [plain('accept', o, s)]),
      plain('accept', p, s),
    ];
  });
