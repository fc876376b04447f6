/** Numbers and choices of compression, in one place and pure. Source of all numbers: design, sections 5, 6 and 10. */
import { assertNever } from '../../shared/exhaustive';
import { type Need, type NoModelReason, type Strategy, strategies } from '../../shared/model/compression';
import type { StreamPhase } from '../hosts/protocol';
import type { TokenRates } from '../providers/registry-types';

export const LEASE = { ttlMs: 45_000, renewMs: 15_000 } as const;
/** Stream to acknowledge a cancel; the quit's own grace; then the kill. */
export const GRACE = { cancelMs: 5_000, quitMs: 500, writeOffMs: 30_000 } as const;
/** A turn at the hard mark that lost the race for the lease goes out after this long, if it fits. */
export const PRESSURE_WAIT_MS = 10_000;
/** Waiting for a summarizer slot, by a turn. */
export const SLOT_WAIT_MS = 2_000;
/** Trying again a commit that found the database busy. */
export const COMMIT_WAIT = { totalMs: 15_000, firstMs: 10, mostMs: 320 } as const;
/** Most that one chunk, and the notes on it, may have. */
const CHUNK_TOKENS = 6_000;
const NOTES_TOKENS = 1_024;
/** Tokens set aside for the instruction in every request of a summary, by a generous count. */
export const INSTRUCTION_ROOM = 400;
/** A model that cannot take a chunk of this size besides instruction and notes writes no summaries. */
const LEAST_CHUNK_TOKENS = 512;
/** The smallest window from which summaries are written; tokens. */
export const LEAST_SUMMARY_WINDOW = LEAST_CHUNK_TOKENS + INSTRUCTION_ROOM + NOTES_TOKENS;

export interface PartSizes {
  /** Tokens of a chunk, and of the notes on it. */
  readonly chunk: number;
  readonly notes: number;
  /** Tokens of what one request folds, and of the summary that comes of it. */
  readonly fold: number;
  readonly summary: number;
}
/**
 * How a model with that window reads and folds; null = not known. Three notes, or the summary so far and two, go into
 * one fold, so that each request makes fewer of them; the summary has a third of a small window at most.
 */
export function partSizes(served: number | null, budget: number): PartSizes {
  if (served === null) return { chunk: CHUNK_TOKENS, notes: NOTES_TOKENS, fold: CHUNK_TOKENS, summary: budget * 2 };
  const room = served - INSTRUCTION_ROOM;
  const summary = Math.min(budget * 2, Math.floor(room / 3));
  const fold = room - summary;
  const notes = Math.min(NOTES_TOKENS, Math.floor(fold / 3));
  return { chunk: Math.min(CHUNK_TOKENS, Math.max(LEAST_CHUNK_TOKENS, room - notes)), notes, fold, summary };
}

/** Automatic attempts a turn may use. */
export const ATTEMPTS_PER_TURN = 2;
/** An attempt that gains less of the request did not help the turn. */
export const PROGRESS_SHARE = 0.05;
/** A summary of more than this share of what it covers is refused. */
export const LARGEST_SHARE = 0.9;
/** Share of invented identifiers above which a candidate is refused whole. */
export const INVENTED_SHARE = 0.1;

/** Tokens a second assumed until the model was measured. */
const PREFILL_RATE = 30;

/** Milliseconds without substance before a stream counts as stalled. */
export function patienceMs(phase: StreamPhase, promptTokens: number, prefillRate: number | null): number {
  switch (phase) {
    case 'connecting':
      return 30_000;
    case 'loading':
      return 120_000;
    case 'reading':
      return 60_000 + Math.ceil((3_000 * promptTokens) / (prefillRate ?? PREFILL_RATE));
    case 'writing':
      return 60_000;
    default:
      return assertNever(phase);
  }
}
/** Loading may go on this long in all, signs of life or not. */
export const LOADING_CEILING_MS = 600_000;
/** Milliseconds one chunk may take from its first phase to its end. */
export function ceilingMs(promptTokens: number, prefillRate: number | null): number {
  return patienceMs('reading', promptTokens, prefillRate) + 300_000;
}

/** A step of calibration that moves a cut between chunks. */
const COARSE = 1.25;

/**
 * Rates rounded up to steps of a quarter. Chunks are cut by these, so that a rate which is calibrated a little between
 * two attempts moves no cut, and finished chunks are found again.
 */
export function coarseRates(rates: TokenRates): TokenRates {
  const up = (rate: number) => COARSE ** Math.ceil(Math.log(rate) / Math.log(COARSE) - 1e-9);
  return { ...rates, ascii: up(rates.ascii), cjk: up(rates.cjk), other: up(rates.other) };
}

export interface Marks {
  /** The window less the reserve for the answer. */
  readonly usable: number;
  readonly reserve: number;
  /** null = there is none: compression waits for the hard mark. */
  readonly soft: number | null;
  readonly hard: number;
  /** Fill to reach after a compression. */
  readonly target: number;
}

/** Marks in tokens. `outputCap` = the model's own limit of an answer; `turnTokens` = this session's average turn, 0 = none. */
export function marksOf(windowTokens: number, outputCap: number | null, turnTokens: number): Marks {
  const reserve = Math.min(outputCap ?? Number.POSITIVE_INFINITY, Math.floor(windowTokens * 0.25));
  const usable = windowTokens - reserve;
  const target = Math.floor(usable * 0.4);
  const highest = usable * 0.75;
  const soft = Math.min(highest, Math.max(usable * 0.6, target + 3 * turnTokens));
  return {
    usable,
    reserve,
    soft: highest - target < turnTokens ? null : Math.floor(soft),
    hard: Math.floor(usable * 0.8),
    target,
  };
}

/** What a request of `tokens` needs; null = nothing. Unknown windows (marks null) never block. */
export function needOf(tokens: number, marks: Marks | null): 'pressure' | 'must' | null {
  if (marks === null) return null;
  if (tokens > marks.usable) return 'must';
  return tokens >= marks.hard ? 'pressure' : null;
}

/** Tokens of a summary: a tenth of the usable window, 200 to 2,000. Half of it is for anchors. */
export function summaryBudget(usable: number): number {
  return Math.min(2_000, Math.max(200, Math.floor(usable * 0.1)));
}
/** Tokens of the live tail beyond the turns that are kept in any case. */
export function tailBudget(usable: number): number {
  return Math.floor(usable * 0.25);
}

export interface RowInput {
  readonly need: Need;
  /** What the user chose, for `manual`. */
  readonly chosen: readonly Strategy[] | null;
  /** Why the model cannot write summaries; null = it can. */
  readonly whyNot: NoModelReason | null;
  readonly summarizePaused: boolean;
  /** Pruning gained nothing, and the session has not grown since. */
  readonly prunePaused: boolean;
  /** The user reads what is committed first: lines in the place of messages are nothing to read. */
  readonly reviewed: boolean;
  /** A bulky tool result is among what the next request would send. */
  readonly bulkyResults: boolean;
  readonly extractAllowed: boolean;
}
export interface StrategyRow {
  readonly strategies: readonly Strategy[];
  /** Why the model is passed over, where it is. */
  readonly noModel: NoModelReason | null;
}

/** The strategies of a need, in turn. An empty row is a skip (ahead, pressure) or a deferral (must). */
export function strategyRow(input: RowInput): StrategyRow {
  const wanted = rowOf(input);
  const asked = wanted.includes('summarize');
  const paused = input.summarizePaused && input.need !== 'manual';
  const noModel = asked ? (input.whyNot ?? (paused ? 'in-backoff' : null)) : 'chosen';
  const row = noModel === null ? wanted : wanted.filter((one) => one !== 'summarize');
  const alone = row.every((one) => one === 'prune');
  return { strategies: row.filter((one) => one !== 'prune' || prunes(input, alone)), noModel };
}

/** `alone` = no other strategy follows: then only what is sure to be bulky is worth a lease and a row. */
function prunes(input: RowInput, alone: boolean): boolean {
  if (input.reviewed) return false;
  return input.need === 'manual' || (!input.prunePaused && (!alone || input.bulkyResults));
}

export interface Pruned {
  /** Tokens that the lines take away. */
  readonly saved: number;
  /** Tokens of the whole request, and what the view shows of the range, both without them. */
  readonly request: number;
  readonly shown: number;
  readonly marks: Marks;
  readonly need: Need;
  /** True where another strategy of the row may follow. */
  readonly more: boolean;
}
/**
 * Whether lines in the place of bulky messages are committed as they are. Where a summary may follow only if they reach
 * the target, since it would bury them at once; where nothing follows also for what a summary would have to gain of its
 * range, and for the little that makes a request fit. By hand any gain is one.
 */
export function commitsPruned({ saved, request, shown, marks, need, more }: Pruned): boolean {
  const after = request - saved;
  if (saved <= 0) return false;
  if (request > marks.target && after <= marks.target) return true;
  if (more) return false;
  const fits = request > marks.usable && after <= marks.usable;
  return need === 'manual' || fits || shown - saved <= shown * LARGEST_SHARE;
}

function rowOf(input: RowInput): readonly Strategy[] {
  switch (input.need) {
    case 'ahead':
    case 'pressure':
      return ['prune', 'summarize'];
    case 'must':
      return input.extractAllowed ? strategies : ['prune', 'summarize'];
    case 'manual':
      // a model that cannot summarize is passed over, so that its user is not left without a way
      return input.chosen?.includes('summarize') && input.whyNot !== null && input.extractAllowed
        ? [...new Set<Strategy>([...input.chosen, 'extract'])]
        : (input.chosen ?? strategies);
    default:
      return assertNever(input.need);
  }
}
