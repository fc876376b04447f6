import { expect, test } from 'vitest';
import { servedWindow, type WindowFacts } from './served-window';

const nothing: WindowFacts = { asked: null, reported: null, trained: null, learned: null, entered: null };

test.each<[string, Partial<WindowFacts>, number | null, string]>([
  ['S62 llama.cpp serves 16k of a model trained for 262k', { reported: 16_384, trained: 262_144 }, 16_384, 'server'],
  ['S61 a window asked for counts where the server gives it', { asked: 8_192, reported: 8_192 }, 8_192, 'server'],
  ['S61 less than asked is what there is', { asked: 8_192, reported: 4_096 }, 4_096, 'server'],
  ['more than asked is not used', { asked: 8_192, reported: 32_768 }, 8_192, 'asked'],
  ['no more is asked than the model was trained for', { asked: 8_192, trained: 2_048 }, 2_048, 'asked'],
  ['the trained size alone proves nothing', { trained: 131_072 }, null, 'unknown'],
  ['a learned window is believed over a report', { reported: 8_192, learned: 4_096 }, 4_096, 'learned'],
  ['a report below what was learned wins', { reported: 2_048, learned: 4_096 }, 2_048, 'server'],
  ['what the user entered counts where nobody tells', { entered: 10_000 }, 10_000, 'user'],
  ['and not where the server does', { entered: 10_000, reported: 50_000 }, 50_000, 'server'],
])('%s', (_name, facts, served, source) => {
  expect(servedWindow({ ...nothing, ...facts })).toEqual({ served, trained: facts.trained ?? null, source });
});
