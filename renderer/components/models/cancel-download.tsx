import { useTranslation } from 'react-i18next';
import type { CatalogueRow } from '../../../shared/model/download';
import { request } from '../../bridge/request';
import { formatBytes } from '../../i18n/format';
import { Button } from '../button';
import { Dialog } from '../dialog';
import type { Ask } from '../use-ask';

export interface CancelDownloadProps {
  readonly row: CatalogueRow;
  readonly ask: Ask['ask'];
  readonly onClose: () => void;
}

/** Asks before what has arrived is deleted, and names how much that is. */
export function CancelDownload({ row, ask, onClose }: CancelDownloadProps) {
  const { t } = useTranslation();
  const { id, name, download } = row;
  const done = download && 'done' in download ? download.done : 0;
  return (
    <Dialog
      title={t('getModel.confirm.cancelTitle', { name })}
      description={
        done > 0 ? t('getModel.confirm.cancelText', { done: formatBytes(done) }) : t('getModel.confirm.cancelNothing')
      }
      onClose={onClose}
      foot={
        <>
          <Button big onClick={onClose}>
            {t('getModel.confirm.keep')}
          </Button>
          <Button
            big
            look="danger"
            onClick={() => {
              onClose();
              void ask(() => request('models.cancelDownload', { id }));
            }}
          >
            {t('getModel.confirm.cancel')}
          </Button>
        </>
      }
    />
  );
}
