import type { Element } from 'hast';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block';
import { Link } from './link';
import { numberColumns, textOf } from './number-columns';
import { hasMath, prepareMath } from './prepare-math';
import { useRichPlugins } from './use-rich-plugins';

/** Characters from which an open block is shown without colors: it is parsed again up to 30 times a second. */
const PLAIN_WHILE_OPEN = 20_000;

function ImageLink({ src, alt }: { readonly src: unknown; readonly alt: string | undefined }) {
  const { t } = useTranslation();
  const address = typeof src === 'string' ? src : undefined;
  // An image is never fetched: loading it would tell a server that this text was read.
  return (
    <Link href={address} words="">
      {t('transcript.image', { alt: alt || address || '' })}
    </Link>
  );
}

const components: Components = {
  a: ({ href, node, children }) => (
    <Link href={href} words={node ? textOf(node) : ''}>
      {children}
    </Link>
  ),
  img: ({ src, alt }) => <ImageLink src={src} alt={alt} />,
  pre: ({ node, children }) => (
    <CodeBlock language={languageOf(node)} text={node ? textOf(node) : ''}>
      {children}
    </CodeBlock>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reached by keyboard
    <div className="table bleed" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

function languageOf(pre: Element | undefined): string | null {
  const code = pre?.children[0];
  if (code?.type !== 'element') return null;
  const names = code.properties.className;
  const tag = Array.isArray(names) ? names.find((name) => String(name).startsWith('language-')) : undefined;
  return tag === undefined ? null : String(tag).slice('language-'.length);
}

/** One top-level block. Made once for its text; raw HTML in it is shown as the text it is. */
export const MarkdownBlock = memo(function MarkdownBlock({
  text,
  open,
}: {
  readonly text: string;
  /** True while it is the last block of a growing text. */
  readonly open: boolean;
}) {
  const prepared = prepareMath(text);
  const math = hasMath(prepared);
  const colored = text.includes('```') || text.includes('~~~');
  const rich = useRichPlugins(math || colored);
  const remark: Options['remarkPlugins'] = [remarkGfm, ...((math && rich?.remark) || [])];
  const rehype: Options['rehypePlugins'] = [
    numberColumns,
    ...((math && rich?.math) || []),
    ...((colored && !(open && text.length > PLAIN_WHILE_OPEN) && rich?.highlight) || []),
  ];
  return (
    <ReactMarkdown remarkPlugins={remark} rehypePlugins={rehype} components={components}>
      {prepared}
    </ReactMarkdown>
  );
});
