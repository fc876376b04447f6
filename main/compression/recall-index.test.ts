import { describe, expect, test } from 'vitest';
import { termCounts } from '../db/recall-search';
import { recall } from '../db/thread/recall-job';
import { DEFAULT_RATES } from '../providers/token-rates';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { recallTerms } from './recall-terms';

/** What the index makes of a word and what the passages are compared by must be the same, or nothing is recalled. */
describe('a question finds in the index, in any script, what was said', () => {
  let engine: Engine;
  eachEngine((made) => {
    engine = made;
  });
  const recalled = (question: string, ...said: string[]) => {
    const session = engine.session();
    for (const text of said) engine.say(session, 'user', text);
    const ranges = [{ from: 1, to: said.length }];
    const job = { branch: session.branchId, ranges, question, budget: 400, rates: DEFAULT_RATES, strict: false };
    return recall(engine.db, job).map(({ text }) => text);
  };

  test.each<[string, string, string]>([
    ['capitals and accents', 'CONTRASENA', 'La contraseña es verde.'],
    ['two accents on a letter', 'đuong', 'Tên của Đường này dài.'],
    ['a word with ß', 'Größe?', 'Die Größe liegt bei 7 Litern.'],
    ['the stem of a word with ß', 'Straßen', 'Jede Straße ist gesperrt.'],
    ['ß where somebody has no such key', 'Grosse Villa?', 'Die große Villa ist grün.'],
    ['Cyrillic with a breve', 'ФАЙЛ?', 'Этот файл лежит на полке.'],
    ['Greek with an accent', 'ΛΙΜΆΝΙ;', 'Το λιμάνι ανοίγει στις 6.'],
    ['kana with a voice mark', 'ガード', '古いガードは地下です。'],
    ['Hangul', '서버 암호', '그 서버 암호는 초록색이다.'],
    ['Devanagari with vowel signs', 'बिल्ली?', 'वह बिल्ली हरी है।'],
    ['full-width capitals', 'ａ号', 'これはＡ号です。'],
    ['a Chinese character that stands alone', '猫？', '院子里有一只猫。'],
    ['a path', '/srv/Wal_Log', 'It is in /srv/wal_log now.'],
  ])('%s', (_name, question, said) => {
    expect(recalled(question, 'Nothing of it here.', said)).toEqual([said]);
  });

  test('a word is counted where it stands as a whole, its stem where a word begins with it', () => {
    const session = engine.session();
    for (const text of ['The ports.', 'A port.', 'Portland', 'A portsider', 'Airports transport.'])
      engine.say(session, 'user', text);
    expect(termCounts(engine.db, recallTerms('ports'))).toEqual([1, 4]);
  });
});
