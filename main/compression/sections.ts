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
  [/goal|objective|ziel|目标/i, 'goal'],
  [/constraint|preference|rule|vorgabe|einschr|regel|约束|偏好/i, 'constraints'],
  [/decision|entscheid|决定|决策/i, 'decisions'],
  [/open|todo|next|question|offen|nächst|frage|未决|待办/i, 'open'],
  [/exact detail|anchor/i, 'anchors'],
  [/fact|detail|fakt|angabe|事实/i, 'facts'],
  [/state|status|progress|done|stand|状态|进展/i, 'state'],
];

/** Reads a model's answer. Lines before any heading, and under an unknown one, are state. */
export function parseSections(text: string): SummarySection[] {
  const found = new Map<SectionName, SummaryLine[]>();
  let name: SectionName = 'state';
  for (const raw of text.split('\n')) {
    const heading = /^\s*(?:#{1,6}\s+(.+?)|\*\*(.+?)\*\*:?)\s*:?\s*$/.exec(raw);
    if (heading) {
      const words = heading[1] ?? heading[2] ?? '';
      name = NAMES.find(([pattern]) => pattern.test(words))?.[1] ?? 'state';
      continue;
    }
    const line = raw.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim();
    if (line === '' || /^(-{3,}|`{3,}.*)$/.test(line)) continue;
    const lines = found.get(name) ?? [];
    if (!lines.some((other) => other.text === line)) lines.push({ text: line, sources: [] });
    found.set(name, lines);
  }
  return sectionNames.flatMap((section) => {
    const lines = found.get(section);
    return lines ? [{ name: section, lines }] : [];
  });
}

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
