import { describe, expect, test } from 'vitest';
import { type RecallWish, rankPassages } from './recall';
import { holder, recallTerms } from './recall-terms';

const texts = (question: string) =>
  recallTerms(question).map(({ text, kind }) => (kind === 'stem' ? `${text}*` : text));

describe('what a question looks for', () => {
  test('its telling words, folded, each with its stem; not the words that make a question of it', () => {
    expect(texts('Which ports does the Staging server use?')).toEqual([
      'ports',
      'port*',
      'staging',
      'stagi*',
      'server',
      'serve*',
    ]);
    expect(texts('Wann läuft der Vertrag zur Müllabfuhr aus?')).toEqual([
      'lauft',
      'lauf*',
      'vertrag',
      'vertr*',
      'mullabfuhr',
      'mullabfu*',
    ]);
    expect(texts('¿Cuál es la contraseña del año 2024?')).toEqual(['contrasena', 'contrase*', 'ano', '2024']);
  });
  test('a number, a name or a path with marks inside is one thing, found only as a whole', () => {
    expect(texts('Which step of release 4.3 uses /srv/wal_log?')).toEqual(
      expect.arrayContaining(['release', '4.3', 'srv/wal_log']),
    );
    const [version] = recallTerms('4.3');
    const held = (text: string) => version && holder(text)(version);
    expect([held('release 4.3 is out'), held('release 4.35'), held('4 of 3'), held('14.3')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
  test('pairs of Chinese characters, without those of which sentences are made', () => {
    expect(texts('服务器的端口是多少？')).toEqual(['服务', '务器', '端口']);
  });
  test('of a very long text its beginning and its end, and no more than it can look for', () => {
    const long = Array.from({ length: 3_000 }, (_, i) => `word${i}x`).join(' ');
    expect(texts(long)).toHaveLength(48);
  });
});

describe('passages', () => {
  const wish = (question: string, change: Partial<RecallWish> = {}): RecallWish => {
    const terms = recallTerms(question);
    return {
      terms,
      counts: terms.map(() => 2),
      of: 200,
      budget: 400,
      strict: true,
      count: (text) => text.length / 4,
      ...change,
    };
  };
  const said = (seq: number, text: string) => ({ seq, role: 'user' as const, text });
  const filler = 'It rained in the valley for the whole of that week and nobody went out to look. '.repeat(12);

  test('are the stretch of a message that answers, not the whole of it', () => {
    const [found] = rankPassages(
      [said(3, `${filler}The gate code is 5519.\n\n${filler}`)],
      wish('What is the gate code?'),
    );
    expect(found?.text).toContain('The gate code is 5519.');
    expect(found?.text.length).toBeLessThan(450);
  });
  test('of equal ones the newer is taken first, the same words only once, within the budget', () => {
    const sources = [1, 3, 5, 7].map((seq) => said(seq, `The gate code is ${seq === 7 ? 5 : seq}000.`));
    const all = rankPassages(sources, wish('What is the gate code?'));
    expect(all.map(({ seq }) => seq)).toEqual([1, 3, 7]);
    const few = rankPassages(sources, wish('What is the gate code?', { budget: 45 }));
    expect(few.map(({ seq }) => seq)).toEqual([3, 7]);
  });
  test('that hold one word of several are none, unless they were asked for', () => {
    const sources = [said(3, 'The gate is green.')];
    expect(rankPassages(sources, wish('Where does the gate in Lisbon lead, and who paints fences?'))).toEqual([]);
    expect(rankPassages(sources, wish('Where does the gate in Lisbon lead?', { strict: false }))).toHaveLength(1);
  });
});
