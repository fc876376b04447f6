import { useTranslation } from 'react-i18next';
import { useApp } from '../../stores/app-store';
import { changeSettings } from './change-settings';
import { ModelSelect } from './model-select';
import { SettingLine } from './setting-line';

/** Which models write summaries: the first, and the one that is tried once where the first stalls or dies. */
export function SummaryModels() {
  return (
    <>
      <SummaryModel setting="summaryModel" />
      <SummaryModel setting="secondSummaryModel" />
    </>
  );
}

function SummaryModel({ setting }: { readonly setting: 'summaryModel' | 'secondSummaryModel' }) {
  const { t } = useTranslation();
  const chosen = useApp((state) => state.settings[setting]);
  const providers = useApp((state) => state.providers);
  const title = t(`settings.compression.${setting}`);
  return (
    <SettingLine title={title} hint={t(`settings.compression.${setting}Hint`)}>
      {() => (
        <ModelSelect
          label={title}
          providers={providers}
          chosen={chosen}
          none={t(`settings.compression.${setting}None`)}
          offers={(model) => model.canSummarize}
          onChange={(model) => changeSettings({ [setting]: model })}
        />
      )}
    </SettingLine>
  );
}
