/** One message as anchors and `extract` read it: sentences, where they come from, and what they hold. Pure. */
import type { MessageRole } from '../../shared/model/message';
import { type ExactString, exactStrings } from './exact-strings';
import { EXACT_MARKS } from './marks';
import { type Sentence, scan } from './scan';
import { stripForSummary } from './strip';
import { typedPart } from './typed-part';

export interface SourceMessage {
  readonly seq: number;
  readonly role: MessageRole;
  readonly text: string;
  /** UTF-16 units before the files that came with it, of which no anchor is taken; null = there are none. */
  readonly typed?: number | null;
}

/** `typed` = the user's own words; `other` = what the user pasted, and what a tool gave. */
export type Origin = 'typed' | 'answer' | 'other';

export interface ReadMessage {
  readonly seq: number;
  readonly role: MessageRole;
  /** What the user typed: rules and corrections come from here alone. Empty for answers and tools. */
  readonly typed: readonly Sentence[];
  readonly parts: readonly { readonly origin: Origin; readonly sentences: readonly Sentence[] }[];
  /** The exact strings of a sentence of this message; found once. */
  exactOf(sentence: Sentence): readonly ExactString[];
}

const NONE: readonly Sentence[] = [];
const NO_STRINGS: readonly ExactString[] = [];

export function readMessage({ seq, role, text, typed: ownLength = null }: SourceMessage): ReadMessage {
  const said = stripForSummary(
    ownLength === null ? text : text.slice(0, ownLength),
    role === 'assistant' ? 'model' : 'person',
  );
  let known: Map<Sentence, readonly ExactString[]> | null = null;
  const exactOf = (sentence: Sentence) => {
    if ((sentence.marks & EXACT_MARKS) === 0) return NO_STRINGS;
    known ??= new Map();
    let found = known.get(sentence);
    if (!found) {
      found = exactStrings(sentence);
      known.set(sentence, found);
    }
    return found;
  };
  if (role !== 'user') {
    const origin = role === 'assistant' ? 'answer' : 'other';
    return { seq, role, typed: NONE, parts: [{ origin, sentences: scan(said) }], exactOf };
  }
  const own = typedPart(said);
  const typed = scan(own);
  const parts: ReadMessage['parts'][number][] = [{ origin: 'typed', sentences: typed }];
  if (own.length < said.length) parts.push({ origin: 'other', sentences: scan(said) });
  return { seq, role, typed, parts, exactOf };
}
