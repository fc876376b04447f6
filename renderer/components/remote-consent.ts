import type { ProviderId, SessionId } from '../../shared/model/ids';

/** What the user agreed to in this window. Not stored: asking once more after a restart is the safe side. */
const agreed = new Set<string>();

/** True once the user agreed that this session's text goes to this service. A session that is not made yet has no text. */
export function hasAgreed(sessionId: SessionId | null, providerId: ProviderId): boolean {
  return agreed.has(`${sessionId ?? ''}\n${providerId}`);
}

export function agree(sessionId: SessionId | null, providerId: ProviderId): void {
  agreed.add(`${sessionId ?? ''}\n${providerId}`);
}
