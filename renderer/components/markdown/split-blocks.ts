import { lexer, type Token } from 'marked';

/** Text already split, so that a longer text that begins alike is split from its last blocks on. */
export interface Split {
  readonly text: string;
  /** The pieces; joined they are the text, so that a block's place never depends on what follows. */
  readonly blocks: readonly string[];
}

export const NOTHING_SPLIT: Split = { text: '', blocks: [] };

/** Blocks at the end that more text may still change or join: an item may join a list, a line a paragraph. */
const OPEN_BLOCKS = 2;

/**
 * Cuts Markdown into its top-level blocks. Given what was split before, only the last blocks of a growing text are
 * read again; the others stay the same strings, so that what was made of them stays too.
 */
export function splitBlocks(text: string, before: Split = NOTHING_SPLIT): Split {
  if (text === before.text) return before;
  const grows = before.text !== '' && text.startsWith(before.text);
  const kept = grows ? before.blocks.slice(0, Math.max(0, before.blocks.length - OPEN_BLOCKS)) : [];
  const from = kept.reduce((length, block) => length + block.length, 0);
  return { text, blocks: [...kept, ...cut(text.slice(from))] };
}

function cut(text: string): string[] {
  const blocks: string[] = [];
  let mathOpen = false;
  for (const token of rawTokens(text)) {
    const last = blocks.length - 1;
    // Empty lines belong to the block before them; display math may hold empty lines.
    if (last >= 0 && (token.type === 'space' || mathOpen)) blocks[last] += token.raw;
    else blocks.push(token.raw);
    if (token.type !== 'code' && fences(token.raw) % 2 === 1) mathOpen = !mathOpen;
  }
  return blocks;
}

/** The lexer normalizes line ends and tabs in places; a text that does not come back whole is one block. */
function rawTokens(text: string): readonly Pick<Token, 'type' | 'raw'>[] {
  const tokens = lexer(text);
  const whole = tokens.reduce((length, token) => length + token.raw.length, 0) === text.length;
  return whole ? tokens : [{ type: 'paragraph', raw: text }];
}

function fences(raw: string): number {
  return raw.replace(/`[^`]*`/g, '').split('$$').length - 1;
}
