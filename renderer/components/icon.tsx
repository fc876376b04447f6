import type { LucideIcon } from 'lucide-react';

export interface IconProps {
  readonly of: LucideIcon;
  /** Edge in CSS pixels: 16 in general, 14 in status lines, 12 in marks. */
  readonly size?: 12 | 14 | 16;
  readonly className?: string;
}

/** One icon of the one set, drawn with the one stroke. It never carries meaning alone: a word stands beside it or in a label. */
export function Icon({ of: Drawing, size = 16, className }: IconProps) {
  return (
    <Drawing
      className={className ? `i ${className}` : 'i'}
      size={size}
      strokeWidth={1.5}
      absoluteStrokeWidth
      aria-hidden="true"
    />
  );
}
