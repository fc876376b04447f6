import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon } from './icon';

export interface MenuProps {
  /** The button that opens it; must take a ref. */
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly side?: 'top' | 'bottom' | 'right';
  readonly align?: 'start' | 'end';
  /** Wider content, such as a model list. */
  readonly className?: string;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  /** Given, the focus goes elsewhere than back to the trigger when the menu closes (a field that opened in the row). */
  readonly onCloseAutoFocus?: (event: Event) => void;
  /** Pixels from the trigger, where the menu is to stand clear of more than the trigger itself. */
  readonly offsets?: { readonly side: number; readonly align: number };
}

/** A menu on a button: arrow keys, letters, Escape. Not modal, so that the page behind keeps its scroll place. */
export function Menu({
  trigger,
  children,
  side = 'bottom',
  align = 'start',
  className,
  open,
  onOpenChange,
  onCloseAutoFocus,
  offsets,
}: MenuProps) {
  return (
    <DropdownMenu.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange ? { onOpenChange } : {})}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={className ? `menu ${className}` : 'menu'}
          side={side}
          align={align}
          sideOffset={offsets?.side ?? 4}
          alignOffset={offsets?.align ?? 0}
          collisionPadding={8}
          {...(onCloseAutoFocus ? { onCloseAutoFocus } : {})}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  readonly children: ReactNode;
  readonly onSelect: () => void;
  readonly icon?: LucideIcon;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

export function MenuItem({ children, onSelect, icon, keys, danger = false, disabled = false }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      className={danger ? 'menu-item danger' : 'menu-item'}
      onSelect={() => onSelect()}
      disabled={disabled}
    >
      {icon && <Icon of={icon} />}
      {children}
      {keys && <kbd>{keys}</kbd>}
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className="menu-label">{children}</DropdownMenu.Label>;
}

export function MenuLine() {
  return <DropdownMenu.Separator className="menu-line" />;
}
