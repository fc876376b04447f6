import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { ChatMessage } from '../hosts/protocol';

const RECORDED = join(import.meta.dirname, 'recorded');

/** Written for this project, eight turns each: user and assistant in turn, word for word. By language. */
export const conversations: ReadonlyMap<string, readonly ChatMessage[]> = new Map(
  readdirSync(join(RECORDED, 'conversations')).map((file) => [
    parse(file).name,
    messagesIn(readFileSync(join(RECORDED, 'conversations', file), 'utf8')),
  ]),
);

/**
 * Tokens of each prompt of those conversations, all that was said before included, as real tokenizers count them in
 * the template of their models. By tokenizer and language; made by scripts/token-counts.mjs.
 */
export const promptCounts = JSON.parse(readFileSync(join(RECORDED, 'token-counts.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, readonly number[]>>>
>;

/** The prompts of a conversation, in order. */
export function promptsOf(messages: readonly ChatMessage[]): ChatMessage[][] {
  return messages.flatMap(({ role }, i) => (role === 'user' ? [messages.slice(0, i + 1)] : []));
}

function messagesIn(text: string): ChatMessage[] {
  const parts = text.split(/^# (user|assistant)\n/m).slice(1);
  return parts.flatMap((role, i) =>
    i % 2 === 0 ? [{ role: role as ChatMessage['role'], content: (parts[i + 1] ?? '').trim() }] : [],
  );
}
