import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { layoutStore, useLayout } from '../../stores/layout-store';
import { IconButton } from '../icon-button';
import { IconSidebar } from '../icons';
import { keysText } from '../keys';
import { CaptionButtons } from './caption-buttons';
import { useSidebarLiesOver } from './use-media';

export interface BarProps {
  readonly children: ReactNode;
  /** False where a panel at the right carries the caption buttons. */
  readonly rightmost?: boolean;
  /** False where there is no sidebar to show. */
  readonly hasSidebar?: boolean;
}

/** The toolbar. All of it drags the window except its buttons. */
export function Bar({ children, rightmost = true, hasSidebar = true }: BarProps) {
  const { t } = useTranslation();
  const hidden = useLayout((state) => state.sidebarHidden);
  const over = useSidebarLiesOver();
  const away = hasSidebar && (hidden || over);
  const show = () => {
    const layout = layoutStore.getState();
    if (over) layout.sidebarOverCalled(true);
    else layout.sidebarToggled();
  };
  return (
    <header className={away || !hasSidebar ? 'bar is-leftmost' : 'bar'}>
      {away && <IconButton icon={IconSidebar} label={t('app.sidebar.show')} keys={keysText('Mod+B')} onClick={show} />}
      {children}
      {rightmost && <CaptionButtons />}
    </header>
  );
}
