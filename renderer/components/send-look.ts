import type { Turn } from '../../shared/model/turn';
import { openTurnStates } from '../../shared/model/turn';
import type { SendLook } from './send-button';

/**
 * Files alone are enough to send; nothing is sent while one of them is still being read.
 * While a turn is open the button adds where there is text and stops where there is none. A deferred turn runs
 * nothing that could be stopped (its notice holds Cancel), and another window's turn is not stopped from here.
 */
export function sendLook(text: string, turn: Turn | null, hasFiles = false, isReading = false): SendLook {
  const open = turn !== null && (openTurnStates as readonly string[]).includes(turn.state);
  const hasText = !isReading && (text.trim() !== '' || hasFiles);
  if (!open) return hasText ? 'ready' : 'nothing';
  if (hasText) return 'adds';
  return turn.state === 'deferred' || turn.elsewhere ? 'nothing' : 'stop';
}
