import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Attachment, RefusedFile } from '../../../shared/model/attachment';
import type { SessionId } from '../../../shared/model/ids';
import { ErrorLine } from '../../components/error-line';
import { FilePreview } from '../../components/file-preview';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/icon-button';
import { IconClose, IconFile, IconImage, IconRefused, IconWaits } from '../../components/icons';
import { useAsk } from '../../components/use-ask';
import { errorSentence } from '../../i18n/error-sentence';
import { formatBytes } from '../../i18n/format';
import { findProvider, modelOf, useApp } from '../../stores/app-store';
import { attachStore, detach, useRefused } from '../../stores/attach-store';
import { useSession } from '../../stores/session-store';
import './attachments.css';

/** The files of the next message, those that are being read, and those that could not be attached, with the reason. */
export function AttachmentList({ sessionId }: { readonly sessionId: SessionId }) {
  const { t } = useTranslation();
  const { files, reading } = useSession((state) => state.draftFiles);
  const refused = useRefused(sessionId);
  const sees = useSees(sessionId);
  const { ask, problem } = useAsk();
  const [previewed, setPreviewed] = useState<Attachment | null>(null);
  const said = refused.map((file) => errorSentence(t, file)).join(' ');
  return (
    <>
      {files.length + reading.length + refused.length > 0 && (
        <section className="files" aria-label={t('composer.files.title')}>
          <ul className="files-list">
            {refused.map((file, index) => (
              <Refused
                key={`${file.name} ${index}`}
                file={file}
                onDismiss={() => attachStore.getState().refusedChanged(sessionId, refused.toSpliced(index, 1))}
              />
            ))}
            {files.map((file) => (
              <li key={file.hash} className="file-row">
                <Icon of={file.kind === 'image' ? IconImage : IconFile} />
                <button type="button" className="file-name cut" onClick={() => setPreviewed(file)}>
                  {file.name}
                </button>
                {file.kind === 'image' && !sees && <span className="file-unseen">{t('composer.files.unseen')}</span>}
                <span className="file-facts">{formatBytes(file.bytes)}</span>
                <span className="file-facts file-tokens">{t('composer.files.tokens', { count: file.tokens })}</span>
                <IconButton
                  small
                  icon={IconClose}
                  label={t('composer.files.remove', { name: file.name })}
                  onClick={() => void ask(() => detach(file.hash))}
                />
              </li>
            ))}
            {reading.map((name, index) => (
              <li key={`${name} ${index}`} className="file-row is-reading">
                <Icon of={IconWaits} />
                <span className="grow cut">{t('composer.files.reading', { name })}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <span className="sr" role="status">
        {said}
      </span>
      {problem && (
        <div className="field-problem">
          <ErrorLine error={problem} />
        </div>
      )}
      {previewed && <FilePreview file={previewed} onClose={() => setPreviewed(null)} />}
    </>
  );
}

/** Whether the model of this chat says that it takes pictures. */
function useSees(sessionId: SessionId): boolean {
  return useApp((state) => {
    const ref = modelOf(state, sessionId);
    const models = findProvider(state, ref?.providerId)?.models;
    return models?.find(({ model }) => model === ref?.model)?.sees ?? false;
  });
}

function Refused({ file, onDismiss }: { readonly file: RefusedFile; readonly onDismiss: () => void }) {
  const { t } = useTranslation();
  return (
    <li className="file-row is-refused">
      <Icon of={IconRefused} className="bad" />
      <span className="grow">{errorSentence(t, file)}</span>
      <IconButton small icon={IconClose} label={t('composer.notices.do.dismiss')} onClick={onDismiss} />
    </li>
  );
}
