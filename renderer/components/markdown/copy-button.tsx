import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { told } from '../../stores/toast-store';
import { Button } from '../button';
import { IconCopy, IconDone } from '../icons';

/** Milliseconds for which the word says that it was copied. */
const COPIED_MS = 1_200;

/** True for a moment after each call of the second value, which copies. */
export function useCopied(): readonly [boolean, (text: string) => void] {
  const [times, setTimes] = useState(0);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (times === 0) return;
    setCopied(true);
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [times]);
  const copy = (text: string) => {
    void told(request('app.copy', { text })).then((done) => done && setTimes((before) => before + 1));
  };
  return [copied, copy];
}

/** Copies a text; its word changes for a moment at the same width. */
export function CopyButton({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const [copied, copy] = useCopied();
  return (
    <Button look="quiet" icon={copied ? IconDone : IconCopy} className="copy" onClick={() => copy(text)}>
      <span className="copy-words" aria-live="polite">
        <span className={copied ? 'is-away' : ''} aria-hidden={copied}>
          {t('app.copy')}
        </span>
        <span className={copied ? '' : 'is-away'} aria-hidden={!copied}>
          {t('app.copied')}
        </span>
      </span>
    </Button>
  );
}
