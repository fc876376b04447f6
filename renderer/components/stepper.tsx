import { useTranslation } from 'react-i18next';
import { Icon } from './icon';
import { IconMinus, IconPlus } from './icons';

export interface StepperProps {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly label: string;
  readonly onChange: (value: number) => void;
}

/** A small whole number with two buttons; also by arrow keys. */
export function Stepper({ value, min, max, label, onChange }: StepperProps) {
  const { t } = useTranslation();
  const to = (next: number) => {
    if (next >= min && next <= max && next !== value) onChange(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row of a form like this one
    <div
      className="stepper"
      role="group"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp') to(value + 1);
        else if (event.key === 'ArrowDown') to(value - 1);
        else return;
        event.preventDefault();
      }}
    >
      <button type="button" aria-label={t('app.less')} disabled={value <= min} onClick={() => to(value - 1)}>
        <Icon of={IconMinus} />
      </button>
      <output>{value}</output>
      <button type="button" aria-label={t('app.more')} disabled={value >= max} onClick={() => to(value + 1)}>
        <Icon of={IconPlus} />
      </button>
    </div>
  );
}
