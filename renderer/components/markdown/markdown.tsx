import './markdown.css';
import { useMemo, useRef } from 'react';
import { MarkdownBlock } from './markdown-block';
import { NOTHING_SPLIT, type Split, splitBlocks } from './split-blocks';
import { useSteadyText } from './use-steady-text';

export interface MarkdownProps {
  readonly text: string;
  /** True while the text grows at its end: then only its last blocks are read again, 30 times a second at most. */
  readonly grows?: boolean;
}

/** Renders the blocks of a Markdown text; they stand directly in the element around, usually `.prose`. */
export function Markdown({ text, grows = false }: MarkdownProps) {
  const shown = useSteadyText(text, grows);
  const before = useRef<Split>(NOTHING_SPLIT);
  const blocks = useMemo(() => {
    before.current = splitBlocks(shown, before.current);
    return before.current.blocks;
  }, [shown]);
  const definitions = useMemo(() => blocks.filter(isDefinition).join(''), [blocks]);
  return blocks.map((block, at) => (
    <MarkdownBlock
      // Blocks only grow at the end, so a place is an identity.
      key={at}
      text={definitions !== '' && block.includes(']') ? `${block}\n\n${definitions}` : block}
      open={grows && at === blocks.length - 1}
    />
  ));
}

/** Addresses of reference links stand in blocks of their own and are needed by the others. */
function isDefinition(block: string): boolean {
  return /^ {0,3}\[[^\]]+\]:/.test(block);
}
