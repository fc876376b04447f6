import { Switch as Primitive } from 'radix-ui';

export interface SwitchProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  /** Id of the element that names it, or the name itself. */
  readonly labelledBy?: string;
  readonly label?: string;
  readonly disabled?: boolean;
}

export function Switch({ on, onChange, labelledBy, label, disabled = false }: SwitchProps) {
  return (
    <Primitive.Root
      className="switch"
      checked={on}
      onCheckedChange={onChange}
      aria-labelledby={labelledBy}
      aria-label={label}
      disabled={disabled}
    >
      <Primitive.Thumb className="switch-thumb" />
    </Primitive.Root>
  );
}
