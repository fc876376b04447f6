import type { BranchId, SessionId } from '../../../shared/model/ids';
import { groupsOf, type Plan, planRange, type Range, type SizedMessage } from '../../compression/plan';
import type { TokenRates } from '../../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../../providers/token-estimate';
import { coveredPins, entryTokens, pinTokens } from '../../turns/pin-block';
import type { ReadDb } from '../database';
import { lastSeq, type MessageSize, sizesBetween } from '../messages-table';
import { pinsOnPath } from '../pins-table';
import { shownStubs } from '../shown-stubs';
import { shownOnPath } from '../summaries-table';
import { openTurn } from '../turns-table';
import { counter } from './counter';

const sized = (size: MessageSize, rates: TokenRates): SizedMessage => ({
  seq: size.seq,
  role: size.role,
  tokens: tokensOf(size, rates) + MESSAGE_OVERHEAD,
});

export interface PlanJob {
  readonly sessionId: SessionId;
  readonly branch: BranchId;
  readonly usable: number;
  readonly target: number;
  readonly keepTurns: number;
  /** True where a model may read again what only an extract covers. */
  readonly readsAgain: boolean;
  /** What the user chose to cover; null = what the rules say. */
  readonly chosen: Range | null;
  readonly rates: TokenRates;
}
export interface PlanAnswer {
  readonly plan: Plan;
  /** Tokens of the covered originals. */
  readonly tokensBefore: number;
  /** Tokens that the view shows for the covered range now, less what its pins will still cost in their block. */
  readonly tokensShown: number;
  /** Tokens that the view shows in all. */
  readonly tokensInView: number;
}

export function plan(db: ReadDb, job: PlanJob): PlanAnswer {
  const shown = shownOnPath(db, job.branch).map((row) => ({
    id: row.id,
    coversFrom: row.coversFrom,
    coversTo: row.coversTo,
    tokens: counter(job.rates)(row.text),
    builtUpon: row.author !== 'extract' || !job.readsAgain,
  }));
  const stubs = shownStubs(db, job.branch);
  const originals = sizesBetween(db, job.branch, 1, lastSeq(db, job.branch)).map((size) => sized(size, job.rates));
  const messages = originals.map((message) => {
    const stub = stubs.get(message.seq);
    return stub ? { ...message, tokens: counter(job.rates)(stub.text) + MESSAGE_OVERHEAD } : message;
  });
  const { usable, keepTurns, chosen } = job;
  // asked now, not when it was wished for: a question that waits stays byte for byte
  const waits = openTurn(db, job.sessionId) !== null;
  const standing = pinsOnPath(db, job.branch);
  const pins = standing.map((pin) => ({ seq: pin.seq, tokens: entryTokens(pin, job.rates) }));
  const answer = planRange({ messages, shown, pins, usable, keepTurns, openTurn: waits, chosen }, job.target);
  if (answer.kind === 'nothing') return { plan: answer, tokensBefore: 0, tokensShown: 0, tokensInView: 0 };
  const sum = (some: readonly { readonly tokens: number }[]) => some.reduce((total, one) => total + one.tokens, 0);
  const groups = groupsOf(messages, shown);
  const block = (covered: Parameters<typeof coveredPins>[1]) => pinTokens(coveredPins(standing, covered), job.rates);
  const pinsGrow = block([...shown, { coversFrom: answer.from, coversTo: answer.cutoff }]) - block(shown);
  return {
    plan: answer,
    tokensBefore: sum(originals.filter(({ seq }) => seq >= answer.from && seq <= answer.cutoff)),
    tokensShown: sum(groups.filter(({ from, to }) => from >= answer.from && to <= answer.cutoff)) - pinsGrow,
    tokensInView: sum(groups),
  };
}
