/** What of a summary's lines is the heading of a section, in the many forms in which models write one. Pure. */
import type { SectionName } from '../../shared/model/compression';

/** Words that models put into headings, in the languages that anchors are drawn from. */
const NAMES: readonly (readonly [RegExp, SectionName])[] = [
  [/goal|objective|purpose|ziel|zweck|目标|目的/i, 'goal'],
  [
    /constraint|preference|rule|limit|requirement|vorgabe|einschr|regel|vorlieb|präferenz|anforderung|bedingung|约束|偏好|限制|规则|要求|条件/i,
    'constraints',
  ],
  [/decision|decided|choices|entscheid|beschl|决定|决策|选择/i, 'decisions'],
  [
    /open\b|todo|to do|next\b|question|pending|offen|nächst|frage|ausstehend|未决|待办|待定|下一步|问题|未解决/i,
    'open',
  ],
  [/exact detail|anchor/i, 'anchors'],
  [/fact|detail|data\b|reference|fakt|angabe|daten\b|einzelheit|事实|数据|细节|信息/i, 'facts'],
  [
    /state|status|progress|done|situation|summary|overview|notes|stand\b|fortschritt|zusammenfassung|überblick|notizen|状态|进展|进度|现状|情况|总结|摘要|概述/i,
    'state',
  ],
];

/** Words before, of and between the names of sections in a heading. */
const BEFORE =
  "the|user['’]?s?|main|key|current|important|relevant|open|and|und|&|/|aktueller?|wichtige|offene|nächste|next|steps?|schritte|der|des|nutzers?|和|与|及|、|用户|当前|主要|关键|重要";
const NAMED =
  'goals?|objectives?|constraints?|preferences?|rules|decisions?|state|status|progress|(?:open )?(?:points?|questions?|issues|items)|todos?|next steps|facts?|(?:exact )?details|ziele?|einschränkungen|vorgaben|präferenzen|regeln|entscheidungen|stand|fortschritt|offene (?:punkte|fragen)|nächste schritte|fakten|angaben|details|目标|约束|限制|偏好|规则|决定|决策|状态|现状|进展|进度|未决(?:事项|问题)?|待办(?:事项)?|未解决(?:的)?问题|下一步|事实|细节|数据';
const JOINING = 'and|und|&|/|和|与|及|、|,';
/** Only three words may be joined: of more, a line of joining words could be read in ways without number. */
const SECTION_NAME = new RegExp(`^(?:(?:${BEFORE})\\s*)*(?:${NAMED})(?:\\s*(?:${JOINING})\\s*\\p{L}+){0,3}$`, 'iu');
/** Longest heading in characters with its marks, and longest without them where strong type alone makes it one. */
const LONGEST_HEADING = 60;
const LONGEST_STRONG = 40;
const NUMBER = /^(?:\(?\d{1,2}[.)、]|[一二三四五六七八九十]{1,3}[、.])\s*/;

export interface Heading {
  /** null = of no section that is known. */
  readonly name: SectionName | null;
  readonly title: string;
  /** What stands on the same line after the heading. */
  readonly words: string;
  /** It is an item of a list: with words behind it, it speaks for its own line alone. */
  readonly bullet: boolean;
}

/** `## Goal`, `## Goal: move`, and the forms without `#`. `leads`: what follows the line may be its own. */
export function headingOf(line: string, leads: boolean): Heading | null {
  if (!/^(?:#{2,6}|#\s)/.test(line)) return lineHeading(line, leads);
  const title = line.replace(/^#+\s*|\s#{1,6}$/g, '');
  const [, left = title, words = ''] = /^([^:：]+)[:：](?:\*\*|__)?(.*)/s.exec(title) ?? [];
  const name = sectionOf(left);
  return { name, title, words: name && /[\p{L}\d]/u.test(words) ? words : '', bullet: false };
}

/** `**Goal:**`, `1. Goal`, `Goal:`, `【目标】`, and with words behind it `**Goal:** move`. */
function lineHeading(line: string, leads: boolean): Heading | null {
  const item = line.replace(/^[-*•+–]\s+/, '');
  const bullet = item !== line;
  const rest = item.replace(NUMBER, '');
  const strong = /^(?:\*\*|__|【|\[)([^{}"]{1,60}?)(?:\*\*|__|】|\])\s*[:：]?(.*)/s.exec(rest);
  const bare = /^([^:：*]+)[:：](.*)/s.exec(rest);
  const [, title = rest, words = ''] = strong ?? bare ?? [];
  if (title.length > LONGEST_HEADING) return null;
  const short = plain(title);
  const name = sectionOf(short);
  if (SECTION_NAME.test(short) && (strong || bare || !bullet)) return { name: name ?? 'state', title, words, bullet };
  // a few strong words alone on a line; those of an item only where it leads others
  if (!strong || words !== '' || short.length > LONGEST_STRONG || short.split(' ').length > 5) return null;
  if (name) return bullet && !leads ? null : { name, title, words, bullet };
  return rest === line ? { name: 'state', title, words: title, bullet } : null;
}

/** Without what surrounds it: marks of emphasis, brackets, a colon, a number. */
const plain = (title: string) =>
  title
    .replace(/^[\s*_#(（[【]+|[\s*_)）\]】:：]+$/g, '')
    .replace(NUMBER, '')
    .replaceAll('_', ' ');
const sectionOf = (title: string): SectionName | null =>
  NAMES.find(([pattern]) => pattern.test(title.replaceAll('_', ' ')))?.[1] ?? null;
