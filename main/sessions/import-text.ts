/** Reads a conversation from plain text or Markdown, slice by slice. Pure. */
import type { MessageRole } from '../../shared/model/message';

export interface ImportedMessage {
  readonly role: MessageRole;
  readonly text: string;
}

export interface ImportedSlice {
  readonly messages: readonly ImportedMessage[];
  /** The first heading of what comes before the first speaker; '' = there is none. */
  readonly title: string;
  /** Characters of the text that were used: what follows begins with a speaker, or is nothing. */
  readonly used: number;
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

/**
 * The messages of one slice. `whole` false = more text follows: the last message may go on there, so it is left to the
 * next slice, which begins with it. Neighbours of one role stay messages of their own.
 */
export function parseSlice(text: string, whole: boolean): ImportedSlice {
  const messages: { role: MessageRole; lines: string[] }[] = [];
  let title = '';
  let fenced = false;
  let at = 0;
  let lastBegan = 0;
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\r$/, '');
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const speaker = fenced ? null : speakerOf(line);
    if (speaker) {
      lastBegan = at;
      messages.push({ role: speaker.role, lines: speaker.rest === '' ? [] : [speaker.rest] });
    } else if (messages.length > 0) messages.at(-1)?.lines.push(line);
    else if (title === '' && line.startsWith('# ')) title = line.slice(2).trim();
    at += raw.length + 1;
  }
  const complete = whole ? messages : messages.slice(0, -1);
  return {
    messages: complete
      .map(({ role, lines }) => ({ role, text: lines.join('\n').trim() }))
      .filter((message) => message.text !== ''),
    title,
    used: whole ? text.length : lastBegan,
  };
}

function speakerOf(line: string): { role: MessageRole; rest: string } | null {
  for (const mark of MARKS) {
    const { name, rest } = mark.exec(line)?.groups ?? {};
    const role = name && SPEAKERS.find(([pattern]) => pattern.test(name))?.[1];
    if (role) return { role, rest: rest?.trim() ?? '' };
  }
  return null;
}
