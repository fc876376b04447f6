import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Icon } from './icon';

export interface ButtonProps extends ComponentProps<'button'> {
  /** At most one `primary` on one surface. `plain` acts in the accent color, `quiet` in text color. */
  readonly look?: 'normal' | 'primary' | 'plain' | 'quiet' | 'danger';
  readonly big?: boolean;
  readonly icon?: LucideIcon;
}

/** A button with a word on it. Forwards its ref and every attribute, so that menus and tips can use it as their trigger. */
export function Button({ look = 'normal', big = false, icon, className, children, ...rest }: ButtonProps) {
  const names = ['btn', look === 'normal' ? '' : look, big ? 'big' : '', className ?? ''].filter(Boolean).join(' ');
  return (
    <button type="button" className={names} {...rest}>
      {icon && <Icon of={icon} />}
      {children}
    </button>
  );
}
