/** Between a summary's text and its sections. Pure. */
import { type SectionName, type SummaryLine, type SummarySection, sectionNames } from '../../shared/model/compression';

const HEADINGS: Record<SectionName, string> = {
  goal: 'Goal',
  constraints: 'Constraints',
  decisions: 'Decisions',
  state: 'State',
  open: 'Open points',
  facts: 'Facts',
  anchors: 'Exact details',
};

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

/** A line before the first heading that only leads to the summary, or one after the last that only leads away from it. */
const PREAMBLE =
  /^(?:(?:sure|certainly|of course|okay|ok|great|gern(?:e)?|natürlich|好的)[,.!:，。！：]?\s*)?(?:(?:here(?:['’]s| is| are)|below is|this is|hier (?:ist|sind)|nachfolgend|im folgenden|es folgt|以下是|这是|下面是).{0,120}[:：.。!！]?|(?:the )?(?:summary|notes|zusammenfassung|notizen|总结|摘要)[^.。]{0,60}[:：])$/i;
const CLOSING =
  /^(?:let me know|feel free|i hope|hope this|would you like|if you (?:need|want|have)|is there anything|lass(?:en)? (?:es )?(?:mich|sie mich)|ich hoffe|sag bescheid|melde dich|wenn du .{0,60}(?:brauchst|möchtest)|希望|如果(?:您|你)(?:需要|有)|请告诉我|end of summary).{0,160}$/i;
const LIST_MARK = /^\s*(?:[-*•+–]\s+|•|\d+[.)]\s+|\d+、\s*)/;
/** What stands in a section without content. */
const NOTHING =
  /^[([]?(?:none|n\/a|nothing|no(?:ne)? (?:so far|yet|known|mentioned)|not (?:mentioned|specified|applicable)|keine?[rsn]?|nichts|entfällt|无|没有|暂无|不适用)[)\]]?[.。]?$/i;

/**
 * Reads a model's answer. Lines before any heading, and under an unknown one, are state, so that a model that ignores
 * the form still gives a summary. Of a person's text every line is meant: none is taken for a mere preamble.
 */
export function parseSections(text: string, writtenBy: 'model' | 'person' = 'model'): SummarySection[] {
  const found = new Map<SectionName, SummaryLine[]>();
  const raw = text.split('\n').map((line) => line.trim());
  const model = writtenBy === 'model';
  let name: SectionName = 'state';
  let unknown = ''; // heading of no section: a line of its own, once one stands below it
  const put = (section: SectionName, words: string) => {
    const line = unbold(words);
    if (line === '' || (model && NOTHING.test(line)) || /^[-=_*`~|: ]+$/.test(line) || line.startsWith('```')) return;
    const lines = found.get(section) ?? [];
    for (const text of unknown === '' ? [line] : [unknown, line])
      if (!lines.some((other) => other.text === text)) lines.push({ text, sources: [] });
    unknown = '';
    found.set(section, lines);
  };
  const last = raw.findLastIndex((line) => !/^(?:```)?$/.test(line));
  let begun = false;
  for (const [index, line] of raw.entries()) {
    if (line === '' || (model && !begun && PREAMBLE.test(line.replace(/^[*#\s]+|[*\s]{1,9}$/g, '')))) continue;
    if (model && begun && index === last && CLOSING.test(line)) continue;
    if (!line.startsWith('```')) begun = true;
    const heading = headingOf(line);
    if (heading === null) put(name, line.replace(LIST_MARK, ''));
    else {
      if (heading.words === '' || !heading.bullet) {
        unknown = heading.name === null ? unbold(heading.title) : '';
        name = heading.name ?? 'state';
      }
      put(heading.name ?? name, heading.words);
    }
  }
  return sectionNames.flatMap((section) => {
    const lines = found.get(section);
    return lines ? [{ name: section, lines }] : [];
  });
}

interface Heading {
  /** null = of no section that is known. */
  readonly name: SectionName | null;
  readonly title: string;
  /** What stands on the same line after the heading. */
  readonly words: string;
  /** It is an item of a list: with words behind it, it speaks for its own line alone. */
  readonly bullet: boolean;
}

/** `## Goal`, `## Goal: move`, and what `lineHeading` knows. */
function headingOf(line: string): Heading | null {
  if (!/^(?:#{2,6}|#\s)/.test(line)) return lineHeading(line);
  const title = line.replace(/^#+\s*|\s?#{1,6}$/g, '');
  const inner = lineHeading(title);
  return inner?.words ? { ...inner, bullet: false } : titled(title);
}

/** `**Goal:**`, `1. Goal`, `Goal:`, `【目标】`, and with words behind it `**Goal:** move`. */
function lineHeading(line: string): Heading | null {
  const bullet = /^[-*•+–]\s/.test(line);
  const rest = line.replace(/^[-*•+–]\s+/, '').replace(NUMBER, '');
  const strong = /^(?:\*\*|__|【|\[)([^{}"]{1,60}?)(?:\*\*|__|】|\])\s*[:：]?(.*)/.exec(rest);
  const bare = /^([^:：*]+)[:：](.*)/.exec(rest);
  const [, title = rest, words = ''] = strong ?? bare ?? [];
  if (title.length > LONGEST_HEADING) return null;
  const short = plain(title);
  if (SECTION_NAME.test(short) && (strong || bare || !bullet))
    return { name: sectionOf(short) ?? 'state', title: short, words, bullet };
  // a few strong words alone on a line; of an item only where a colon says that more is to come
  if (!strong || words !== '' || short.length > LONGEST_STRONG || short.split(' ').length > 5) return null;
  return !bullet || (/[:：]\W*$/.test(rest) && sectionOf(short)) ? titled(short) : null;
}

const unbold = (words: string) => words.replace(/^\s*\*\*([^*]+)\*\*$/, '$1').trim();
const titled = (title: string): Heading => ({ name: sectionOf(title), title, words: '', bullet: false });

/** Without what surrounds it: marks of emphasis, brackets, a colon, a number. */
const plain = (title: string) => title.replace(/^[\s*_#(（[【]+|[\s*_)）\]】:：]+$/g, '').replace(NUMBER, '');
const sectionOf = (title: string): SectionName | null => NAMES.find(([pattern]) => pattern.test(title))?.[1] ?? null;

/** The text as it is sent to the model. */
export function renderSections(sections: readonly SummarySection[]): string {
  return sections
    .filter((section) => section.lines.length > 0)
    .map((section) => `## ${HEADINGS[section.name]}\n${section.lines.map((line) => `- ${line.text}`).join('\n')}`)
    .join('\n\n');
}

export function linesOf(sections: readonly SummarySection[]): SummaryLine[] {
  return sections.flatMap((section) => section.lines);
}

/** Sections of several summaries as one, each in the order in which they are given. */
export function joinSections(all: readonly (readonly SummarySection[])[]): SummarySection[] {
  return sectionNames.flatMap((name) => {
    const lines = all.flatMap((sections) => sections.find((section) => section.name === name)?.lines ?? []);
    return lines.length > 0 ? [{ name, lines }] : [];
  });
}
