import type { Message } from '../../../shared/model/message';
import { type MessageWindow, messageAt } from '../../stores/message-window';

/** One question with what answers it; a continued answer has several messages. */
export interface QuickTurn {
  readonly question: Message;
  readonly answers: readonly Message[];
}

/** Turns of the path that are loaded, in order. Calls and their results belong to the main window and are left out here. */
export function quickTurns(window: MessageWindow, lastSeq: number, first = 1): readonly QuickTurn[] {
  const turns: { question: Message; answers: Message[] }[] = [];
  for (let seq = first; seq <= lastSeq; seq++) {
    const message = messageAt(window, seq);
    if (message?.role === 'user') turns.push({ question: message, answers: [] });
    else if (message?.role === 'assistant' && (message.text !== '' || message.calls.length === 0))
      turns.at(-1)?.answers.push(message);
  }
  return turns;
}
