// What came of the facts, as a table.
import { EXACT, STANDING } from './facts.mjs';

/** Thresholds in percent, and what they are of. */
export const THRESHOLDS = {
  originals: 100,
  recognized: 98,
  listed: 98,
  standing: 98,
  pins: 100,
  newest: 100,
  stale: 0,
};

/** Kinds that an anchor list knows. */
export const SEEN = [...EXACT, ...STANDING];

const share = (part, whole) => (whole === 0 ? 100 : (100 * part) / whole);
const percent = (value) => (Number.isNaN(value) ? '' : `${value.toFixed(value === 100 || value === 0 ? 0 : 1)} %`);

/** True where the value stands by itself: not 3 days inside 13 days. */
export function standsIn(text, value) {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + value.length] ?? ' ';
    if (!(joins(before) && joins(value[0])) && !(joins(after) && joins(value.at(-1)))) return true;
  }
  return false;
}
const joins = (char) => char.charCodeAt(0) < 0x2e80 && /[\p{L}\p{N}_]/u.test(char);

/** True where one line holds the value and a word of what it is about. */
export function standsWithSubject(text, { value, about }) {
  const words = about.split(/\s+/).filter((word) => word.length > 3 || /[^\x20-\x7f]/.test(word));
  return text
    .split('\n')
    .some((line) => standsIn(line, value) && words.some((word) => line.toLowerCase().includes(word.toLowerCase())));
}

/** `run` = what the engine did: see main/testing/fidelity/run.ts. `baseline` = a text of the same budget. */
export function score(conversation, run, baseline) {
  const facts = conversation.facts.map((fact) => ({
    ...fact,
    original: run.originals[fact.id],
    recognized: run.recognized[fact.id],
    view: standsIn(run.view, fact.value),
    subject: standsWithSubject(run.view, fact),
    recall: run.recalled[fact.id],
    baseline: standsIn(baseline, fact.value),
    // a correction that is not covered itself stands in the view as it was said
    stale: fact.stale !== undefined && fact.at < run.cutoff && run.kept.includes(fact.stale),
  }));
  const of = (some, what) => share(some.filter((fact) => fact[what]).length, some.length);
  const exact = facts.filter((fact) => EXACT.includes(fact.kind));
  const standing = facts.filter((fact) => STANDING.includes(fact.kind));
  const figures = {
    originals: of(facts, 'original'),
    recognized: of([...exact, ...standing], 'recognized'),
    listed: share(run.listed.filter((text) => standsIn(run.view, text)).length, run.listed.length),
    standing: of(standing, 'view'),
    pins: share(run.pins.filter((text) => run.view.includes(text)).length, run.pins.length),
    newest: run.newestWhole ? 100 : 0,
    stale: facts.filter((fact) => fact.stale).length,
  };
  return { facts, figures, failed: Object.keys(THRESHOLDS).filter((name) => !holds(name, figures[name])) };
}

const holds = (name, value) => (name === 'stale' ? value <= THRESHOLDS.stale : value >= THRESHOLDS[name]);

const seen = (facts) =>
  facts.length === 0 ? '' : percent(share(facts.filter((fact) => fact.recognized).length, facts.length));

const COLUMNS = [
  ['planted', (facts) => String(facts.length)],
  ['found by search', (_facts, of) => of('original')],
  ['seen as anchor', (facts) => seen(facts.filter((fact) => SEEN.includes(fact.kind)))],
  ['in the view', (_facts, of) => of('view')],
  ['with its subject', (_facts, of) => of('subject')],
  ['found by recall', (_facts, of) => of('recall')],
  ['view or recall', (facts) => percent(share(facts.filter((fact) => fact.view || fact.recall).length, facts.length))],
  ['middle cut out', (_facts, of) => of('baseline')],
];

/** Lines of a table: one for each kind, one for each language, one for all. */
export function tableOf(facts) {
  const groups = [
    ...Object.entries(grouped(facts, (fact) => fact.kind)),
    ...Object.entries(grouped(facts, (fact) => `(${fact.language})`)),
    ['all', facts],
  ];
  const rows = groups.map(([name, some]) => [
    name,
    ...COLUMNS.map(([, cell]) =>
      cell(some, (what) => percent(share(some.filter((fact) => fact[what]).length, some.length))),
    ),
  ]);
  const head = ['', ...COLUMNS.map(([name]) => name)];
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  return [head, ...rows].map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
  );
}

/** The conversation with its middle left out, within as many tokens as the view had. */
export function cutMiddle(text, tokens, count) {
  if (count(text) <= tokens) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const half = Math.ceil((low + high) / 2);
    if (count(text.slice(0, half >> 1)) + count(text.slice(text.length - (half >> 1))) <= tokens) low = half;
    else high = half - 1;
  }
  return `${text.slice(0, low >> 1)}\n…\n${text.slice(text.length - (low >> 1))}`;
}

function grouped(list, keyOf) {
  const groups = {};
  for (const one of list) {
    const key = keyOf(one);
    groups[key] = [...(groups[key] ?? []), one];
  }
  return groups;
}
