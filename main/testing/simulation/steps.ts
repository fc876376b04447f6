/** Actions by short names, for situations. */
import type { Action, StreamSays, Verb, Who } from './action';

export const other = (w: Who): Who => (w === 0 ? 1 : 0);
export const pass = (time: number): Action => ({ do: 'pass', ms: time });
export const summary = (p: Who, say: StreamSays = 'answer'): Action => ({
  do: 'stream',
  p,
  of: 'summary',
  nth: 0,
  says: say,
});
export const chat = (p: Who, say: StreamSays = 'answer'): Action => ({
  do: 'stream',
  p,
  of: 'chat',
  nth: 0,
  says: say,
});
export const compress = (p: Who, s: Who, how: 'all' | 'summarize' | 'extract' = 'summarize'): Action => ({
  do: 'compress',
  p,
  s,
  how,
});
export const times = (n: number, ...actions: Action[]): Action[] => Array.from({ length: n }, () => actions).flat();
export const plain = (
  word: Exclude<Verb, { words: number } | { how: string } | { back: number } | { on: boolean }>['do'],
  p: Who,
  s: Who,
): Action => ({
  do: word,
  p,
  s,
});
