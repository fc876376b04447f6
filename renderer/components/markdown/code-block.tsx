import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button';
import { CopyButton } from './copy-button';
import { languageName } from './language-names';

/** Lines of code that are shown before the block folds. */
export const FOLD_LINES = 24;

export interface CodeBlockProps {
  /** The tag of the fence, as written; null = none. */
  readonly language: string | null;
  readonly text: string;
  /** The text, highlighted. */
  readonly children: ReactNode;
}

/** A block of code with its language and a way to copy it. Long lines scroll sideways, long blocks fold. */
export function CodeBlock({ language, text, children }: CodeBlockProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const name = languageName(language) ?? t('transcript.code.plain');
  const lines = text.replace(/\n$/, '').split('\n').length;
  const folds = lines > FOLD_LINES;
  return (
    <figure className="code bleed" aria-label={t('transcript.code.label', { language: name })}>
      <header>
        <span>{name}</span>
        <span className="grow" />
        <CopyButton text={text} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls sideways must be reached by keyboard */}
      <pre className={folds && !open ? 'is-folded' : ''} tabIndex={0}>
        {children}
      </pre>
      {folds && (
        <footer>
          <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('transcript.code.fewer') : t('transcript.code.all', { count: lines - FOLD_LINES })}
          </Button>
        </footer>
      )}
    </figure>
  );
}
