import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Icon } from './icon';
import { Tip } from './tooltip';

export interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: LucideIcon;
  /** Its name for everyone: read aloud and shown as a tip. */
  readonly label: string;
  /** Keys that do the same, shown in the tip. */
  readonly keys?: string;
  /** Shown as switched on. Not the same as aria-pressed, which the caller gives where it is a toggle. */
  readonly on?: boolean;
  /** 24 px instead of 28, for use inside a row. */
  readonly small?: boolean;
}

export function IconButton({ icon, label, keys, on = false, small = false, className, ...rest }: IconButtonProps) {
  const names = ['ib', on ? 'is-on' : '', small ? 'small' : '', className ?? ''].filter(Boolean).join(' ');
  return (
    <Tip text={label} {...(keys === undefined ? {} : { keys })}>
      <button type="button" className={names} aria-label={label} {...rest}>
        <Icon of={icon} />
      </button>
    </Tip>
  );
}
