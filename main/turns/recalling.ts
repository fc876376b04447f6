/**
 * Recall for a model that cannot ask for it: the best passages of what is covered, found by the newest question and kept
 * with its turn. They stay, byte for byte, until the path shows other summaries; then the next turn looks anew.
 */
import type { SessionId, SummaryId, TurnId } from '../../shared/model/ids';
import type { RecalledPassage } from '../../shared/model/message';
import { summaryBudget } from '../compression/policy';
import { typedText } from '../db/message-parts';
import type { StoredMessage } from '../db/messages-table';
import { storeRecall } from '../db/recalls';
import type { DataThread } from '../db/thread/client';
import type { Clock } from '../lib/clock';
import type { ModelFacts } from '../providers/registry-types';
import type { TurnWrites } from './fenced-writes';
import { coveredBy, type Measured } from './measure';

/** A request does not wait longer for its passages. Milliseconds. */
const WAIT_MS = 1_000;
/** Tokens where the window is unknown; less than the least are of no use. */
const TOKENS = { unknown: 500, least: 80 } as const;

export interface RecallEnv {
  readonly seam: TurnWrites;
  readonly clock: Clock;
  readonly data: DataThread;
  log(line: string): void;
}

/** What is looked for, and where; null = nothing is covered, or there is no room, or it has been looked for. */
interface Search {
  readonly question: StoredMessage;
  readonly view: readonly SummaryId[];
  readonly budget: number;
}

/** Answers the question whose passages are now stored; null = the measure stands as it is. */
export async function recallFor(
  env: RecallEnv,
  turn: { readonly id: TurnId; readonly sessionId: SessionId },
  facts: ModelFacts,
  measured: Measured,
): Promise<StoredMessage | null> {
  const search = facts.tools ? null : searchOf(measured);
  if (!search) return null;
  const { question, view, budget } = search;
  try {
    const passages = await inTime(
      env.clock,
      env.data.ask('recall', {
        branch: question.branchId,
        ranges: coveredBy(measured.loaded),
        question: typedText(question.text, question.parts),
        budget,
        rates: facts.rates,
        strict: true,
      }),
    );
    if (passages.length === 0) return null;
    await env.seam.write(turn.sessionId, (tx) => storeRecall(tx, turn.id, { view, passages }));
    return question;
  } catch (error) {
    env.log(`turn ${turn.id} goes without recall: ${String(error)}`);
    return null;
  }
}

function searchOf({ loaded, marks, measure }: Measured): Search | null {
  const question = loaded.tail.findLast(({ role }) => role === 'user');
  if (!question || coveredBy(loaded).length === 0 || loaded.recalled.has(question.rid)) return null;
  // what is recalled is never a reason to compress, or to find that the message does not fit
  const room = marks === null ? TOKENS.unknown : marks.hard - 1 - measure.tokens - BLOCK_TOKENS;
  const budget = Math.min(room, marks === null ? TOKENS.unknown : summaryBudget(marks.usable));
  return budget < TOKENS.least ? null : { question, view: loaded.summaries.map(({ id }) => id), budget };
}

/** What stands around the passages, generously. */
const BLOCK_TOKENS = 60;

function inTime(clock: Clock, passages: Promise<readonly RecalledPassage[]>): Promise<readonly RecalledPassage[]> {
  return new Promise((resolve, reject) => {
    const disarm = clock.after(WAIT_MS, () => resolve([]));
    passages.finally(disarm).then(resolve, reject);
  });
}
