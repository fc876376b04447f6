import type { LucideIcon } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../components/icon';
import {
  IconAppearance,
  IconData,
  IconEmbedded,
  IconFold,
  IconInfo,
  IconLeft,
  IconQuickChat,
  IconServer,
  IconTool,
} from '../../components/icons';
import { appStore, type SettingsPage, useApp } from '../../stores/app-store';

const groups: readonly (readonly (readonly [SettingsPage, LucideIcon])[])[] = [
  [
    ['providers', IconServer],
    ['models', IconEmbedded],
    ['compression', IconFold],
    ['quick-chat', IconQuickChat],
    ['tools', IconTool],
  ],
  [['appearance', IconAppearance]],
  [
    ['data', IconData],
    ['about', IconInfo],
  ],
];

/** The pages of the settings, in the place of the sidebar. */
export function SettingsNav() {
  const { t } = useTranslation();
  const current = useApp((state) => state.settingsPage);
  const nav = useRef<HTMLElement>(null);
  const keyed = (event: KeyboardEvent) => {
    const buttons = [...(nav.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const at = buttons.indexOf(event.target as HTMLElement);
    if (event.key === 'ArrowDown') buttons[at + 1]?.focus();
    else if (event.key === 'ArrowUp') buttons[at - 1]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <nav ref={nav} className="sessions settings-nav" aria-label={t('settings.title')} onKeyDown={keyed}>
      <div className="sess">
        <button type="button" className="sess-open" onClick={() => appStore.getState().pageShown('chat')}>
          <Icon of={IconLeft} />
          <span className="name">{t('settings.back')}</span>
          <kbd>Esc</kbd>
        </button>
      </div>
      {groups.map((group) => (
        <ul key={group[0]?.[0]}>
          {group.map(([page, icon]) => (
            <li key={page} className={page === current ? 'sess is-current' : 'sess'}>
              <button
                type="button"
                className="sess-open"
                aria-current={page === current ? 'page' : undefined}
                onClick={() => appStore.getState().settingsPageShown(page)}
              >
                <Icon of={icon} />
                <span className="name">{t(`settings.pages.${page}`)}</span>
              </button>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}
