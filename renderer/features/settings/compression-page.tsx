import { useTranslation } from 'react-i18next';
import { Select } from '../../components/select';
import { Switch } from '../../components/switch';
import { useApp } from '../../stores/app-store';
import { changeSettings } from './change-settings';
import { SettingLine } from './setting-line';
import { SummaryModels } from './summary-models';

export function CompressionPage() {
  const { t } = useTranslation();
  const settings = useApp((state) => state.settings);
  return (
    <>
      <p className="intro">{t('settings.compression.intro')}</p>
      <ul className="lines">
        <SettingLine title={t('settings.compression.automatic')} hint={t('settings.compression.automaticHint')}>
          {(id) => (
            <Switch
              labelledBy={id}
              on={settings.automaticCompression}
              onChange={(automaticCompression) => changeSettings({ automaticCompression })}
            />
          )}
        </SettingLine>
        <SettingLine title={t('settings.compression.extract')} hint={t('settings.compression.extractHint')}>
          {(id) => (
            <Switch
              labelledBy={id}
              on={settings.extractAllowed}
              onChange={(extractAllowed) => changeSettings({ extractAllowed })}
            />
          )}
        </SettingLine>
        <SummaryModels />
        <SettingLine title={t('settings.compression.newest')} hint={t('settings.compression.newestHint')}>
          {() => (
            <Select
              label={t('settings.compression.newest')}
              width={136}
              value={settings.newestLine}
              options={(['off', 'line', 'full'] as const).map((value) => ({
                value,
                label: t(`settings.compression.newestOptions.${value}`),
              }))}
              onChange={(newestLine) => changeSettings({ newestLine })}
            />
          )}
        </SettingLine>
      </ul>
    </>
  );
}
