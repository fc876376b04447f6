import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { Select } from '../../components/select';
import { useApp } from '../../stores/app-store';
import { told } from '../../stores/toast-store';
import { changeSettings } from './change-settings';
import { SettingLine } from './setting-line';
import { ShortcutSetting } from './shortcut-setting';

export function QuickChatPage() {
  const { t } = useTranslation();
  const onClose = useApp((state) => state.settings.onClose);
  const tray = useApp((state) => state.trayAvailable);
  return (
    <>
      <div className="page-head">
        <p className="intro grow">{t('settings.quickChat.intro')}</p>
        <Button onClick={() => void told(request('quickChat.show', {}))}>{t('settings.quickChat.show')}</Button>
      </div>
      <ul className="lines">
        <ShortcutSetting />
        {tray ? (
          <SettingLine title={t('settings.quickChat.closing')}>
            {() => (
              <Select
                label={t('settings.quickChat.closing')}
                width={208}
                value={onClose}
                options={(['ask', 'tray', 'quit'] as const).map((value) => ({
                  value,
                  label: t(`settings.quickChat.closingOptions.${value}`),
                }))}
                onChange={(next) => changeSettings({ onClose: next })}
              />
            )}
          </SettingLine>
        ) : (
          <li className="setting-note t2">{t('settings.quickChat.noTray')}</li>
        )}
      </ul>
    </>
  );
}
