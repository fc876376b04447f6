import type { SummaryId } from '../../../shared/model/ids';
import { type EditedText, editedText } from '../../compression/edited';
import { countChars } from '../../lib/char-counts';
import type { TokenRates } from '../../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../../providers/token-estimate';
import type { ReadDb } from '../database';
import { messagesBetween } from '../messages-table';
import { getSummary } from '../summaries-table';

export interface EditJob {
  readonly summary: SummaryId;
  /** The text as it was typed. */
  readonly text: string;
  readonly rates: TokenRates;
}
export type EditAnswer =
  | (EditedText & { readonly kind: 'edited'; readonly tokensBefore: number; readonly tokensAfter: number })
  | { readonly kind: 'gone' | 'empty' }
  /** It would not be smaller than what it covers. */
  | { readonly kind: 'too-large'; readonly tokensBefore: number; readonly tokensAfter: number };

/** What the typed text becomes as a summary of the same messages, counted as any candidate is. */
export function edit(db: ReadDb, job: EditJob): EditAnswer {
  const old = getSummary(db, job.summary);
  if (!old) return { kind: 'gone' };
  const range = { from: old.coversFrom, to: old.coversTo };
  const messages = messagesBetween(db, old.branchId, range.from, range.to);
  const edited = editedText(old, job.text, messages, range);
  if (!edited) return { kind: 'empty' };
  const tokensBefore = messages.reduce((sum, one) => sum + tokensOf(one, job.rates) + MESSAGE_OVERHEAD, 0);
  const tokensAfter = tokensOf(countChars(edited.text), job.rates) + MESSAGE_OVERHEAD;
  if (tokensAfter >= tokensBefore) return { kind: 'too-large', tokensBefore, tokensAfter };
  return { kind: 'edited', ...edited, tokensBefore, tokensAfter };
}
