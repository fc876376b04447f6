/** Ranks passages of covered messages for a question: what is recalled, and how much. Pure. */
import type { MessageRole, RecalledPassage } from '../../shared/model/message';
import { holder, type RecallTerm } from './recall-terms';
import { stripSecrets } from './strip';

export interface RecallSource {
  readonly seq: number;
  readonly role: MessageRole;
  readonly text: string;
}

export interface RecallWish {
  readonly terms: readonly RecallTerm[];
  /** How many messages hold each term; 0 = none. */
  readonly counts: readonly number[];
  /** Messages in all. */
  readonly of: number;
  /** Tokens of all passages together. */
  readonly budget: number;
  /** True where nobody asked for passages: only what clearly answers is taken. */
  readonly strict: boolean;
  count(text: string): number;
}

/** Passages at most. */
const MOST = 8;
/** Characters that a passage has about; a CJK character counts for three. */
const LONG = 420;
/** A passage below this share of the best one's score says something else. */
const NEAR_BEST = 0.65;
/** Share of the question's weight that a passage must hold where nobody asked; more where it holds one word only. */
const LEAST_SHARE = { several: 0.4, one: 0.6 } as const;
/** A term that nothing covered holds weighs this much of the others' mean: the question may be about something else. */
const UNKNOWN = 0.35;
/** Where nobody asked, one word is enough only if so few messages hold it. */
const RARE = { share: 0.1, atLeast: 3 } as const;

interface Scored {
  readonly passage: RecalledPassage;
  readonly score: number;
}

/** The best passages within the budget, in the order of the conversation; one a message. */
export function rankPassages(sources: readonly RecallSource[], wish: RecallWish): RecalledPassage[] {
  // the question itself is among the messages counted: only what a covered message holds is known
  const held = sources.map(({ text }) => holder(text));
  const known = wish.terms
    .map((term, i) => ({ term, count: wish.counts[i] ?? 0 }))
    .filter(({ term }) => held.some((holds) => holds(term)))
    .map(({ term, count }) => ({ term, count, weight: Math.log(1 + wish.of / (count + 0.5)) }));
  if (known.length === 0) return [];
  const weights = known.reduce((sum, { weight }) => sum + weight, 0);
  const whole = weights * (1 + (UNKNOWN * (wish.terms.length - known.length)) / known.length);
  const rare = Math.max(RARE.atLeast, wish.of * RARE.share);
  const scored = sources.flatMap((source): Scored[] => {
    const best = bestPassage(source, (text) => {
      const holds = holder(text);
      const found = known.filter(({ term }) => holds(term));
      const weight = found.reduce((sum, one) => sum + one.weight, 0);
      const clear =
        new Set(found.map(({ term }) => term.of)).size > 1
          ? weight >= whole * LEAST_SHARE.several
          : weight >= whole * LEAST_SHARE.one && found.some(({ count }) => count <= rare);
      return wish.strict && !clear ? 0 : weight;
    });
    return best ? [best] : [];
  });
  // of equal ones the newer: a later fact replaces an earlier one
  scored.sort((a, b) => b.score - a.score || b.passage.seq - a.passage.seq);
  const least = (scored[0]?.score ?? 0) * NEAR_BEST;
  const taken: RecalledPassage[] = [];
  let tokens = 0;
  for (const { passage, score } of scored) {
    if (taken.length >= MOST || score < least) break;
    const size = wish.count(passage.text) + QUOTE_TOKENS;
    if (tokens + size > wish.budget || taken.some(({ text }) => text === passage.text)) continue;
    taken.push(passage);
    tokens += size;
  }
  return taken.sort((a, b) => a.seq - b.seq);
}

/** What naming and quoting a passage costs, generously. */
const QUOTE_TOKENS = 16;

function bestPassage(source: RecallSource, scoreOf: (text: string) => number): Scored | null {
  let best: { text: string; score: number } | null = null;
  for (const text of windows(source.text)) {
    const score = scoreOf(text);
    if (score > (best?.score ?? 0)) best = { text, score };
  }
  if (!best) return null;
  const { seq, role } = source;
  // an answer to the question is worth a little more in the user's own words
  const score = role === 'user' ? best.score * 1.1 : best.score;
  return { passage: { seq, role, text: stripSecrets(best.text) }, score };
}

/** Overlapping stretches of whole paragraphs or sentences of about LONG characters. */
function windows(text: string): string[] {
  const pieces = text
    .split(/\n{2,}/)
    .flatMap((block) => (lengthOf(block) <= LONG ? [block] : sentences(block)))
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const out: string[] = [];
  for (let from = 0; from < pieces.length; from++) {
    let joined = pieces[from] ?? '';
    let to = from + 1;
    for (; to < pieces.length; to++) {
      const longer = `${joined}\n${pieces[to]}`;
      if (lengthOf(longer) > LONG) break;
      joined = longer;
    }
    out.push(joined);
    if (to >= pieces.length) break;
  }
  return out;
}

/** Whole sentences and lines, some together; of one that is too long, pieces. */
function sentences(block: string): string[] {
  const out: string[] = [];
  for (const sentence of block.split(/(?<=[.!?]\s|[。！？\n])/)) {
    const last = out.at(-1);
    if (last !== undefined && lengthOf(last + sentence) <= LONG / 2) out[out.length - 1] = last + sentence;
    else {
      const step = Math.floor((LONG * sentence.length) / Math.max(LONG, lengthOf(sentence)));
      for (let at = 0; at < sentence.length; at += step) out.push(sentence.slice(at, at + step));
    }
  }
  return out;
}

function lengthOf(text: string): number {
  let length = text.length;
  for (const [run] of text.matchAll(/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+/gu)) length += run.length * 2;
  return length;
}
