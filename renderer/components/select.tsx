import { DropdownMenu } from 'radix-ui';
import { Icon } from './icon';
import { IconDone, IconDown } from './icons';

export interface SelectOption<V extends string> {
  readonly value: V;
  readonly label: string;
}
export interface SelectProps<V extends string> {
  readonly value: V;
  readonly options: readonly SelectOption<V>[];
  readonly onChange: (value: V) => void;
  readonly label: string;
  /** Width in CSS pixels; a changing choice moves nothing. */
  readonly width?: number;
}

/** One of a few choices: a menu of radio items, whose button shows the choice. */
export function Select<V extends string>({ value, options, onChange, label, width = 160 }: SelectProps<V>) {
  const chosen = options.find((option) => option.value === value);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="input select" style={{ width }} aria-label={`${label}: ${chosen?.label ?? ''}`}>
        <span className="cut">{chosen?.label}</span>
        <Icon of={IconDown} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4} style={{ minWidth: width }}>
          <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as V)}>
            {options.map((option) => (
              <DropdownMenu.RadioItem key={option.value} value={option.value} className="menu-item">
                <span className="grow">{option.label}</span>
                <DropdownMenu.ItemIndicator>
                  <Icon of={IconDone} />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
