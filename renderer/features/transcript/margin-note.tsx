import { formatTime } from '../../i18n/format';

export interface MarginNoteProps {
  readonly seq: number;
  readonly at: number;
  /** Covered messages show their number only. */
  readonly covered: boolean;
}

/** Number and time beside a message; the number is what summaries link to. */
export function MarginNote({ seq, at, covered }: MarginNoteProps) {
  return (
    <div className="margin">
      <b>{seq}</b>
      {!covered && <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>}
    </div>
  );
}
