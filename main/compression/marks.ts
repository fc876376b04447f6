/** What may stand in a sentence, as bits: set by one pass over the text, confirmed by patterns. */
export const MARK = {
  digit: 1,
  slash: 1 << 1,
  tick: 1 << 2,
  underscore: 1 << 3,
  /** A capital after a small letter: an identifier. */
  camel: 1 << 4,
  /** Two capitalized words in a row, or a title before a name. */
  name: 1 << 5,
  cjk: 1 << 6,
  question: 1 << 7,
  /** A line of a code block or of a table. */
  code: 1 << 8,
  /** The name of a month or of a day. */
  calendar: 1 << 9,
  rule: 1 << 10,
  correction: 1 << 11,
  goal: 1 << 12,
  decision: 1 << 13,
  open: 1 << 14,
  state: 1 << 15,
  /** Something was tried in vain. */
  failure: 1 << 16,
  /** A digit in a word or behind a mark, or an option: an identifier. */
  mixed: 1 << 17,
  /** A letter behind a full stop: a file or a host. */
  dotted: 1 << 18,
} as const;

/** Any of these means that exact strings may be found. */
export const EXACT_MARKS =
  MARK.digit |
  MARK.slash |
  MARK.tick |
  MARK.underscore |
  MARK.camel |
  MARK.name |
  MARK.calendar |
  MARK.mixed |
  MARK.dotted |
  MARK.cjk;
