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

/** Characters of a message as it is sent: its text and the calls beside it. */
export function charsOf(text: string, parts: MessageParts | null): CharCounts {
  const chars = countChars(text);
  return parts?.calls ? addChars(chars, countChars(callsText(parts.calls))) : chars;
}

/** What calls cost in a request, near enough: every template writes them as JSON. */
export function callsText(calls: readonly ToolCall[]): string {
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
