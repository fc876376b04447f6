// What is planted: facts of every kind, each with an exact value that occurs nowhere else.
import { chinese } from './chinese.mjs';
import { documentFacts } from './documents.mjs';
import { english } from './english.mjs';
import { german } from './german.mjs';

/** Of a hundred generated facts, how many are of a kind. */
const SHARES = {
  rule: 5,
  correction: 6,
  decision: 11,
  failure: 9,
  number: 18,
  date: 14,
  path: 11,
  identifier: 14,
  name: 12,
};
/** Kinds that only the user can set, and that hold until taken back. */
export const STANDING = ['rule', 'correction'];
/** Kinds that are exact strings in the sense of an anchor list. */
export const EXACT = ['number', 'date', 'path', 'identifier', 'name'];

const LANGUAGES = [english, german, chinese];
/** Shares of the languages. */
const MIX = [0.44, 0.28, 0.28];

/**
 * `count` facts, a third of them from real documents:
 * { id, kind, language, value, about, question, sentence, before?, stale?, passage?, file? }.
 */
export function plantFacts(root, count, dice) {
  const real = documentFacts(root, Math.floor(count / 3), dice);
  const generated = count - real.length;
  const kinds = spread(SHARES, generated);
  const used = new Set(real.map((fact) => fact.value));
  const pairs = new Set();
  const facts = kinds.map((kind, i) => {
    const language = languageOf(i, dice);
    for (let n = 11 + i * 3; ; n++) {
      const fact = make(kind, language, n, dice);
      const pair = `${language.name} ${kind} ${fact.about}`;
      if (used.has(fact.value) || pairs.has(pair) || clashes(fact.value, used)) continue;
      used.add(fact.value);
      if (kind !== 'number') pairs.add(pair);
      return { ...fact, kind, language: language.name, question: language.questions[kind](fact.about) };
    }
  });
  return dice.shuffled([...facts, ...real]).map((fact, id) => ({ id, ...fact }));
}

/** A value inside another could be found where it was not planted. */
function clashes(value, used) {
  for (const other of used) if (other.includes(value) || value.includes(other)) return true;
  return false;
}

function languageOf(i, dice) {
  const at = (i * 0.618 + dice.below(100) / 1_000) % 1;
  return LANGUAGES[at < MIX[0] ? 0 : at < MIX[0] + MIX[1] ? 1 : 2];
}

function make(kind, language, n, dice) {
  const about = dice.pick(language.subjects);
  const sentences = language.sentences;
  if (kind === 'rule') {
    const sentence = dice.pick(sentences.rule)(about);
    return { value: sentence, about, sentence };
  }
  if (kind === 'correction') {
    const [stale, value] = language.changing(dice, n);
    const before = dice.pick(sentences.before)(about, stale);
    return { value, stale, about, before, sentence: dice.pick(sentences.after)(about, value, stale) };
  }
  const value = language.values[kind](dice, n);
  return { value, about, sentence: dice.pick(sentences[kind])(about, value) };
}

/** `count` names in the proportion of their shares, mixed. */
function spread(shares, count) {
  const total = Object.values(shares).reduce((sum, share) => sum + share, 0);
  const out = [];
  const owed = Object.fromEntries(Object.keys(shares).map((name) => [name, 0]));
  for (let i = 0; i < count; i++) {
    for (const [name, share] of Object.entries(shares)) owed[name] += share / total;
    const [next] = Object.entries(owed).reduce((best, one) => (one[1] > best[1] ? one : best));
    owed[next] -= 1;
    out.push(next);
  }
  return out;
}
