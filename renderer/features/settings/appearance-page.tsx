import { useTranslation } from 'react-i18next';
import { Select } from '../../components/select';
import { useApp } from '../../stores/app-store';
import { changeSettings } from './change-settings';
import { SettingLine } from './setting-line';

export function AppearancePage() {
  const { t } = useTranslation();
  const settings = useApp((state) => state.settings);
  return (
    <>
      <ul className="lines">
        <SettingLine title={t('settings.appearance.theme')}>
          {() => (
            <Select
              label={t('settings.appearance.theme')}
              value={settings.theme}
              options={(['system', 'light', 'dark'] as const).map((value) => ({
                value,
                label: t(`settings.appearance.themes.${value}`),
              }))}
              onChange={(theme) => changeSettings({ theme })}
            />
          )}
        </SettingLine>
        <SettingLine title={t('settings.appearance.reading')}>
          {() => (
            <Select
              label={t('settings.appearance.reading')}
              value={settings.readingSize}
              options={(['small', 'normal', 'large'] as const).map((value) => ({
                value,
                label: t(`settings.appearance.readings.${value}`),
              }))}
              onChange={(readingSize) => changeSettings({ readingSize })}
            />
          )}
        </SettingLine>
      </ul>
      <section className="sample reading" aria-label={t('settings.appearance.sampleLabel')}>
        <div className="user">
          <p>{t('settings.appearance.sampleYou')}</p>
        </div>
        <div className="prose">
          <p>{t('settings.appearance.sample')}</p>
        </div>
      </section>
    </>
  );
}
