import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import './message-field.css';

export interface MessageFieldProps {
  readonly value: string;
  readonly label: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
  /** Enter without Shift, outside of an input method's composition. */
  readonly onSend: () => void;
  /** Keys that the owner takes; answers true where it did, and then the field does nothing with it. */
  readonly onKey?: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
  readonly onBlur?: () => void;
  /** Answers true where it took what is pasted: then the field gets nothing of it. */
  readonly onPaste?: (pasted: DataTransfer) => boolean;
  /** The caret goes into the field each time this number changes; not when it is first shown with 0. */
  readonly focusWanted: number;
  readonly fieldRef?: RefObject<HTMLTextAreaElement | null>;
}

/** True while an input method composes: its Enter and Escape belong to it. 229 is what some still send instead. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229;
}

/** A text field that grows with its text up to the height its style allows, and is never locked. */
export function MessageField({
  value,
  label,
  placeholder,
  onChange,
  onSend,
  onKey,
  onBlur,
  onPaste,
  focusWanted,
  fieldRef,
}: MessageFieldProps) {
  const own = useRef<HTMLTextAreaElement>(null);
  const field = fieldRef ?? own;
  useEffect(() => {
    if (focusWanted > 0) field.current?.focus();
  }, [focusWanted, field]);
  return (
    <div className="field">
      <textarea
        ref={field}
        className="field-text"
        rows={1}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        spellCheck
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        onPaste={(event) => {
          if (onPaste?.(event.clipboardData)) event.preventDefault();
        }}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (onKey?.(event)) event.preventDefault();
          else if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            onSend();
          }
        }}
      />
    </div>
  );
}
