import { useEffect, useState } from 'react';
import type { SessionId } from '../../../shared/model/ids';
import type { Spend } from '../../../shared/model/spend';
import { endedTurnStates, type TurnState } from '../../../shared/model/turn';
import { request } from '../../bridge/request';
import { useSession } from '../../stores/session-store';

const ended: readonly TurnState[] = endedTurnStates;

/** Read when the panel opens, and again when a turn or an attempt ends; what was read last stays meanwhile. */
export function useSpend(sessionId: SessionId | null): Spend | null {
  const turnId = useSession((state) => (state.turn && ended.includes(state.turn.state) ? state.turn.id : null));
  const attemptId = useSession((state) => (state.attempt?.outcome != null ? state.attempt.id : null));
  const [read, setRead] = useState<{ readonly of: SessionId; readonly spend: Spend } | null>(null);
  useEffect(() => {
    if (sessionId === null) return;
    let wanted = true;
    request('sessions.spend', { sessionId }).then(
      (spend) => wanted && setRead({ of: sessionId, spend }),
      () => undefined, // the numbers stay as they were; the panel's other parts do not need them
    );
    return () => {
      wanted = false;
    };
  }, [sessionId, turnId, attemptId]);
  return read?.of === sessionId ? read.spend : null;
}
