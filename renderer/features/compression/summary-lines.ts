import type { SectionName, Summary, SummaryLine } from '../../../shared/model/compression';

/** Lines that an opened fold shows before "All N lines". */
export const FIRST_LINES = 10;

export interface ShownSection {
  readonly name: SectionName | 'text';
  readonly lines: readonly SummaryLine[];
}

/**
 * The sections to show. Anchors have a list of their own, so their section is left out; a summary without
 * sections (imported, edited) shows its text line by line.
 */
export function shownSections(summary: Summary): readonly ShownSection[] {
  const sections = summary.sections.filter((section) => section.name !== 'anchors' && section.lines.length > 0);
  if (sections.length > 0) return sections;
  const lines = summary.text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((text) => ({ text, sources: [] }));
  return lines.length > 0 ? [{ name: 'text', lines }] : [];
}

/** The first `limit` lines over all sections; a section of which nothing is left is left out. */
export function firstLines(sections: readonly ShownSection[], limit: number): readonly ShownSection[] {
  let left = limit;
  const shown: ShownSection[] = [];
  for (const section of sections) {
    if (left <= 0) break;
    shown.push({ name: section.name, lines: section.lines.slice(0, left) });
    left -= section.lines.length;
  }
  return shown;
}

export function countLines(sections: readonly ShownSection[]): number {
  return sections.reduce((all, section) => all + section.lines.length, 0);
}
