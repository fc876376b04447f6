import { describe, expect, test } from 'vitest';
import { holder, recallTerms } from './recall-terms';

const texts = (question: string) =>
  recallTerms(question).map(({ text, kind }) => (kind === 'stem' ? `${text}*` : text));

describe('what a question looks for', () => {
  test.each<[string, string, string[]]>([
    [
      'English: telling words, each with its stem; not the words that make a question of it',
      'Which ports does the Staging server use?',
      ['ports', 'port*', 'staging', 'stagi*', 'server', 'serve*'],
    ],
    [
      'German, folded',
      'Wann läuft der Vertrag zur Müllabfuhr aus?',
      ['lauft', 'lauf*', 'vertrag', 'vertr*', 'mullabfuhr', 'mullabfu*'],
    ],
    ['an empty word with ß, as some write it and as others do', 'Wie heißt und wie hiess das Boot?', ['boot']],
    ['Spanish', '¿Cuál es la contraseña del año 2024?', ['contrasena', 'contrase*', 'ano', '2024']],
    [
      'Chinese: pairs, without the characters of which sentences are made',
      '服务器的端口是多少？',
      ['服务', '务器', '端口'],
    ],
    ['one Chinese character that stands alone', '猫？', ['猫']],
    ['nothing in characters of which sentences are made, alone or together', '谁? 什么', []],
    ['two scripts in one word, each by itself', '检查Redis缓存', ['检查', 'redis', 'redi*', '缓存']],
    ['no word of two letters, but what has a digit', 'Ox 7 of B2, cat', ['7', 'b2', 'cat']],
    [
      'no stem of four letters; one letter less of up to six, two of more',
      'gate barns gateways',
      ['gate', 'barns', 'barn*', 'gateways', 'gatewa*'],
    ],
    ['no stem of what has a digit', 'printer2000', ['printer2000']],
    [
      'the parts of a name with marks, but no short digits',
      'v10.12 of /srv/wal_log or 4.3',
      ['v10.12', 'v10', 'srv/wal_log', 'srv', 'wal', 'log', '4.3'],
    ],
    [
      'each mark that joins',
      'ab.cd ab_cd ab:cd ab/cd ab@cd ab-cd ab+cd',
      ['ab.cd', 'ab_cd', 'ab:cd', 'ab/cd', 'ab@cd', 'ab-cd'],
    ],
    ['a mark at the end of a sentence joins nothing', 'gate. Code: 5519', ['gate', 'code', '5519']],
    ['nothing of nothing', '?!', []],
  ])('%s', (_name, question, expected) => {
    expect(texts(question)).toEqual(expected);
  });

  test('each word is numbered, its stem as the word; said again it is the first', () => {
    expect(recallTerms('Server gate, gate and server-room 7?')).toEqual([
      { text: 'server', kind: 'word', of: 1 },
      { text: 'serve', kind: 'stem', of: 1 },
      { text: 'gate', kind: 'word', of: 2 },
      { text: 'server-room', kind: 'joined', of: 5 },
      { text: 'room', kind: 'word', of: 7 },
      { text: '7', kind: 'word', of: 8 },
    ]);
    expect(recallTerms('猫')).toEqual([{ text: '猫', kind: 'cjk', of: 1 }]);
    expect(recallTerms('端口')).toEqual([{ text: '端口', kind: 'cjk', of: 1 }]);
  });

  describe('of a long text', () => {
    const empty = (chars: number) => 'and '.repeat(chars / 4);

    test('the words of its beginning and its end, half of each', () => {
      const words = Array.from({ length: 49 }, (_, i) => `w${i}`);
      expect(texts(words.slice(0, 48).join(' '))).toEqual(words.slice(0, 48));
      expect(texts(words.join(' '))).toEqual([...words.slice(0, 24), ...words.slice(25)]);
    });
    test('all of up to 4,000 characters, a word in the middle as a whole', () => {
      const question = `${empty(1_996)}gateway ${empty(1_996)}`;
      expect([question.length, texts(question)]).toEqual([4_000, ['gateway', 'gatew*']]);
    });
    test('of a longer one the first and the last 2,000', () => {
      const question = `${empty(1_996)}gate barn ${empty(4_000)}roof door ${empty(1_996).trimEnd()}`;
      expect(texts(question)).toEqual(['gate', 'door']);
    });
  });
});

describe('a text holds', () => {
  const held = (question: string, text: string) => {
    const holds = holder(text);
    return recallTerms(question)
      .filter(holds)
      .map(({ kind, text }) => (kind === 'stem' ? `${text}*` : text));
  };

  test.each<[string, string, string, string[]]>([
    ['a word and its stem', 'ports', 'Open the PORTS.', ['ports', 'port*']],
    ['the stem of a word with another ending, among other words', 'ports', 'The port is open.', ['port*']],
    ['no word that only goes on', 'gate', 'The gateway', []],
    ['no stem inside or at the end of a word', 'ports', 'We transport by airport', []],
    ['a pair of characters inside a text without spaces', '端口', '它的端口是八', ['端口']],
    ['no pair in another order', '端口', '口端', []],
    ['a number with marks, at the beginning', '4.3', '4.3 is out', ['4.3']],
    ['at the end', '4.3', 'out is 4.3', ['4.3']],
    ['behind one that goes on', '4.3', 'after 4.35 and 14.3: 4.3.', ['4.3']],
    ['none that goes on', '4.3', 'release 4.35', []],
    ['none that began before', '4.3', 'release 14.3, and a4.3', []],
    ['none of which only the parts stand there', '4.3', '4 of 3', []],
    ['nothing where there are no words', 'gate ports', '?!', []],
  ])('%s', (_name, question, text, expected) => {
    expect(held(question, text)).toEqual(expected);
  });
});
