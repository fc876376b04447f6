import { type KeyboardEvent, useEffect, useRef } from 'react';

export interface RenameFieldProps {
  readonly title: string;
  readonly label: string;
  readonly onDone: (title: string) => void;
  readonly onCancel: () => void;
}

/** A name as a field, in the place of the name. Enter and leaving it keep what was typed, Escape does not. */
export function RenameField({ title, label, onDone, onCancel }: RenameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (keep: boolean) => {
    if (ended.current) return;
    ended.current = true;
    const typed = field.current?.value.trim() ?? '';
    if (keep && typed !== '' && typed !== title) onDone(typed);
    else onCancel();
  };
  const keyed = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) end(true);
    else if (event.key === 'Escape') end(false);
  };
  return (
    <input
      ref={field}
      className="rename"
      defaultValue={title}
      maxLength={500}
      aria-label={label}
      onKeyDown={keyed}
      onBlur={() => end(true)}
    />
  );
}
