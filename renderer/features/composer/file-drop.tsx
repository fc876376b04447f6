import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attachFiles } from '../../stores/attach-store';
import { told } from '../../stores/toast-store';
import './attachments.css';

/** The chat's own part of the window: files that are dropped anywhere on it go with the next message. */
export function FileDrop({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  return (
    <main
      className="main"
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        const files = [...event.dataTransfer.files];
        if (files.length === 0) return;
        event.preventDefault();
        void told(attachFiles(files));
      }}
    >
      {children}
      {over && <div className="drop-over">{t('composer.files.drop')}</div>}
    </main>
  );
}
