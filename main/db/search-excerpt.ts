/** The passage that a search hit shows. Pure. */
import type { SearchHit } from '../../shared/model/session';

/** Characters shown before the first place and in all. */
const BEFORE = 60;
const LENGTH = 240;

/** The text around the first place where a word of the query stands, and the places to mark. */
export function excerptOf(text: string, query: string): Pick<SearchHit, 'excerpt' | 'marks'> {
  const words = [...query.matchAll(/"([^"]+)"|(\S+)/g)]
    .map(([, phrase, word]) => (phrase ?? word ?? '').toLowerCase())
    .filter((word) => word !== '');
  const flat = text.replace(/\s+/g, ' ');
  const lower = flat.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), flat.length);
  const from = first === flat.length || first <= BEFORE ? 0 : flat.indexOf(' ', first - BEFORE) + 1;
  const cut = flat.slice(from, from + LENGTH);
  const lead = from > 0 ? '…' : '';
  const excerpt = `${lead}${cut}${from + LENGTH < flat.length ? '…' : ''}`;
  const marks = words.flatMap((word) => placesOf(excerpt.toLowerCase(), word)).sort((a, b) => a[0] - b[0]);
  return { excerpt, marks };
}

function placesOf(text: string, word: string): [number, number][] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    places.push([at, at + word.length]);
  return places;
}
