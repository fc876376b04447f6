/** What a model's cache still holds of a chat: its last request, byte for byte, with what was said since. */
import { createHash } from 'node:crypto';
import type { BranchId, SessionId } from '../../shared/model/ids';
import type { ReadDb } from '../db/database';
import { lastRequestIn } from '../db/requests-table';
import { getText } from '../db/texts-table';
import type { ChatMessage, ToolSpec } from '../hosts/protocol';
import type { ModelFacts } from '../providers/registry-types';
import { assemble, partsOf, requestBody, totalOf } from './context';
import { loadContext } from './load-context';

export interface WholePrompt {
  readonly messages: readonly ChatMessage[];
  /** The tools that the last request offered. */
  readonly tools: readonly ToolSpec[];
  /** Tokens of all that, by the one counter. */
  readonly tokens: number;
  /** Last message of the path that it holds. */
  readonly to: number;
}

/** An answer and the next question may have come since the last request, with a call and its result between. */
const MOST_SINCE = 6;

/**
 * null = the model answered nothing here yet, or what it was sent is no longer the beginning of what it would be sent
 * now. `limit` = tokens that are worth reading.
 */
export function wholePrompt(
  db: ReadDb,
  { sessionId, branchId }: { readonly sessionId: SessionId; readonly branchId: BranchId },
  model: ModelFacts,
  limit: number,
): WholePrompt | null {
  const last = lastRequestIn(db, sessionId);
  if (last?.model.providerId !== model.ref.providerId || last.model.model !== model.ref.model) return null;
  const loaded = loadContext(db, sessionId, branchId, model.rates, limit);
  const offered = last.recipe.tools === null ? null : getText(db, Buffer.from(last.recipe.tools, 'hex'));
  const tools = offered === null ? [] : (JSON.parse(offered) as ToolSpec[]);
  const tokens = totalOf(partsOf(loaded, tools, model.rates));
  const unread = loaded.unread.ascii + loaded.unread.cjk + loaded.unread.other;
  if (unread > 0 || tokens > limit) return null;
  const messages = assemble(loaded, tools.length > 0);
  const isLast = (part: readonly ChatMessage[]) =>
    createHash('sha256').update(requestBody(part, tools)).digest().equals(last.sha256);
  // what has no answer may be what the server just refused as too long
  for (let since = 1; since < Math.min(MOST_SINCE, messages.length); since++)
    if (isLast(messages.slice(0, messages.length - since)))
      return { messages, tools, tokens, to: loaded.tail.at(-1)?.seq ?? 0 };
  return null;
}
