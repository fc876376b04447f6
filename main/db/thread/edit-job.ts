import type { SummaryId } from '../../../shared/model/ids';
import { type EditAnswer, editedSections, editedText } from '../../compression/edited';
import { readMessage } from '../../compression/read-message';
import { SourceFinder } from '../../compression/sources';
import type { TokenRates } from '../../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../../providers/token-estimate';
import type { ReadDb } from '../database';
import { PathReader } from '../path-reader';
import { getSummary } from '../summaries-table';
import { counter } from './counter';
import { readRange, type Steps } from './read-range';

export interface EditJob {
  readonly summary: SummaryId;
  /** The text as it was typed. */
  readonly text: string;
  readonly rates: TokenRates;
}

/** What the typed text becomes as a summary of the same messages, counted as any candidate is. */
export function* edit(db: ReadDb, job: EditJob): Steps<EditAnswer> {
  const old = getSummary(db, job.summary);
  if (!old) return { kind: 'gone' };
  const sections = editedSections(old.sections, job.text);
  if (!sections) return { kind: 'empty' };
  const range = { branch: old.branchId, from: old.coversFrom, to: old.coversTo };
  const finder = new SourceFinder(sections);
  let tokensBefore = 0;
  yield* readRange(new PathReader(db, old.branchId), range, (row) => {
    tokensBefore += tokensOf(row, job.rates) + MESSAGE_OVERHEAD;
    finder.add(readMessage(row), row.text);
  });
  const edited = editedText(finder.linked(range), old.receipt);
  const tokensAfter = counter(job.rates)(edited.text) + MESSAGE_OVERHEAD;
  if (tokensAfter >= tokensBefore) return { kind: 'too-large', tokensBefore, tokensAfter };
  return { kind: 'edited', ...edited, tokensBefore, tokensAfter };
}
