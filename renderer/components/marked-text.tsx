export interface MarkedTextProps {
  readonly text: string;
  /** Places to mark as [from, to) offsets, in order. */
  readonly marks: readonly (readonly [number, number])[];
}

/** A passage with the words that were searched for marked. */
export function MarkedText({ text, marks }: MarkedTextProps) {
  const parts = [];
  let at = 0;
  for (const [from, to] of marks) {
    if (from < at || to > text.length) continue;
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  parts.push(text.slice(at));
  return <>{parts}</>;
}
