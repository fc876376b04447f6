import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageId } from '../../shared/model/ids';
import { isCjk } from '../lib/char-counts';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { insertMessage } from './messages-table';
import { excerptOf } from './search-excerpt';
import { matchExpression, searchMessages, spaced } from './search-index';

describe('search', () => {
  test('CJK characters are set apart, runs of them are phrases, the last word is a prefix', () => {
    expect(spaced('ab你好c')).toBe('ab 你  好 c');
    expect(matchExpression('hello wor')).toBe('"hello" "wor"*');
    expect(matchExpression('数据库')).toBe('"数 据 库"*');
    expect(matchExpression('"exact words"')).toBe('"exact words"');
    expect(matchExpression('  " ')).toBe('');
    expect(matchExpression('a"b OR NEAR( c*')).not.toContain('NEAR(');
  });

  test('setting apart adds spaces around CJK characters and leaves every other unit as it was, halves of a pair too', () => {
    const pieces = fc.constantFrom('a', ' ', 'é', '你', '库', 'の', '한', '！', '🜂', '\ud83d', '\udf02', '𠀀');
    const reference = (text: string) =>
      [...Array(text.length).keys()].map((at) => (isCjk(text.charCodeAt(at)) ? ` ${text[at]} ` : text[at])).join('');
    const texts = fc.array(pieces, { maxLength: 40 }).map((some) => some.join(''));
    fc.assert(fc.property(texts, (text) => spaced(text) === reference(text)));
  });

  test('finds exactly the message that holds a phrase, in Chinese too, and marks it', () => {
    const profile = new TempProfile();
    const engine = new Engine(profile);
    const session = engine.session(5);
    const texts = ['the purple elephant dances', '数据库的迁移计划已经确定', 'ordinary'];
    engine.write((tx) =>
      texts.forEach((text, i) => {
        const id = `33333333-3333-4333-8333-33333333333${i}` as MessageId;
        insertMessage(tx, { ...session, id, text, role: 'user', status: 'complete', turnId: null, now: 1 });
      }),
    );
    const find = (query: string) =>
      searchMessages(engine.db, { query, sessionId: null, limit: 10 }).map((hit) => hit.text);
    expect(find('purple eleph')).toEqual([texts[0]]);
    expect(find('迁移计划')).toEqual([texts[1]]);
    expect(find('计划迁移')).toEqual([]);
    expect(find('nowhere')).toEqual([]);
    engine.close();
    profile.remove();
  });

  test('an excerpt shows the hit and where it stands', () => {
    const { excerpt, marks } = excerptOf(`${'word '.repeat(100)}purple elephant ${'tail '.repeat(100)}`, 'purple');
    const [mark] = marks;
    expect(mark && excerpt.slice(mark[0], mark[1])).toBe('purple');
    expect(excerpt.startsWith('…')).toBe(true);
  });
});
