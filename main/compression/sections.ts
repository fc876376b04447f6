/** Between a summary's text and its sections. Pure. */
import { type SectionName, type SummaryLine, type SummarySection, sectionNames } from '../../shared/model/compression';
import { headingOf } from './headings';

const HEADINGS: Record<SectionName, string> = {
  goal: 'Goal',
  constraints: 'Constraints',
  decisions: 'Decisions',
  state: 'State',
  open: 'Open points',
  facts: 'Facts',
  anchors: 'Exact details',
};

/** A line before the first heading that only leads to the summary, or one after the last that only leads away from it. */
const PREAMBLE =
  /^(?:(?:sure|certainly|of course|okay|ok|great|gern(?:e)?|natürlich|好的)[,.!:，。！：]?\s*)?(?:(?:here(?:['’]s| is| are)|below is|this is|hier (?:ist|sind)|nachfolgend|im folgenden|es folgt|以下是|这是|下面是).{0,120}[:：.。!！]?|(?:the )?(?:summary|notes|zusammenfassung|notizen|总结|摘要)[^.。]{0,60}[:：])$/i;
const CLOSING =
  /^(?:let me know|feel free|i hope|hope this|would you like|if you (?:need|want|have)|is there anything|lass(?:en)? (?:es )?(?:mich|sie mich)|ich hoffe|sag bescheid|melde dich|wenn du .{0,60}(?:brauchst|möchtest)|希望|如果(?:您|你)(?:需要|有)|请告诉我|end of summary).{0,160}$/i;
const LIST_MARK = /^(?:[-*•+–]\s+|•|\d+[.)]\s+|\d+、\s*)/;
/** What stands in a section without content. */
const NOTHING =
  /^[([]?(?:none|n\/a|nothing|no(?:ne)? (?:so far|yet|known|mentioned)|not (?:mentioned|specified|applicable)|keine?[rsn]?|nichts|entfällt|无|没有|暂无|不适用)[)\]]?[.。]?$/i;

/**
 * Reads a model's answer. Lines before any heading, and under an unknown one, are state, so that a model that ignores
 * the form still gives a summary. Of a person's text every line is meant: none is taken for a mere preamble.
 */
export function parseSections(text: string, writtenBy: 'model' | 'person' = 'model'): SummarySection[] {
  const found = new Map<SectionName, Set<string>>();
  const raw = text.split('\n');
  const lines = raw.map((line) => line.trim());
  const model = writtenBy === 'model';
  let name: SectionName = 'state';
  let unknown = ''; // heading of no section: a line of its own, once one stands below it
  const put = (section: SectionName, words: string) => {
    const line = unbold(words);
    if (line === '' || (model && NOTHING.test(line)) || /^[-=_*`~|: ]+$/.test(line) || line.startsWith('```')) return;
    const all = found.get(section) ?? new Set();
    found.set(section, unknown === '' ? all.add(line) : all.add(unknown).add(line));
    unknown = '';
  };
  const last = lines.findLastIndex((line) => !/^(?:```)?$/.test(line));
  let begun = false;
  let headed = false; // by a heading that is no item of a list
  for (const [index, line] of lines.entries()) {
    if (line === '' || (model && !begun && PREAMBLE.test(line.replace(/^[*#\s]+|[*\s]{1,9}$/g, '')))) continue;
    if (model && begun && index === last && CLOSING.test(line)) continue;
    if (!line.startsWith('```')) begun = true;
    const leads = !headed && depthOf(raw[index + 1]) > depthOf(raw[index]);
    const heading = headingOf(line, leads);
    if (heading === null) put(name, line.replace(LIST_MARK, ''));
    else {
      headed ||= !heading.bullet;
      if (heading.words === '' || !heading.bullet) {
        unknown = heading.name === null ? unbold(heading.title) : '';
        name = heading.name ?? 'state';
      }
      put(heading.name ?? name, heading.words);
    }
  }
  return sectionNames.flatMap((section) => {
    const all = found.get(section);
    return all ? [{ name: section, lines: [...all].map((line) => ({ text: line, sources: [] })) }] : [];
  });
}

const unbold = (words: string) => words.replace(/^\s*\*\*([^*]+)\*\*$/, '$1').trim();
/** Blanks before the words of a line; -1 = there are none. */
const depthOf = (line = '') => line.search(/\S/);

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
