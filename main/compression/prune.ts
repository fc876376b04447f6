/**
 * The strategy that shortens without a model: an old bulky tool result, or a block that the user pasted, is sent as one
 * line that says what it was and where the whole of it is. What the user typed around a block stays word for word. Pure.
 */
import type { MessageRole } from '../../shared/model/message';

/** A result or a block of fewer tokens is not worth a stub. */
export const BULKY_TOKENS = 300;
/** A first line of which a stub quotes the beginning, in whole characters. */
const QUOTED = /(.{80}).+/su;

export interface PrunableMessage {
  readonly seq: number;
  readonly role: MessageRole;
  readonly text: string;
}

const FENCED = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:\n?^\1[ \t]*$|$(?![\s\S]))/gm;

/** What is sent in the place of the message; null = nothing of it is bulky. */
export function stubOf(message: PrunableMessage, count: (text: string) => number): string | null {
  switch (message.role) {
    case 'assistant':
      return null;
    case 'tool':
      return count(message.text) < BULKY_TOKENS ? null : line('Tool result', message.text, message.seq);
    case 'user': {
      const text = message.text.replace(FENCED, (block, _fence: string, inside: string) =>
        count(block) < BULKY_TOKENS ? block : line('Pasted block', inside, message.seq),
      );
      return text === message.text ? null : text;
    }
  }
}

/**
 * What is sent in the place of a message with files: its text, which tells each by name, size and first lines. null = that
 * would not be half of the `tokens` which the message takes.
 */
export function stubOfFiles(message: PrunableMessage, tokens: number, count: (text: string) => number): string | null {
  const text = `${stubOf(message, count) ?? message.text}\n\n[The whole of these files is in message ${message.seq}.]`;
  return count(text) * 2 > tokens ? null : text;
}

function line(what: string, text: string, seq: number): string {
  const lines = text.split('\n');
  const first = lines.find((one) => one.trim() !== '')?.trim() ?? '';
  const quoted = first.replace(QUOTED, '$1…');
  return `[${what}, left out here: ${lines.length} lines, ${text.length} characters, beginning with “${quoted}”. The whole of it is in message ${seq}.]`;
}
