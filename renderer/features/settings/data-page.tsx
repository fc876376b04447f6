import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button';
import { appStore, useApp } from '../../stores/app-store';
import { exportSession, importConversations, titleOf } from '../../stores/session-actions';
import { SettingLine } from './setting-line';

export function DataPage() {
  const { t } = useTranslation();
  const row = useApp((state) => (state.currentId ? state.rows[state.currentId] : undefined));
  return (
    <>
      <p className="intro">{t('settings.data.intro')}</p>
      <ul className="lines">
        <SettingLine title={t('settings.data.import')} hint={t('settings.data.importHint')}>
          {() => <Button onClick={() => void importConversations([])}>{t('settings.data.importButton')}</Button>}
        </SettingLine>
        <SettingLine
          title={t('settings.data.export')}
          hint={row ? t('settings.data.exportHint') : t('settings.data.exportNone')}
        >
          {() =>
            row && (
              <Button className="export" onClick={() => void exportSession(row.id)}>
                <span className="cut">{t('settings.data.exportButton', { title: titleOf(row.title) })}</span>
              </Button>
            )
          }
        </SettingLine>
        <SettingLine title={t('settings.data.bin')} hint={t('settings.data.binHint')}>
          {() => <Button onClick={() => appStore.getState().pageShown('bin')}>{t('settings.data.binButton')}</Button>}
        </SettingLine>
      </ul>
    </>
  );
}
