import 'katex/dist/katex.min.css';
import rehypeHighlight from 'rehype-highlight';
import rehypeKatex from 'rehype-katex';
import remarkMath from 'remark-math';
import type { RichPlugins } from './use-rich-plugins';

/** Highlighter and math: a chunk of its own, fetched once the window stands, so that they never delay its start. */
export const richPlugins: RichPlugins = {
  remark: [remarkMath],
  math: [[rehypeKatex, { throwOnError: false, strict: false, errorColor: 'var(--danger)' }]],
  highlight: [[rehypeHighlight, { detect: false }]],
};
