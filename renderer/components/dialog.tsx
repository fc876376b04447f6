import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

export interface DialogProps {
  readonly title: string;
  /** One sentence under the title: what this does. */
  readonly description?: string;
  readonly children?: ReactNode;
  /** Its buttons, the one that does it last. */
  readonly foot?: ReactNode;
  readonly onClose: () => void;
}

/** A dialog that is shown as long as it is mounted. Escape and a click outside close it; focus goes back after it. */
export function Dialog({ title, description, children, foot, onClose }: DialogProps) {
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="veil" />
        <Primitive.Content className="dialog" {...(description ? {} : { 'aria-describedby': undefined })}>
          <header className="dialog-head">
            <Primitive.Title>{title}</Primitive.Title>
            {description && <Primitive.Description>{description}</Primitive.Description>}
          </header>
          <div className="dialog-body">{children}</div>
          {foot && <footer className="dialog-foot">{foot}</footer>}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
