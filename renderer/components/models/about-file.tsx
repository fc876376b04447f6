import { useTranslation } from 'react-i18next';
import type { CatalogueRow } from '../../../shared/model/download';
import { IconButton } from '../icon-button';
import { IconInfo } from '../icons';
import { Popover } from '../popover';

/** Where a model's file comes from and what it has to be. */
export function AboutFile({ row }: { readonly row: CatalogueRow }) {
  const { t } = useTranslation();
  const label = t('getModel.about', { name: row.name });
  return (
    <Popover label={label} align="end" trigger={<IconButton icon={IconInfo} label={label} />}>
      <dl className="about-file">
        <dt>{t('getModel.file')}</dt>
        <dd className="mono">{row.source}</dd>
        <dt>{t('getModel.checksum')}</dt>
        <dd className={row.sha256 === null ? '' : 'mono'}>{row.sha256 ?? t('getModel.checksumLater')}</dd>
      </dl>
    </Popover>
  );
}
