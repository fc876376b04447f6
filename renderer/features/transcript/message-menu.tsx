import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/icon-button';
import { IconFold, IconMore } from '../../components/icons';
import { Menu, MenuItem } from '../../components/menu';
import { rangeStore } from '../../stores/range-store';

/** What is done with a message seldom: choosing it as an end of a range to compress. */
export function MessageMenu({ seq, small = false }: { readonly seq: number; readonly small?: boolean }) {
  const { t } = useTranslation();
  const { chosenFrom, chosenTo } = rangeStore.getState();
  return (
    <Menu trigger={<IconButton small={small} icon={IconMore} label={t('transcript.more')} />}>
      <MenuItem icon={IconFold} onSelect={() => chosenFrom(seq)}>
        {t('transcript.compressFrom')}
      </MenuItem>
      <MenuItem icon={IconFold} onSelect={() => chosenTo(seq)}>
        {t('transcript.compressTo')}
      </MenuItem>
    </Menu>
  );
}
