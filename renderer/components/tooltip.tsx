import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

/** Milliseconds of rest before a tip shows; the next one shows at once. */
const TIP_DELAY_MS = 500;

/** Stands once around each window's content. */
export function TipProvider({ children }: { readonly children: ReactNode }) {
  return <Tooltip.Provider delayDuration={TIP_DELAY_MS}>{children}</Tooltip.Provider>;
}

/** A line that says what its child does, on hover and on keyboard focus. The child must take a ref. */
export function Tip({
  text,
  keys,
  children,
}: {
  readonly text: string;
  readonly keys?: string;
  readonly children: ReactNode;
}) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" sideOffset={4} collisionPadding={8}>
          {text}
          {keys && <kbd>{keys}</kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
