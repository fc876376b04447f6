import type { ModelRef } from '../../../shared/model/ids';
import type { Model, Provider } from '../../../shared/model/provider';
import { Select, type SelectOption } from '../../components/select';

const NONE = '';

export interface ModelSelectProps {
  readonly label: string;
  readonly providers: readonly Provider[];
  readonly chosen: ModelRef | null;
  /** What stands for no choice. */
  readonly none: string;
  readonly offers?: (model: Model) => boolean;
  readonly onChange: (chosen: ModelRef | null) => void;
}

/** One model of all providers, or none; a chosen one that is away now stays named. */
export function ModelSelect({ label, providers, chosen, none, offers = () => true, onChange }: ModelSelectProps) {
  const choices = new Map<string, ModelRef>();
  const options: SelectOption<string>[] = [{ value: NONE, label: none }];
  for (const provider of providers) {
    for (const model of provider.models.filter(offers)) {
      const value = `${provider.id} ${model.model}`;
      choices.set(value, { providerId: provider.id, model: model.model });
      options.push({ value, label: provider.kind === 'embedded' ? model.name : `${model.name}, ${provider.name}` });
    }
  }
  const current = chosen ? `${chosen.providerId} ${chosen.model}` : NONE;
  if (chosen && !choices.has(current)) options.push({ value: current, label: chosen.model });
  return (
    <Select
      label={label}
      width={256}
      value={current}
      options={options}
      onChange={(value) => onChange(choices.get(value) ?? null)}
    />
  );
}
