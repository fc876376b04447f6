/** Reads a conversation from plain text or Markdown. Pure. */
import type { MessageRole } from '../../shared/model/message';

export interface ImportedMessage {
  readonly role: MessageRole;
  readonly text: string;
}
export interface Imported {
  readonly title: string;
  readonly messages: readonly ImportedMessage[];
}

/** Who speaks, as exports of this and other apps write it: a heading, a bold name, or a name with a colon. */
const SPEAKERS: readonly (readonly [RegExp, MessageRole])[] = [
  [/^(?:user|human|you|me|benutzer|du|ich|用户)$/i, 'user'],
  [/^(?:assistant|ai|bot|model|chatgpt|claude|gemini|llama|assistent|助手)$/i, 'assistant'],
  [/^(?:tool result|tool)$/i, 'tool'],
];
const MARKS: readonly RegExp[] = [
  /^#{1,6}\s+(?<name>[\p{L} ]{1,20}?)\s*:?\s*$/u,
  /^\*\*(?<name>[\p{L} ]{1,20}?):?\*\*:?\s*(?<rest>.*)$/u,
  /^(?<name>\p{L}{1,20}):\s*(?<rest>.*)$/u,
];

/** null = the text names no speakers. Neighbours of one role stay messages of their own. */
export function parseConversation(text: string, fallbackTitle: string): Imported | null {
  const messages: { role: MessageRole; lines: string[] }[] = [];
  let title = '';
  let fenced = false;
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const speaker = fenced ? null : speakerOf(line);
    if (speaker) messages.push({ role: speaker.role, lines: speaker.rest === '' ? [] : [speaker.rest] });
    else if (messages.length > 0) messages.at(-1)?.lines.push(line);
    else if (title === '' && line.startsWith('# ')) title = line.slice(2).trim();
  }
  const kept = messages
    .map(({ role, lines }) => ({ role, text: lines.join('\n').trim() }))
    .filter((message) => message.text !== '');
  if (!kept.some((message) => message.role === 'user')) return null;
  return { title: title || fallbackTitle, messages: kept };
}

function speakerOf(line: string): { role: MessageRole; rest: string } | null {
  for (const mark of MARKS) {
    const { name, rest } = mark.exec(line)?.groups ?? {};
    const role = name && SPEAKERS.find(([pattern]) => pattern.test(name))?.[1];
    if (role) return { role, rest: rest?.trim() ?? '' };
  }
  return null;
}
