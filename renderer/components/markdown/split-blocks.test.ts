import { describe, expect, it } from 'vitest';
import { mockupAnswer } from '../../testing/fixture-text';
import { NOTHING_SPLIT, splitBlocks } from './split-blocks';

const blocks = (text: string) => splitBlocks(text).blocks.map((block) => block.trim());

describe('splitBlocks', () => {
  it('cuts at top-level blocks and loses no character', () => {
    const split = splitBlocks(mockupAnswer);
    expect(split.blocks).toHaveLength(5);
    expect(split.blocks.join('')).toBe(mockupAnswer);
  });

  it('keeps a fence with empty lines in it as one block, also while it is open', () => {
    expect(blocks('a\n\n```js\nlet a\n\nlet b\n```\n\nb')).toHaveLength(3);
    expect(blocks('a\n\n```js\nlet a\n\nlet b')).toHaveLength(2);
  });

  it('keeps display math with an empty line in it as one block', () => {
    expect(blocks('a\n\n$$\nx\n\ny\n$$\n\nb')).toEqual(['a', '$$\nx\n\ny\n$$', 'b']);
  });

  it('is not led astray by two dollars in code', () => {
    expect(blocks('`echo $$`\n\nb\n\nc')).toHaveLength(3);
  });

  it('gives the same blocks for a text that grew letter by letter as for the whole of it', () => {
    const text = `${mockupAnswer}\n\n- one\n- two\n\n  more\n- three\n\n> quoted\n\nend`;
    let split = NOTHING_SPLIT;
    for (let length = 1; length <= text.length; length++) split = splitBlocks(text.slice(0, length), split);
    expect(split.blocks).toEqual(splitBlocks(text).blocks);
  });

  it('reads only the last blocks of a growing text again', () => {
    const many = Array.from({ length: 200 }, (_, at) => `Paragraph ${at}.`).join('\n\n');
    const before = splitBlocks(many);
    const after = splitBlocks(`${many} And more.`, before);
    expect(after.blocks.slice(0, 198)).toEqual(before.blocks.slice(0, 198));
    expect(after.blocks.at(-1)).toBe('Paragraph 199. And more.');
  });

  it('starts anew when the text is another one', () => {
    expect(splitBlocks('x\n\ny', splitBlocks('a\n\nb\n\nc')).blocks.join('')).toBe('x\n\ny');
  });

  it('keeps text whole that the lexer would not give back', () => {
    expect(splitBlocks('a\r\n\r\nb\tc').blocks.join('')).toBe('a\r\n\r\nb\tc');
  });
});
