/** Results of tool calls: stored once each, directly after the answer that called (holds I6). */
import { createHash } from 'node:crypto';
import type { BranchId, MessageId, SessionId, TurnId } from '../../shared/model/ids';
import type { ToolCall } from '../../shared/model/message';
import { one, type ReadDb, type WriteTx } from './database';
import type { StoredResult } from './message-parts';
import { getMessage, insertMessage, lastSeq, messagesBefore } from './messages-table';
import { getText, putText } from './texts-table';

const PAGE = 20;

/** Calls of the last answer on the path that have no result yet, in order. */
export function unansweredCalls(db: ReadDb, branch: BranchId): ToolCall[] {
  const answered = new Set<string>();
  for (let before = lastSeq(db, branch) + 1; before > 1; ) {
    const page = messagesBefore(db, branch, before, PAGE);
    for (const { seq, role, parts } of page) {
      if (role !== 'tool') return (parts?.calls ?? []).filter(({ id }) => !answered.has(id));
      if (parts?.result) answered.add(parts.result.call.id);
      before = seq;
    }
    if (page.length === 0) break;
  }
  return [];
}

/** A result's message has an id of its call's: a second result of one call cannot be. */
function resultId(call: ToolCall): MessageId {
  const hex = createHash('sha256').update(`result ${call.id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}` as MessageId;
}

export interface NewResult {
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly turnId: TurnId;
  readonly result: Omit<StoredResult, 'full'>;
  /** What the model gets. */
  readonly text: string;
  /** The whole text and its tokens, where `text` is shortened. */
  readonly full: { readonly text: string; readonly tokens: number } | null;
  readonly searchable: boolean;
  readonly now: number;
}

/** Answers its message's id, or null: the turn has ended, or the call has its result already. */
export function insertResult(tx: WriteTx, row: NewResult): MessageId | null {
  const { sessionId, branchId, turnId, text, full, searchable, now } = row;
  const open = one(tx, 'SELECT 1 FROM turns WHERE id = :turnId AND ended_at IS NULL', { turnId });
  const { call } = row.result;
  if (!open || !unansweredCalls(tx, branchId).some(({ id }) => id === call.id)) return null;
  const id = resultId(call);
  const kept = full && { full: { hash: putFull(tx, call, full.text), tokens: full.tokens } };
  const parts = { result: { ...row.result, ...kept } };
  insertMessage(tx, {
    id,
    sessionId,
    branchId,
    turnId,
    role: 'tool',
    status: 'complete',
    text,
    parts,
    searchable,
    now,
  });
  return id;
}

/** The call stands beside it, so that no two results share a text and it can go with its message. */
interface FullText {
  readonly call: string;
  readonly text: string;
}

function putFull(tx: WriteTx, call: ToolCall, text: string): string {
  return putText(tx, JSON.stringify({ call: call.id, text } satisfies FullText)).toString('hex');
}

/** The whole text of a result, shortened or not. null = no such result. */
export function fullResult(db: ReadDb, id: MessageId): string | null {
  const message = getMessage(db, id);
  const result = message?.parts?.result;
  if (!message || !result) return null;
  if (!result.full) return message.text;
  const kept = getText(db, Buffer.from(result.full.hash, 'hex'));
  return kept === null ? null : (JSON.parse(kept) as FullText).text;
}
