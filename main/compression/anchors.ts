/** Exact strings drawn from the covered originals without a model. Pure and deterministic. */
import type { SourceMessage } from './chunks';

export type AnchorKind = 'rule' | 'correction' | 'identifier' | 'path' | 'url' | 'number' | 'date' | 'name';

export interface Anchor {
  readonly kind: AnchorKind;
  /** Word for word as it stands in the message. */
  readonly text: string;
  /** The newest message that holds it. */
  readonly seq: number;
  readonly weight: number;
}

/** What an anchor of a kind is worth before repetition and newness are added. */
const WEIGHT: Record<AnchorKind, number> = {
  rule: 9,
  correction: 8,
  identifier: 4,
  path: 4,
  url: 3,
  date: 3,
  number: 3,
  name: 2,
};

const UNITS =
  'ms|s|sec|min|h|days?|weeks?|months?|years?|Tage?n?|Wochen?|%|‰|[kKMGTP]i?B|[kMG]?bit|[kMG]Hz|km|cm|mm|m|kg|mg|g|°C|°F|[kM]?W|kWh|V|A|l|ml|px|rows?|tokens?|users?|€|EUR|USD|\\$|£|元|天|小时|分钟|年|个月';

/** In this order: what an earlier pattern took, a later one does not cut into. */
const PATTERNS: readonly (readonly [AnchorKind, RegExp])[] = [
  ['url', /\bhttps?:\/\/[^\s<>"'`)\]]+[^\s<>"'`)\].,;:!?]/g],
  [
    'path',
    /(?<![\w/])(?:~|\.{1,2})?(?:\/[\w@.+-]+){2,}\/?|\b[A-Za-z]:\\(?:[\w .-]+\\?)+|\b[\w-]+(?:\/[\w.-]+)+\.[A-Za-z]{1,6}\b/g,
  ],
  [
    'date',
    /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?\b|\b\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}\b|\b\d{1,2}\.? (?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)(?: \d{4})?\b|\d{4}年\d{1,2}月(?:\d{1,2}日)?|\b\d{1,2}:\d{2}\b/g,
  ],
  [
    'identifier',
    /`[^`\n]{2,60}`|\b[A-Z]{2,}-\d+\b|\b(?:[a-z0-9]+_)+[a-z0-9]+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b|\b[A-Z0-9]+(?:_[A-Z0-9]+)+\b|\b[0-9a-f]{7,40}\b(?=.*)|\bv?\d+\.\d+(?:\.\d+)+(?:-[\w.]+)?\b|\b[a-z]+(?:-[a-z0-9]+)*-\d+\b/g,
  ],
  ['number', new RegExp(`(?<![\\w.])[-+]?\\d[\\d,.]*\\s?(?:${UNITS})(?![A-Za-z])`, 'g')],
  ['name', /(?<=[a-zäöüß,;:] )(?:[A-ZÄÖÜ][a-zäöüß]{2,}(?: [A-ZÄÖÜ][a-zäöüß]{2,}){1,2})\b/g],
];

const RULE =
  /\b(?:never|always|must(?: not|n['’]t)?|do not|don['’]t|only|under no circumstances|nie(?:mals)?|immer|muss|müssen|darf nicht|dürfen nicht|nur)\b|绝不|不要|必须|总是|只能|禁止/i;
const CORRECTION =
  /^(?:no[,.:]|correction|actually|sorry,|i meant|instead of|not .{1,40} but|nein[,.:]|korrektur|eigentlich|ich meinte|statt)|\b(?:changed? (?:my|our) mind|is now|from now on|ab jetzt|jetzt doch)\b|更正|不对|改成|应该是/i;

/** Longest anchor in characters: a rule is a sentence, the rest are names. */
const LONGEST = 240;

/** Sentences of a text; code lines and list items count as one each. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?])\s+(?=[\p{Lu}\p{N}"“(])|(?<=[。！？])/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*•>#]+|\d+[.)])\s+/, '').trim())
    .filter((sentence) => sentence.length > 1);
}

/** What the user typed, without quoted lines and code blocks: rules come from here alone. */
export function typedPart(text: string): string {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, '')
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n');
}

export function isRule(sentence: string): boolean {
  return sentence.length <= LONGEST && RULE.test(sentence);
}
export function isCorrection(sentence: string): boolean {
  return sentence.length <= LONGEST && CORRECTION.test(sentence);
}

/** Small exact strings of a text: numbers with units, names, paths, addresses, dates, identifiers. */
export function tokensIn(text: string): { kind: AnchorKind; text: string }[] {
  const found: { kind: AnchorKind; text: string }[] = [];
  let rest = text;
  for (const [kind, pattern] of PATTERNS) {
    rest = rest.replace(pattern, (match) => {
      const exact = match.replace(/^`|`$/g, '').trim();
      if (exact.length > 1 && exact.length <= LONGEST) found.push({ kind, text: exact });
      return ' '.repeat(match.length);
    });
  }
  return found;
}

/** Every anchor of the messages, best first; the same string once, with its newest place. */
export function anchorsOf(messages: readonly SourceMessage[]): Anchor[] {
  const found = new Map<string, { kind: AnchorKind; seq: number; times: number }>();
  const note = (kind: AnchorKind, text: string, seq: number) => {
    const known = found.get(text);
    if (known) found.set(text, { kind: known.kind, seq, times: known.times + 1 });
    else found.set(text, { kind, seq, times: 1 });
  };
  for (const message of messages) {
    if (message.role === 'user')
      for (const sentence of sentencesOf(typedPart(message.text))) {
        if (isCorrection(sentence)) note('correction', sentence, message.seq);
        else if (isRule(sentence)) note('rule', sentence, message.seq);
      }
    for (const token of tokensIn(message.text)) note(token.kind, token.text, message.seq);
  }
  const first = messages[0]?.seq ?? 0;
  const span = Math.max(1, (messages.at(-1)?.seq ?? 0) - first);
  return [...found]
    .map(([text, { kind, seq, times }]) => ({
      kind,
      text,
      seq,
      weight: WEIGHT[kind] + Math.min(3, Math.log2(times)) + (2 * (seq - first)) / span,
    }))
    .sort((a, b) => b.weight - a.weight || b.seq - a.seq || (a.text < b.text ? -1 : 1));
}

/** The best anchors that fit `tokens`. A string inside a chosen one is not listed again. */
export function chooseAnchors(anchors: readonly Anchor[], tokens: number, count: (text: string) => number): Anchor[] {
  const chosen: Anchor[] = [];
  let left = tokens;
  for (const anchor of anchors) {
    const price = count(anchor.text) + 2; // the list mark and the line's end
    if (price > left || chosen.some((one) => one.text.includes(anchor.text))) continue;
    chosen.push(anchor);
    left -= price;
  }
  return chosen;
}
