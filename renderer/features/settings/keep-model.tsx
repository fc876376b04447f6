import { useTranslation } from 'react-i18next';
import { keepModelChoices } from '../../../shared/model/settings';
import { Select } from '../../components/select';
import { useApp } from '../../stores/app-store';
import { changeSettings } from './change-settings';
import { SettingLine } from './setting-line';

/** How long a model stays in memory after its last answer. */
export function KeepModel() {
  const { t } = useTranslation();
  const chosen = useApp((state) => state.settings.keepModel);
  return (
    <SettingLine title={t('settings.models.keep')} hint={t('settings.models.keepHint')}>
      {() => (
        <Select
          label={t('settings.models.keep')}
          width={256}
          value={chosen}
          options={keepModelChoices.map((value) => ({ value, label: t(`settings.models.keepOptions.${value}`) }))}
          onChange={(keepModel) => changeSettings({ keepModel })}
        />
      )}
    </SettingLine>
  );
}
