/** Pinning: a message, or an excerpt of one, stays word for word in every context. */
import { AppError } from '../../shared/errors';
import type { MessageId, PinId, SessionId } from '../../shared/model/ids';
import type { Excerpt } from '../../shared/model/pin';
import { getBranch } from '../db/branches-table';
import { getMessage } from '../db/messages-table';
import { pinsOfMessage, putPin, removePin } from '../db/pins-table';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import type { Ids } from '../lib/ids';

export interface PinsEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The pins of a session changed, and with them what the next request sends. */
  changed(sessionId: SessionId): void;
}

/**
 * Pins a place of a message that is complete; null = the whole. A pin that holds the place already is answered instead,
 * and pins inside the new one go, so that nothing is sent twice. @throws AppError `not-found`, `bad-input`.
 */
export async function addPin(
  env: PinsEnv,
  pin: { sessionId: SessionId; messageId: MessageId; excerpt: Excerpt | null },
): Promise<PinId> {
  const { seam, clock, ids } = env;
  const { sessionId } = pin;
  const id = await seam.write(
    sessionId,
    (tx) => {
      const message = getMessage(tx, pin.messageId);
      const gone = !message || message.deletedAt !== null || message.status === 'streaming';
      if (gone || getBranch(tx, message.branchId)?.sessionId !== sessionId)
        throw new AppError('not-found', { what: 'message' });
      const excerpt = placeIn(message.text, pin.excerpt);
      for (const other of pinsOfMessage(tx, message.id)) {
        if (holds(other.excerpt, excerpt)) return other.id;
        if (holds(excerpt, other.excerpt)) removePin(tx, sessionId, other.id, clock.wall());
      }
      return putPin(tx, { id: ids.uuid() as PinId, sessionId, messageRid: message.rid, excerpt, now: clock.wall() });
    },
    { durable: true },
  );
  env.changed(sessionId);
  return id;
}

/** Takes a pin away; twice is once. */
export async function unpin(env: PinsEnv, sessionId: SessionId, id: PinId): Promise<void> {
  const { seam, clock } = env;
  const gone = await seam.write(sessionId, (tx) => removePin(tx, sessionId, id, clock.wall()));
  if (gone) env.changed(sessionId);
}

/** An excerpt of the whole text is the whole. It must lie in the text and hold a word; no character is cut in two. */
function placeIn(text: string, excerpt: Excerpt | null): Excerpt | null {
  if (excerpt === null) return null;
  const from = isLowHalf(text, excerpt.from) ? excerpt.from - 1 : excerpt.from;
  const to = isLowHalf(text, excerpt.to) ? excerpt.to + 1 : excerpt.to;
  if (to > text.length || text.slice(from, to).trim() === '') throw new AppError('bad-input');
  return text.slice(0, from).trim() === '' && text.slice(to).trim() === '' ? null : { from, to };
}

function isLowHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** True where the outer place holds all of the inner one. */
function holds(outer: Excerpt | null, inner: Excerpt | null): boolean {
  return outer === null || (inner !== null && outer.from <= inner.from && inner.to <= outer.to);
}
