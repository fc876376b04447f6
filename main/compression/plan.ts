/** What an attempt covers. Pure: sizes in, a range or a reason out. */
import type { NothingReason } from '../../shared/model/compression';
import type { SummaryId } from '../../shared/model/ids';
import type { MessageRole } from '../../shared/model/message';
import { summaryBudget, tailBudget } from './policy';

export interface SizedMessage {
  readonly seq: number;
  readonly role: MessageRole;
  readonly tokens: number;
}

/** The text summary that the view shows at the start of the path. */
export interface Base {
  readonly id: SummaryId;
  readonly coversTo: number;
  readonly tokens: number;
  /** False for `extract`: what only it covers is read again from the originals. */
  readonly builtUpon: boolean;
}

export interface PlanInput {
  /** Every message after the base's cutoff, in order. */
  readonly live: readonly SizedMessage[];
  /** Messages the base covers, in order; needed only where it is not built upon. */
  readonly base: Base | null;
  readonly usable: number;
  readonly keepTurns: number;
  /** True while the newest user message waits for its answer: it stays byte for byte. */
  readonly openTurn: boolean;
}

export type Plan =
  | {
      readonly kind: 'range';
      readonly from: number;
      /** Sequence number of the last message that the summary will cover. */
      readonly cutoff: number;
      /** First message whose original is read. */
      readonly readFrom: number;
      /** What the view shows for `from` now, and must still show at the commit. */
      readonly base: SummaryId | null;
      /** True where the base's text is folded in. */
      readonly buildsOnBase: boolean;
      readonly aboveTarget: boolean;
    }
  | { readonly kind: 'nothing'; readonly reason: NothingReason };

/** Splits at user messages: a turn is one user message and all that answers it. */
export function turnsOf(messages: readonly SizedMessage[]): SizedMessage[][] {
  const turns: SizedMessage[][] = [];
  for (const message of messages) {
    // two user messages in a row (the second sent before any answer) are turns of their own
    if (message.role === 'user' || turns.length === 0) turns.push([message]);
    else turns.at(-1)?.push(message);
  }
  return turns;
}

const sum = (messages: readonly SizedMessage[]) => messages.reduce((total, message) => total + message.tokens, 0);

/** Number of newest turns that stay as they are. */
export function keptTurns(input: Pick<PlanInput, 'live' | 'usable' | 'keepTurns' | 'openTurn'>): SizedMessage[][] {
  const turns = turnsOf(input.live);
  const least = Math.max(input.keepTurns, input.openTurn ? 1 : 0);
  const budget = tailBudget(input.usable);
  const kept: SizedMessage[][] = [];
  let tokens = 0;
  for (const turn of turns.reverse()) {
    tokens += sum(turn);
    if (kept.length >= least && tokens > budget) break;
    kept.unshift(turn);
  }
  return kept;
}

/** Tokens of the newest turns that no compression may cover. */
export function protectedTokens(input: Pick<PlanInput, 'live' | 'keepTurns' | 'openTurn'>): number {
  const least = Math.max(input.keepTurns, input.openTurn ? 1 : 0);
  return least === 0 ? 0 : sum(turnsOf(input.live).slice(-least).flat());
}

export function planRange(input: PlanInput, targetTokens: number): Plan {
  const kept = keptTurns(input);
  const keptCount = kept.reduce((count, turn) => count + turn.length, 0);
  const covered = input.live.slice(0, input.live.length - keptCount);
  const last = covered.at(-1);
  const rereads = input.base !== null && !input.base.builtUpon;
  if (!last) {
    // nothing new to cover, but an extract may still be read again by a model
    if (!rereads || !input.base) return { kind: 'nothing', reason: 'nothing-covered' };
    return {
      kind: 'range',
      from: 1,
      cutoff: input.base.coversTo,
      readFrom: 1,
      base: input.base.id,
      buildsOnBase: false,
      aboveTarget: false,
    };
  }
  const least = Math.min(200, summaryBudget(input.usable));
  if (!rereads && sum(covered) + (input.base?.tokens ?? 0) <= least)
    return { kind: 'nothing', reason: 'nothing-to-gain' };
  const after = sum(kept.flat()) + summaryBudget(input.usable);
  return {
    kind: 'range',
    from: 1,
    cutoff: last.seq,
    readFrom: input.base?.builtUpon ? input.base.coversTo + 1 : 1,
    base: input.base?.id ?? null,
    buildsOnBase: input.base?.builtUpon ?? false,
    aboveTarget: after > targetTokens,
  };
}
