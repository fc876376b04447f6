import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageFile } from '../../../shared/model/message';
import { FilePreview } from '../../components/file-preview';
import { Icon } from '../../components/icon';
import { IconFile, IconImage } from '../../components/icons';
import { formatBytes } from '../../i18n/format';

/** The files that came with a message; each shows what the model got of it. */
export function MessageFiles({ files }: { readonly files: readonly MessageFile[] }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<MessageFile | null>(null);
  if (files.length === 0) return null;
  return (
    <>
      <ul className="message-files" aria-label={t('transcript.files')}>
        {files.map((file) => (
          <li key={file.hash}>
            <button type="button" className="message-file" onClick={() => setShown(file)}>
              <Icon of={file.kind === 'image' ? IconImage : IconFile} />
              <span className="cut">{file.name}</span>
              <small>{formatBytes(file.bytes)}</small>
            </button>
          </li>
        ))}
      </ul>
      {shown && <FilePreview file={shown} onClose={() => setShown(null)} />}
    </>
  );
}
