import { type MouseEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { told } from '../../stores/toast-store';
import { Button } from '../button';
import { Dialog } from '../dialog';
import { checkLink } from './check-link';

/** A link in a text that a model or a user wrote: opens in the browser, after a check. */
export function Link({
  href,
  words,
  children,
}: {
  readonly href: string | undefined;
  readonly words: string;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const verdict = checkLink(href, words);
  if (verdict.kind === 'refused') return <span title={t('transcript.badLink')}>{children}</span>;
  const open = () => void told(request('app.openLink', { url: verdict.url }));
  const clicked = (event: MouseEvent) => {
    event.preventDefault();
    if (verdict.kind === 'ask') setAsking(true);
    else open();
  };
  return (
    <>
      <a href={verdict.url} title={verdict.url} draggable={false} onClick={clicked} onAuxClick={clicked}>
        {children}
      </a>
      {asking && (
        <Dialog
          title={t('transcript.openLink.title')}
          description={t('transcript.openLink.mismatch')}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button onClick={() => setAsking(false)}>{t('app.cancel')}</Button>
              <Button
                look="primary"
                onClick={() => {
                  setAsking(false);
                  open();
                }}
              >
                {t('transcript.openLink.open')}
              </Button>
            </>
          }
        >
          <code className="address">{verdict.url}</code>
        </Dialog>
      )}
    </>
  );
}
