/** Which messages a summary's line comes from. Links are made by the app, never by the model. Pure. */
import type { SummarySection } from '../../shared/model/compression';
import { tokensIn } from './anchors';
import type { SourceMessage } from './chunks';

/** Links a line shows at most. */
const MOST = 3;

/** Words, and numbers however short: often they alone tell one message from the next. */
const wordsOf = (text: string): Set<string> =>
  new Set(text.toLowerCase().match(/\d+(?:[.,]\d+)+|\d+(?![\p{L}\p{N}_])|[\p{L}\p{N}_]{3,}|\p{Script=Han}/gu) ?? []);

/** Fills each line's sources: messages that hold its exact strings, else the best lexical match, else the range. */
export function linkSources(
  sections: readonly SummarySection[],
  messages: readonly SourceMessage[],
  range: { from: number; to: number },
): SummarySection[] {
  // made when the first line without an exact string asks for it: most have one, and sessions may be long
  let words: Set<string>[] | null = null;
  const wordsAt = (index: number): Set<string> => {
    words ??= messages.map((message) => wordsOf(message.text));
    return words[index] ?? new Set();
  };
  return sections.map((section) => ({
    name: section.name,
    lines: section.lines.map((line) =>
      line.sources.length > 0 ? line : { text: line.text, sources: sourcesOf(line.text, messages, wordsAt, range) },
    ),
  }));
}

function sourcesOf(
  line: string,
  messages: readonly SourceMessage[],
  wordsAt: (index: number) => Set<string>,
  range: { from: number; to: number },
): number[] {
  const exact = tokensIn(line);
  const held = messages
    .map((message) => ({ seq: message.seq, hits: exact.filter((token) => message.text.includes(token.text)).length }))
    .filter((one) => one.hits > 0)
    .sort((a, b) => b.hits - a.hits || a.seq - b.seq);
  if (held.length > 0) return inOrder(held.slice(0, MOST).map((one) => one.seq));
  const words = wordsOf(line);
  let best: { seq: number; shared: number } | null = null;
  for (const [index, message] of messages.entries()) {
    const held = wordsAt(index);
    let shared = 0;
    for (const word of words) if (held.has(word)) shared++;
    if (shared > (best?.shared ?? 0)) best = { seq: message.seq, shared };
  }
  if (best && best.shared * 2 >= words.size) return [best.seq];
  return range.from === range.to ? [range.from] : [range.from, range.to];
}

const inOrder = (seqs: readonly number[]) => [...seqs].sort((a, b) => a - b);
