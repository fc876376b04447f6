/** The strategy that needs no model: deterministic, always ends, picked from the originals. Pure. */
import type { SectionName, SummaryLine, SummarySection } from '../../shared/model/compression';
import { isCorrection, isRule, sentencesOf, tokensIn, typedPart } from './anchors';
import type { SourceMessage } from './chunks';
import { renderSections } from './sections';
import { stripForSummary } from './strip';

interface Picked {
  readonly section: SectionName;
  readonly text: string;
  readonly seq: number;
  readonly score: number;
}

const GOAL =
  /\b(?:i want|i need|i['’]d like|we want|we need|goal|help me|please|can you|could you|let['’]s|ich (?:möchte|will|brauche)|wir (?:wollen|brauchen)|ziel|bitte|hilf)\b|我想|我们需要|目标|请|帮我/i;
const DECISION =
  /\b(?:decided?|decision|agreed?|we(?:['’]ll| will)|let['’]s (?:use|go|take)|go(?:ing)? with|chose|chosen|settled|entschieden|beschlossen|wir nehmen|abgemacht)\b|决定|采用|选择/i;
const OPEN =
  /\?$|？$|\b(?:todo|open question|not yet|still (?:open|missing|to do)|unclear|remains?|noch (?:offen|nicht)|unklar)\b|待办|尚未|还没/i;
const STATE =
  /\b(?:(?:is|are|was|were|all|now|have|has) (?:done|finished|fixed|deployed|released|merged|through)|works? now|implemented|passed|failed|fertig|erledigt|läuft|behoben)\b|完成|已经|修复/i;

/** Longest line in characters; a longer sentence is cut at a word with an ellipsis. */
const LINE = 220;
/** A line cut shorter than this says nothing. */
const SHORTEST = 12;

/** Share of the budget that each section may fill before the others had their turn. */
const SHARE: Record<Exclude<SectionName, 'anchors'>, number> = {
  goal: 0.15,
  constraints: 0.25,
  decisions: 0.2,
  state: 0.15,
  open: 0.1,
  facts: 0.15,
};

/**
 * Goal, constraints, decisions, state, open points and facts within `budget` tokens. `base` = sections of the summary
 * by a model or the user that covers the beginning: its lines go first.
 */
export function extractSections(
  messages: readonly SourceMessage[],
  budget: number,
  count: (text: string) => number,
  base: readonly SummarySection[] = [],
): SummarySection[] {
  const picked = messages.flatMap((message, index) => pick(message, index, messages.length));
  const sections: SummarySection[] = [];
  let spare = budget;
  for (const name of Object.keys(SHARE) as (keyof typeof SHARE)[]) {
    const lines: SummaryLine[] = [];
    let left = budget * SHARE[name];
    const take = (line: SummaryLine) => {
      // the first line of a section is cut to its room rather than left out: a long goal is still the goal
      const text = lines.length === 0 ? fitted(line.text, left, count) : line.text;
      const price = count(text) + 2;
      if (text === '' || price > left || lines.some((one) => one.text === text)) return;
      lines.push({ text, sources: line.sources });
      left -= price;
      spare -= price;
    };
    for (const line of base.find((section) => section.name === name)?.lines ?? []) take(line);
    const own = picked.filter((one) => one.section === name).sort((a, b) => b.score - a.score || b.seq - a.seq);
    for (const one of own) take({ text: one.text, sources: [one.seq] });
    if (lines.length > 0) sections.push({ name, lines: inTime(lines) });
  }
  return sections.length > 0 ? sections : lastWords(messages, Math.max(spare, 40), count);
}

/** In the order of the conversation, so that what was said later stands later. */
const inTime = (lines: readonly SummaryLine[]) => [...lines].sort((a, b) => (a.sources[0] ?? 0) - (b.sources[0] ?? 0));

function pick(message: SourceMessage, index: number, total: number): Picked[] {
  const user = message.role === 'user';
  const text = stripForSummary(user ? typedPart(message.text) : message.text, user ? 'person' : 'model');
  const newness = total > 1 ? index / (total - 1) : 1;
  return sentencesOf(text).flatMap((sentence, place): Picked[] => {
    if (sentence.length < 8 || /^[`|{}<]/.test(sentence)) return [];
    const exact = Math.min(4, tokensIn(sentence).length);
    const at = (section: SectionName, weight: number): Picked => ({
      section,
      text: shorten(sentence),
      seq: message.seq,
      score: weight + exact / 2 + newness,
    });
    if (user && isCorrection(sentence)) return [at('constraints', 6)];
    if (user && isRule(sentence)) return [at('constraints', 5)];
    if (user && place === 0 && (index === 0 || GOAL.test(sentence))) return [at('goal', index === 0 ? 9 : 3)];
    if (DECISION.test(sentence)) return [at('decisions', user ? 4 : 2)];
    if (OPEN.test(sentence) && newness > 0.5) return [at('open', user ? 3 : 1)];
    if (STATE.test(sentence)) return [at('state', 2 + newness)];
    if (exact > 0) return [at('facts', exact)];
    return [];
  });
}

function shorten(sentence: string, most = LINE): string {
  if (sentence.length <= most) return sentence;
  const cut = sentence.slice(0, Math.max(0, most));
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > most / 2 ? space : most)}…`;
}

/** The text, or as much of it as fits `room` tokens; '' where not even a few words do. */
function fitted(text: string, room: number, count: (text: string) => number): string {
  if (count(text) + 2 <= room) return text;
  const cut = shorten(text, Math.floor((text.length * (room - 3)) / count(text)));
  return cut.length >= SHORTEST ? cut : '';
}

/** A conversation in which nothing stands out still gets its newest words. */
function lastWords(
  messages: readonly SourceMessage[],
  budget: number,
  count: (text: string) => number,
): SummarySection[] {
  const lines: SummaryLine[] = [];
  for (const message of [...messages].reverse()) {
    const sentence = sentencesOf(stripForSummary(message.text, message.role === 'user' ? 'person' : 'model'))[0];
    if (sentence === undefined) continue;
    const line = { text: shorten(sentence), sources: [message.seq] };
    const next = [{ name: 'state' as const, lines: inTime([...lines, line]) }];
    if (lines.length > 0 && count(renderSections(next)) > budget) break;
    lines.push(line);
  }
  return lines.length > 0 ? [{ name: 'state', lines: inTime(lines) }] : [];
}
