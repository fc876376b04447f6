import type { ChatHistoryItem } from 'node-llama-cpp';
import type { ChatMessage } from '../../protocol';

/** The library's form of a conversation. It ends with the model's open turn, which generation continues. */
export function chatHistory(messages: readonly ChatMessage[]): ChatHistoryItem[] {
  const items = messages.map(item);
  if (items.at(-1)?.type !== 'model') items.push({ type: 'model', response: [] });
  return items;
}

function item({ role, content }: ChatMessage): ChatHistoryItem {
  switch (role) {
    case 'system':
      return { type: 'system', text: content };
    case 'assistant':
      return { type: 'model', response: [content] };
    case 'user':
    case 'tool': // templates of small models know no tool role
      return { type: 'user', text: content };
  }
}
