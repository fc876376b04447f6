import type { ChatMessage } from '../hosts/protocol';

/** Sections in their order, and what makes a line of the prompt belong to one. The first that fits takes it. */
const SECTIONS: readonly (readonly [string, RegExp])[] = [
  ['Constraints', /\b(never|always|only|must|do not|don't|niemals|immer|nur)\b/i],
  ['Open points', /\?\s*$|\b(open|todo|next step|later)\b/i],
  ['Goal', /\b(goal|want|wants|plan to|so that|please|help)\b/i],
  ['Decisions', /\b(decided|decision|agreed|choose|chose|instead|let us|let's|we use|will use)\b/i],
  ['Facts', /\d|[/\\]\w|https?:|`/],
  ['State', /\b(done|works|now|added|changed|fixed|ready|has been|have been|is|are)\b/i],
];
const ORDER = ['Goal', 'Constraints', 'Decisions', 'State', 'Open points', 'Facts'];

/** Longest line, in characters: a longer sentence is cut at a word, so that it stays a part of the prompt. */
const LINE_MAX = 160;
/** Share of its source that a summary may have. */
const SHARE = 0.12;
const LEAST_CHARS = 240;

/** True for a request of the compression engine, recognized by the form it asks for. */
export function asksForSummary(messages: readonly ChatMessage[]): boolean {
  const first = messages[0];
  const last = messages.at(-1);
  return (
    /^## Goal$/m.test(first?.role === 'system' ? first.content : '') ||
    /^- one line for each/m.test(last?.content ?? '')
  );
}

/**
 * A sectioned summary whose every line stands word for word in the prompt. Deterministic: the same prompt gives the
 * same text. `maxChars` bounds it besides the share.
 */
export function scriptedSummary(messages: readonly ChatMessage[], maxChars: number): string {
  const source = quoted(messages);
  const budget = Math.min(maxChars, Math.max(LEAST_CHARS, Math.floor(source.length * SHARE)));
  const all = sentences(source);
  const sections = new Map<string, string[]>();
  let used = 0;
  // Every so-manieth sentence, so that beginning, middle and end of the part have their share.
  const step = Math.max(1, Math.floor(all.length / Math.max(6, Math.floor(budget / 90))));
  for (let i = 0; i < all.length && used < budget; i += step) {
    const line = all[i] ?? '';
    const section = SECTIONS.find(([, fits]) => fits.test(line))?.[0] ?? 'State';
    const lines = sections.get(section) ?? [];
    if (lines.includes(line) || used + line.length > budget) continue;
    lines.push(line);
    sections.set(section, lines);
    used += line.length + 3;
  }
  if (sections.size === 0) sections.set('State', [all[0] ?? source.trim().slice(0, LINE_MAX)]);
  return ORDER.filter((name) => sections.has(name))
    .map((name) => `## ${name}\n${(sections.get(name) ?? []).map((line) => `- ${line}`).join('\n')}`)
    .join('\n\n');
}

/** The conversation in the prompt, without the instructions around it. */
function quoted(messages: readonly ChatMessage[]): string {
  return messages
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => content.split(/^.*in exactly this form, leaving out/m)[0] ?? '')
    .join('\n');
}

/** Lines of the prompt that say where something stands, not what was said. */
const NO_SENTENCE =
  /^(#|---|\||```|Part \d+ of|Notes on part|Summary so far|(User|Assistant|Tool result) \(message \d+\):$)/;

/** What a person would note: neither code, nor tables, nor a line that only leads to them. */
function sentences(source: string): string[] {
  return source
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter((line) => line !== '' && !NO_SENTENCE.test(line))
    .flatMap((line) => line.split(/(?<=[.!?。！？])\s+/))
    .map((line) => line.trim())
    .filter((line) => /\p{L}{3}/u.test(line) && !line.endsWith(':'))
    .map(cutAtWord);
}

function cutAtWord(line: string): string {
  if (line.length <= LINE_MAX) return line;
  const at = line.lastIndexOf(' ', LINE_MAX);
  return line.slice(0, at > 40 ? at : LINE_MAX);
}
