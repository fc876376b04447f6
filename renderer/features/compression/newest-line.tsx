import { useTranslation } from 'react-i18next';
import type { Attempt } from '../../../shared/model/compression';
import { sectionNames } from '../../../shared/model/compression';
import type { Settings } from '../../../shared/model/settings';
import { Button } from '../../components/button';
import { Icon } from '../../components/icon';
import { IconDown } from '../../components/icons';
import { Menu, MenuItem } from '../../components/menu';

const shows = ['off', 'line', 'full'] as const;

export interface NewestLineProps {
  readonly attempt: Attempt;
  readonly show: Settings['newestLine'];
  readonly onShow: (show: Settings['newestLine']) => void;
}

/** The growing summary: its newest complete line, or its text. The height depends on the setting only. */
export function NewestLine({ attempt, show, onShow }: NewestLineProps) {
  const { t } = useTranslation();
  const line = attempt.newestLine;
  return (
    <div className={show === 'full' ? 'newest is-full' : 'newest'}>
      {show === 'line' && (
        <>
          <span className="newest-lab">{line ? sectionTitle(line.section) : t('compression.newest.label')}</span>
          <span className={line ? 'grow cut' : 'grow cut t3'}>{line ? line.text : t('compression.newest.none')}</span>
        </>
      )}
      {show === 'full' && (
        <section className="newest-full" aria-label={t('compression.newest.full')}>
          {attempt.text === '' ? <span className="t3">{t('compression.newest.none')}</span> : attempt.text}
        </section>
      )}
      <NewestMenu show={show} onShow={onShow} />
    </div>
  );

  // A section comes from what the model writes, so it may be none of ours: then its own word is shown.
  function sectionTitle(section: string): string {
    const name = sectionNames.find((each) => each === section.toLowerCase());
    return name ? t(`compression.fold.section.${name}`) : section;
  }
}

/** The setting, where its effect is seen. */
export function NewestMenu({ show, onShow }: Pick<NewestLineProps, 'show' | 'onShow'>) {
  const { t } = useTranslation();
  return (
    <Menu
      side="top"
      align="end"
      trigger={
        <Button look="quiet" className="newest-menu">
          {t(show === 'off' ? 'compression.newest.label' : `compression.newest.${show}`)}
          <Icon of={IconDown} />
        </Button>
      }
    >
      {shows.map((each) => (
        <MenuItem key={each} onSelect={() => onShow(each)}>
          {t(`compression.newest.${each}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
