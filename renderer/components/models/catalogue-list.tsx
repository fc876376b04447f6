import './catalogue.css';
import { useTranslation } from 'react-i18next';
import { formatMemory } from '../../i18n/format';
import { useApp } from '../../stores/app-store';
import { CatalogueLine } from './catalogue-line';

/** The models that the app offers to download. */
export function CatalogueList() {
  const { t } = useTranslation();
  const rows = useApp((state) => state.catalogue);
  const memoryBytes = useApp((state) => state.memoryBytes);
  return (
    <>
      <p className="intro">{t('getModel.intro', { has: formatMemory(memoryBytes) })}</p>
      <ul className="dl-list" aria-label={t('getModel.list')}>
        {rows.map((row) => (
          <CatalogueLine key={row.id} row={row} />
        ))}
      </ul>
    </>
  );
}
