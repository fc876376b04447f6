import { useTranslation } from 'react-i18next';
import type { ModelRef } from '../../../shared/model/ids';
import type { Provider } from '../../../shared/model/provider';
import { Select, type SelectOption } from '../../components/select';
import { useApp } from '../../stores/app-store';
import { changeSettings } from './change-settings';
import { SettingLine } from './setting-line';

const NONE = '';

/** The model that new chats begin with. */
export function DefaultModel({ providers }: { readonly providers: readonly Provider[] }) {
  const { t } = useTranslation();
  const chosen = useApp((state) => state.settings.defaultModel);
  const choices = new Map<string, ModelRef>();
  const options: SelectOption<string>[] = [{ value: NONE, label: t('settings.models.defaultNone') }];
  for (const provider of providers) {
    for (const model of provider.models) {
      const value = `${provider.id} ${model.model}`;
      choices.set(value, { providerId: provider.id, model: model.model });
      const label = provider.kind === 'embedded' ? model.name : `${model.name}, ${provider.name}`;
      options.push({ value, label });
    }
  }
  const current = chosen ? `${chosen.providerId} ${chosen.model}` : NONE;
  if (chosen && !choices.has(current)) options.push({ value: current, label: chosen.model });
  return (
    <SettingLine title={t('settings.models.default')}>
      {() => (
        <Select
          label={t('settings.models.default')}
          width={256}
          value={current}
          options={options}
          onChange={(value) => changeSettings({ defaultModel: choices.get(value) ?? null })}
        />
      )}
    </SettingLine>
  );
}
