import type { TFunction } from 'i18next';
import type { LucideIcon } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import type { CatalogueRow } from '../../../shared/model/download';
import { Icon } from '../../components/icon';
import { IconEmbedded, IconImport, IconKey, IconRemote, IconServer } from '../../components/icons';
import { formatBytes } from '../../i18n/format';
import type { Choice } from './first-choices';

export interface ChoiceListProps {
  readonly choices: readonly Choice[];
  /** What can be downloaded; empty = that is not offered. */
  readonly catalogue: readonly CatalogueRow[];
  /** A provider's id, "download" or "remote". */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** The ways to begin as radio buttons, each with what was found. */
export function ChoiceList({ choices, catalogue, chosen, onChoose }: ChoiceListProps) {
  const { t } = useTranslation();
  return (
    <RadioGroup.Root className="choices" value={chosen} onValueChange={onChoose} aria-label={t('firstRun.choices')}>
      {choices.map((choice) => {
        const { provider, model } = choice;
        const inside = provider.kind === 'embedded';
        return (
          <Line
            key={provider.id}
            value={provider.id}
            icon={inside ? IconEmbedded : provider.remote ? IconRemote : IconServer}
            title={inside && model ? insideTitle(t, choice) : provider.name}
            detail={inside ? insideDetail(t, choice) : serverDetail(t, choice)}
            found={!inside}
            state={inside ? t('firstRun.ready') : foundWords(t, provider.address)}
          />
        );
      })}
      {catalogue.length > 0 && (
        <Line
          value="download"
          icon={IconImport}
          title={t('firstRun.download')}
          detail={downloadDetail(t, catalogue)}
          found={false}
          state=""
        />
      )}
      <Line
        value="remote"
        icon={IconKey}
        title={t('firstRun.remote')}
        detail={t('firstRun.remoteDetail')}
        found={false}
        state=""
      />
    </RadioGroup.Root>
  );
}

interface LineProps {
  readonly value: string;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly detail: string;
  readonly found: boolean;
  readonly state: string;
}

function Line({ value, icon, title, detail, found, state }: LineProps) {
  return (
    <RadioGroup.Item className="choice" value={value}>
      <span className="radio" />
      <Icon of={icon} />
      <span className="grow">
        <b>{title}</b>
        <span className="choice-detail">{detail}</span>
      </span>
      <span className="choice-state">
        {found && <span className="dot" />}
        {state}
      </span>
    </RadioGroup.Item>
  );
}

function insideTitle(t: TFunction, { model }: Choice): string {
  return model?.practice ? t('firstRun.practice') : (model?.name ?? t('firstRun.gguf'));
}

function insideDetail(t: TFunction, { model }: Choice): string {
  if (!model?.practice) return t('firstRun.gguf');
  return model.bytes === null
    ? t('firstRun.practiceDetailNoSize')
    : t('firstRun.practiceDetail', { size: formatBytes(model.bytes) });
}

function downloadDetail(t: TFunction, catalogue: readonly CatalogueRow[]): string {
  const sizes = catalogue.flatMap(({ bytes }) => (bytes === null ? [] : [bytes]));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return t('firstRun.downloadDetail', {
    count: catalogue.length,
    least: formatBytes(least),
    most: formatBytes(most),
  });
}

function serverDetail(t: TFunction, { provider, model }: Choice): string {
  if (model === null) return t('firstRun.noModels');
  const models = t('firstRun.models', { count: provider.models.length });
  if (model.state !== 'loaded') return t('firstRun.noneLoaded', { models });
  return model.served === null
    ? t('firstRun.loadedOne', { models, name: model.name })
    : t('firstRun.loadedWindow', { models, name: model.name, tokens: model.served });
}

function foundWords(t: TFunction, address: string | null): string {
  if (address === null || !URL.canParse(address)) return '';
  const url = new URL(address);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return t('firstRun.found', { port });
}
