import { type ComponentType, memo } from 'react';
import type { Message } from '../../../shared/model/message';
import { isCovered } from '../../stores/covered';
import { useJump } from '../../stores/jump-store';
import { type MessageRange, useRange } from '../../stores/range-store';
import { useMessage, useSession } from '../../stores/session-store';
import { Answer } from './answer';
import { StubNote } from './stub-note';
import { ToolResultRow } from './tool-result';
import { UserMessage } from './user-message';

export interface MessageRowProps {
  readonly seq: number;
  /** What follows a message at a cutoff: the fold. */
  readonly After: ComponentType<{ readonly seq: number }>;
}

/** One message in its place, and the fold that ends with it. A place whose message is not here yet keeps its room. */
export const MessageRow = memo(function MessageRow({ seq, After }: MessageRowProps) {
  const message = useMessage(seq);
  const before = useMessage(seq - 1);
  const covered = useSession(isCovered(seq));
  const isLast = useSession((state) => state.lastSeq === seq);
  const found = useJump((state) => state.found === seq);
  const inRange = useRange(({ chosen, whole }) => holds(whole ?? chosen, seq));
  const names = ['turn', covered ? 'covered' : '', found ? 'is-found' : '', inRange ? 'in-range' : ''];
  if (message && message.role !== 'user' && before && before.role !== 'user') names.push('goes-on');
  return (
    <div className="row" data-seq={seq}>
      <article className={names.filter(Boolean).join(' ')} aria-setsize={-1} aria-posinset={seq}>
        {(covered || inRange) && <span className="rail" />}
        {message ? <Words message={message} covered={covered} isLast={isLast} /> : <div className="awaited" />}
        <StubNote seq={seq} />
      </article>
      <After seq={seq} />
    </div>
  );
});

const holds = (range: MessageRange | null, seq: number) => range !== null && seq >= range.from && seq <= range.to;

function Words({
  message,
  covered,
  isLast,
}: {
  readonly message: Message;
  readonly covered: boolean;
  readonly isLast: boolean;
}) {
  switch (message.role) {
    case 'user':
      return <UserMessage message={message} covered={covered} isLast={isLast} />;
    case 'assistant':
      return <Answer message={message} covered={covered} isLast={isLast} />;
    case 'tool':
      return <ToolResultRow message={message} isLast={isLast} />;
  }
}
