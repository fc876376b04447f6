import './file-preview.css';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../shared/errors';
import type { Preview } from '../../shared/model/attachment';
import type { MessageFile } from '../../shared/model/message';
import { asAppError, request } from '../bridge/request';
import { Button } from './button';
import { Dialog } from './dialog';
import { ErrorLine } from './error-line';

/** What a model gets of a file: its text, or how that begins. */
export function FilePreview({ file, onClose }: { readonly file: MessageFile; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<AppError | null>(null);
  useEffect(() => {
    let wanted = true;
    request('attachments.preview', { hash: file.hash }).then(
      (read) => wanted && setShown(read),
      (thrown: unknown) => wanted && setProblem(asAppError(thrown)),
    );
    return () => {
      wanted = false;
    };
  }, [file.hash]);
  return (
    <Dialog
      title={file.name}
      description={file.kind === 'image' ? t('app.file.picture') : t('app.file.gets', { count: shown?.chars ?? 0 })}
      onClose={onClose}
      foot={<Button onClick={onClose}>{t('app.close')}</Button>}
    >
      {problem && <ErrorLine error={problem} />}
      {shown?.image && <img className="file-picture" src={shown.image} alt={file.name} />}
      {shown && shown.image === null && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll what has the focus */}
          <pre className="file-text" tabIndex={0}>
            {shown.text}
          </pre>
          {shown.text.length < shown.chars && (
            <p className="file-more">{t('app.file.more', { count: shown.chars - shown.text.length })}</p>
          )}
        </>
      )}
    </Dialog>
  );
}
