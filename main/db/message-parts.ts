/** What a message holds besides plain text: the JSON of `messages.parts`. */
import type { AttachmentHash, AttachmentKind } from '../../shared/model/attachment';
import type { ResultState, ToolCall, ToolResult } from '../../shared/model/message';
import { addChars, type CharCounts, countChars } from '../lib/char-counts';

export interface StoredResult {
  readonly call: ToolCall;
  readonly state: ResultState;
  readonly tookMs: number | null;
  /** Where the whole text is, if the message holds it shortened: its hash in `texts`, and its tokens. */
  readonly full?: { readonly hash: string; readonly tokens: number };
}

/** One file of a message and where its own words stand in the message's text: [from, to). */
export interface AttachedFile {
  readonly hash: AttachmentHash;
  readonly name: string;
  readonly kind: AttachmentKind;
  readonly bytes: number;
  readonly from: number;
  readonly to: number;
}

/** The text of such a message is what the user typed, then each file as quoted text. */
export interface Attached {
  /** UTF-16 units of the text that the user typed. */
  readonly typed: number;
  readonly files: readonly AttachedFile[];
}

export interface MessageParts {
  /** Of an answer. */
  readonly calls?: readonly ToolCall[];
  /** Of a tool's result. */
  readonly result?: StoredResult;
  /** Of a user message with files. */
  readonly attached?: Attached;
}

/** A picture is priced like so many characters: 1,500 tokens before a model's rates are known. */
export const IMAGE_CHARS: CharCounts = { ascii: 4_500, cjk: 0, other: 0 };

/** Characters of a message as it is sent: its text, the calls beside it, and what its pictures cost. */
export function charsOf(text: string, parts: MessageParts | null): CharCounts {
  const calls = parts?.calls ? [countChars(callsText(parts.calls))] : [];
  return [...calls, ...imagesOf(parts).map(() => IMAGE_CHARS)].reduce(addChars, countChars(text));
}

/** What the user typed of it: without the files that are quoted behind. */
export function typedText(text: string, parts: MessageParts | null): string {
  return parts?.attached ? text.slice(0, parts.attached.typed) : text;
}

/** The same without files: they are not sent. */
export function withoutFiles(parts: MessageParts | null): MessageParts | null {
  if (!parts?.attached) return parts;
  const { attached: _, ...rest } = parts;
  return rest;
}

/** The pictures of a user message. */
export function imagesOf(parts: MessageParts | null): AttachmentHash[] {
  return (parts?.attached?.files ?? []).filter(({ kind }) => kind === 'image').map(({ hash }) => hash);
}

/** What calls cost in a request, near enough: every template writes them as JSON. */
function callsText(calls: readonly ToolCall[]): string {
  return JSON.stringify(calls.map(({ name, args }) => ({ name, args })));
}

/** An answer with its calls told in words: for whoever reads them as text. */
export function withCalls(text: string, calls: readonly ToolCall[]): string {
  const told = calls.map(({ name, args }) => `[Called ${name} with ${args}]`);
  return [...(text === '' ? [] : [text]), ...told].join('\n\n');
}

export function shownResult(result: StoredResult): ToolResult {
  const { call, state, tookMs, full } = result;
  return { call, state, tookMs, fullTokens: full?.tokens ?? null };
}
