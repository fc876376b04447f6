import { useTranslation } from 'react-i18next';
import type { Provider } from '../../../shared/model/provider';
import { useApp } from '../../stores/app-store';
import { changeSettings } from './change-settings';
import { ModelSelect } from './model-select';
import { SettingLine } from './setting-line';

/** The model that new chats begin with. */
export function DefaultModel({ providers }: { readonly providers: readonly Provider[] }) {
  const { t } = useTranslation();
  const chosen = useApp((state) => state.settings.defaultModel);
  return (
    <SettingLine title={t('settings.models.default')}>
      {() => (
        <ModelSelect
          label={t('settings.models.default')}
          providers={providers}
          chosen={chosen}
          none={t('settings.models.defaultNone')}
          onChange={(defaultModel) => changeSettings({ defaultModel })}
        />
      )}
    </SettingLine>
  );
}
