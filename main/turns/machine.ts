/**
 * The turn machine: `step(state, input) -> { state, effects }`, pure (holds I7, I8 and P22, P25 to P31).
 *
 *   queued -> preparing -> (compressing) -> requesting -> streaming -> (tools -> preparing)* -> completed
 *                       -> deferred -> preparing        any -> stopped | interrupted | exhausted | failed
 *
 * Before every request the context is measured, after tools and after a refusal too. A deferral comes out the same at all
 * five places (first measure, measure after a compression, 413, overflow, after tools): no attempt counts, nothing blocks.
 */
import type { ErrorCode, ErrorFields } from '../../shared/errors';
import { assertNever } from '../../shared/exhaustive';
import type { AttemptOutcome, Trigger } from '../../shared/model/compression';
import type { DeferReason, Exhausted, TurnReason, TurnState } from '../../shared/model/turn';
import { ATTEMPTS_PER_TURN, type Marks, needOf, PRESSURE_WAIT_MS, PROGRESS_SHARE } from '../compression/policy';

/** What the next request would be, by the one counter. */
export interface Measure {
  readonly tokens: number;
  /** The request's body, near enough: what a server counts that answers 413. */
  readonly bytes: number;
  /** null = the served window is unknown: nothing is blocked. */
  readonly marks: Marks | null;
  /** Tokens that no compression may take: system prompt, pins, the newest turns and the smallest summary. */
  readonly protectedTokens: number;
  readonly windowTokens: number;
  /** True where older messages were not even read: such a request may not leave. */
  readonly truncated: boolean;
}

export interface TurnMachine {
  readonly at: TurnState;
  readonly reason: TurnReason | null;
  /** Milliseconds until it goes on by itself, counted from this step; null = no timer. */
  readonly wakeAfterMs: number | null;
  /** Automatic attempts used, after refunds. */
  readonly attempts: number;
  readonly bypassed: boolean;
  /** The running attempt is the one that may call the model in spite of a backoff: a deferral gives that back. */
  readonly bypassing: boolean;
  /** Compressing is of no more use in this turn: nothing to gain, or no progress. */
  readonly blocked: boolean;
  /** At the hard mark the request goes out as it is. */
  readonly uncompressed: boolean;
  /** The provider proved an overflow, and of what: the estimate is not to be trusted that it fits. */
  readonly overflowed: Unit | null;
  /** The server refused a prompt that fits, for the answer that was asked for: a shorter one was asked for, once. */
  readonly askedLess: boolean;
  /** The last attempt failed: what does not fit is not exhausted by that. */
  readonly failed: boolean;
  /** The measure before the compression: less progress than a twentieth blocks. */
  readonly before: { readonly unit: Unit; readonly size: number } | null;
  readonly need: 'pressure' | 'must' | null;
  /** Goes out although another chat is being answered there: the user's word. */
  readonly beside: boolean;
  /** How often a server has asked this turn to wait. */
  readonly waits: number;
}

/** What a server found too large: 413 speaks of bytes, everything else of tokens. */
export type Unit = 'tokens' | 'bytes';

export type Input =
  | { readonly in: 'begin' }
  | { readonly in: 'measured'; readonly measure: Measure; readonly automatic: 'on' | 'off' | 'breaker' }
  /** `joined` = it ran already when the turn came: its failure does not count against the turn. */
  | { readonly in: 'compressed'; readonly outcome: AttemptOutcome; readonly joined: boolean }
  | { readonly in: 'skipped' }
  | { readonly in: 'paused'; readonly until: number; readonly now: number }
  /** A compression that the request need not wait for makes no progress. */
  | { readonly in: 'compression-stalls' }
  | { readonly in: 'send-now' }
  /** `free` = what it waited for has ended; `timer` = it waited long enough; `anew` = its model or the clock is another. */
  | { readonly in: 'wake'; readonly cause: 'free' | 'timer' | 'anew' }
  | { readonly in: 'text' }
  | { readonly in: 'answered' }
  /** The answer called tools, and is stored. */
  | { readonly in: 'called' }
  /** Every call has its result, stored. */
  | { readonly in: 'results' }
  /** The server refuses tools for this model, which is learned: the same again without them. */
  | { readonly in: 'no-tools' }
  | { readonly in: 'overflow'; readonly of: Unit; readonly textShown: boolean }
  /** Too long only with the answer that was asked for; the server's count of the prompt, and its window, are learned. */
  | { readonly in: 'answer-too-long' }
  /** Another chat is being answered by what takes one request at a time. */
  | { readonly in: 'server-busy' }
  /** The server asks to be left alone; `afterMs` = for how long, where it says so. `code` and `fields` = its own words. */
  | {
      readonly in: 'asked-to-wait';
      readonly afterMs: number | null;
      readonly code: ErrorCode;
      readonly fields: ErrorFields;
    }
  | { readonly in: 'failed'; readonly code: ErrorCode; readonly fields: ErrorFields }
  | { readonly in: 'interrupted' }
  | { readonly in: 'stop' };

export type Effect =
  | { readonly do: 'measure' }
  | { readonly do: 'compress'; readonly need: 'pressure' | 'must'; readonly trigger: Trigger; readonly bypass: boolean }
  | { readonly do: 'request' }
  | { readonly do: 'stop-stream' }
  | { readonly do: 'run-tools' }
  /** What runs is left, every open call gets a result that says so. */
  | { readonly do: 'stop-tools'; readonly why: 'cancelled' | 'interrupted' }
  /** The turn no longer waits for the attempt, which goes on as background work. */
  | { readonly do: 'let-go' }
  | { readonly do: 'cancel-compression' };

export interface Step {
  readonly state: TurnMachine;
  readonly effects: readonly Effect[];
}

/** A turn that waits for a worker's end looks again this often. */
const RETRY_MS = 2_000;
/** Waits before a server is asked again that does not say for how long; as many as a turn may be asked for. */
const SERVER_WAITS_MS = [5_000, 15_000, 30_000, 60_000, 60_000] as const;
/** A server that asks for more than this is not waited for. */
const LONGEST_WAIT_MS = 600_000;

export const QUEUED: TurnMachine = {
  at: 'queued',
  reason: null,
  wakeAfterMs: null,
  attempts: 0,
  bypassed: false,
  bypassing: false,
  blocked: false,
  uncompressed: false,
  overflowed: null,
  askedLess: false,
  failed: false,
  before: null,
  need: null,
  beside: false,
  waits: 0,
};

/** Where a turn that was left goes on: what it has used stays used (holds I8); what was proved may be of another model. */
export function resumed({ attempts, bypassed }: Pick<TurnMachine, 'attempts' | 'bypassed'>): TurnMachine {
  return { ...QUEUED, attempts, bypassed };
}

export function hasEnded(at: TurnState): boolean {
  return at === 'completed' || at === 'stopped' || at === 'interrupted' || at === 'exhausted' || at === 'failed';
}

export function step(state: TurnMachine, input: Input): Step {
  if (hasEnded(state.at)) return { state, effects: [] };
  switch (input.in) {
    case 'begin':
    case 'wake':
      if (state.at !== 'queued' && state.at !== 'deferred') return { state, effects: [] };
      return preparing(input.in === 'wake' ? woken(state, input.cause) : state);
    case 'measured':
      return state.at === 'preparing' ? measured(state, input.measure, input.automatic) : { state, effects: [] };
    case 'compressed':
      return state.at === 'compressing' ? compressed(state, input.outcome, input.joined) : { state, effects: [] };
    case 'skipped':
      if (state.at !== 'compressing') return { state, effects: [] };
      // what waits for a person, or has no strategy that may run ahead of need, says nothing of what must be
      return preparing(
        state.need === 'pressure' ? { ...state, before: null, uncompressed: true } : { ...state, blocked: true },
      );
    case 'paused': {
      if (state.at !== 'compressing') return { state, effects: [] };
      // nothing ran: that there is no progress says nothing
      const unchanged: TurnMachine = { ...state, before: null };
      if (state.need === 'pressure') return preparing({ ...unchanged, uncompressed: true });
      return deferred(unchanged, { kind: 'backoff', until: input.until }, Math.max(0, input.until - input.now));
    }
    case 'compression-stalls':
      if (state.at !== 'compressing' || state.need !== 'pressure') return { state, effects: [] };
      return withEffects(preparing({ ...state, before: null, uncompressed: true }), [{ do: 'let-go' }]);
    case 'send-now':
      return sendNow(state);
    case 'text':
      return state.at === 'requesting' ? { state: { ...state, at: 'streaming' }, effects: [] } : { state, effects: [] };
    case 'answered':
      return requested(state) ? ended(state, 'completed', null) : { state, effects: [] };
    case 'called':
      if (!requested(state)) return { state, effects: [] };
      return { state: { ...state, at: 'tools', beside: false }, effects: [{ do: 'run-tools' }] };
    case 'results':
      return state.at === 'tools' ? preparing(state) : { state, effects: [] };
    case 'no-tools':
      return requested(state) ? preparing(state) : { state, effects: [] };
    case 'overflow':
      return requested(state) ? overflowed(state, input.of, input.textShown) : { state, effects: [] };
    case 'answer-too-long':
      if (!requested(state)) return { state, effects: [] };
      return state.askedLess ? overflowed(state, 'tokens', false) : preparing({ ...state, askedLess: true });
    case 'server-busy':
      if (state.at !== 'requesting') return { state, effects: [] };
      return deferred(state, { kind: 'server-busy', by: 'chat' }, null);
    case 'asked-to-wait': {
      if (state.at !== 'requesting') return { state, effects: [] };
      const own = SERVER_WAITS_MS[state.waits];
      if (own === undefined || (input.afterMs ?? own) > LONGEST_WAIT_MS)
        return ended(state, 'failed', { state: 'failed', code: input.code, fields: input.fields });
      return deferred(
        { ...state, waits: state.waits + 1 },
        { kind: 'server-busy', by: 'server' },
        input.afterMs ?? own,
      );
    }
    case 'failed':
      return ended(state, 'failed', { state: 'failed', code: input.code, fields: input.fields });
    case 'interrupted':
      return withEffects(ended(state, 'interrupted', null), leaveTools(state, 'interrupted'));
    case 'stop':
      return stopped(state);
    default:
      return assertNever(input);
  }
}

const requested = (state: TurnMachine) => state.at === 'requesting' || state.at === 'streaming';

function preparing(state: TurnMachine): Step {
  return { state: { ...state, at: 'preparing', reason: null, wakeAfterMs: null }, effects: [{ do: 'measure' }] };
}

/** Waiting at the hard mark was long enough: the request goes out as it is, if it fits. */
function waitedOut(state: TurnMachine): TurnMachine {
  const why = state.reason?.state === 'deferred' ? state.reason.why : null;
  return why?.kind === 'lease-held' && why.fits ? { ...state, uncompressed: true } : state;
}

function woken(state: TurnMachine, cause: 'free' | 'timer' | 'anew'): TurnMachine {
  switch (cause) {
    case 'free':
      return state;
    case 'timer':
      return waitedOut(state);
    case 'anew':
      return { ...state, overflowed: null, blocked: false }; // that was of the other model
    default:
      return assertNever(cause);
  }
}

function measured(last: TurnMachine, measure: Measure, automatic: 'on' | 'off' | 'breaker'): Step {
  const { marks } = measure;
  // a compression that gained less than a twentieth helps no more in this turn
  const gained = last.before === null || measure[last.before.unit] < last.before.size * (1 - PROGRESS_SHARE);
  const state: TurnMachine = { ...last, before: null, blocked: last.blocked || !gained };
  // an overflow that the provider proved outweighs any estimate that it fits
  const need = state.overflowed !== null ? 'must' : needOf(measure.tokens, marks);
  if (marks === null) return state.overflowed !== null || measure.truncated ? tooLong(state, measure) : request(state);
  if (need === null) return request(state);
  if (need === 'pressure') {
    const useless = state.blocked || state.uncompressed || state.attempts >= ATTEMPTS_PER_TURN || automatic !== 'on';
    return useless ? request(state) : compress(state, measure, 'pressure');
  }
  if (measure.protectedTokens > marks.usable) return exhausted(state, measure, measure.protectedTokens);
  if (state.attempts >= ATTEMPTS_PER_TURN && state.failed) return tooLong(state, measure);
  if (state.blocked || state.attempts >= ATTEMPTS_PER_TURN) return exhausted(state, measure, measure.tokens);
  if (automatic !== 'on') return deferred(state, { kind: automatic === 'off' ? 'auto-off' : 'breaker-open' }, null);
  return compress(state, measure, 'must');
}

function compress(state: TurnMachine, measure: Measure, need: 'pressure' | 'must'): Step {
  const trigger: Trigger = need === 'pressure' ? 'hard-mark' : state.overflowed !== null ? 'overflow' : 'does-not-fit';
  const bypass = need === 'must' && state.overflowed !== null && !state.bypassed;
  const unit = state.overflowed ?? 'tokens';
  return {
    state: {
      ...state,
      at: 'compressing',
      need,
      before: { unit, size: measure[unit] },
      bypassed: state.bypassed || bypass,
      bypassing: bypass,
    },
    effects: [{ do: 'compress', need, trigger, bypass }],
  };
}

function compressed(state: TurnMachine, outcome: AttemptOutcome, joined: boolean): Step {
  const used: TurnMachine = { ...state, attempts: Math.min(ATTEMPTS_PER_TURN, state.attempts + 1) };
  const pressure = state.need === 'pressure';
  switch (outcome.kind) {
    case 'committed':
      return preparing({ ...used, overflowed: null, failed: false });
    case 'nothing-to-do':
      return preparing({ ...state, before: null, blocked: true });
    case 'superseded':
      return preparing({ ...state, before: null });
    case 'deferred': {
      // refunded everywhere, and the no-progress block is not armed
      const free = { ...state, before: null, bypassed: state.bypassed && !state.bypassing };
      if (outcome.why.kind === 'lease-held')
        return deferred(
          free,
          { kind: 'lease-held', holder: outcome.why.holder, fits: pressure },
          pressure ? PRESSURE_WAIT_MS : null,
        );
      if (pressure) return preparing({ ...free, uncompressed: true });
      // that a summarizer is free is told; that a worker has ended is looked for
      return deferred(free, outcome.why, outcome.why.kind === 'model-busy' ? null : RETRY_MS);
    }
    case 'cancelled':
      // the user's cancel of a compression that the request needs stops the turn; its message stays
      return pressure ? preparing({ ...state, before: null, uncompressed: true }) : ended(state, 'stopped', null);
    case 'failed':
      return preparing({ ...(joined ? state : used), before: null, uncompressed: true, failed: true });
    case 'proposed':
      // refunded: each further one is the user's own click
      return pressure
        ? preparing({ ...state, before: null, uncompressed: true })
        : deferred({ ...state, before: null }, { kind: 'review-pending' }, null);
    default:
      return assertNever(outcome);
  }
}

function request(state: TurnMachine): Step {
  return { state: { ...state, at: 'requesting', need: null }, effects: [{ do: 'request' }] };
}

function sendNow(state: TurnMachine): Step {
  const next = { ...state, before: null, uncompressed: true };
  // it fits: it waited for its turn alone
  const why = state.reason?.state === 'deferred' ? state.reason.why : null;
  const waited = why?.kind === 'server-busy' ? { ...state, beside: why.by === 'chat' } : next;
  if (state.at === 'deferred') return preparing(waited);
  if (state.at === 'compressing' && state.need === 'pressure') return withEffects(preparing(next), [{ do: 'let-go' }]);
  return { state, effects: [] };
}

/** After an overflow nothing is repeated by itself once text was shown: the answer is marked cut. */
function overflowed(state: TurnMachine, of: Unit, textShown: boolean): Step {
  if (textShown) return ended(state, 'completed', null);
  return preparing({ ...state, overflowed: of, uncompressed: false });
}

function stopped(state: TurnMachine): Step {
  const effects: Effect[] = requested(state)
    ? [{ do: 'stop-stream' }]
    : state.at === 'compressing' && state.need === 'must'
      ? [{ do: 'cancel-compression' }]
      : state.at === 'compressing'
        ? [{ do: 'let-go' }]
        : leaveTools(state, 'cancelled');
  return withEffects(ended(state, 'stopped', null), effects);
}

function leaveTools(state: TurnMachine, why: 'cancelled' | 'interrupted'): Effect[] {
  return state.at === 'tools' ? [{ do: 'stop-tools', why }] : [];
}

function deferred(state: TurnMachine, why: DeferReason, wakeAfterMs: number | null): Step {
  return { state: { ...state, at: 'deferred', reason: { state: 'deferred', why }, wakeAfterMs }, effects: [] };
}
/** It does not fit, and what could help has failed: the message stays and may be sent again. */
function tooLong(state: TurnMachine, measure: Measure): Step {
  const fields = { needTokens: measure.tokens, windowTokens: measure.marks?.usable ?? measure.windowTokens };
  return ended(state, 'failed', { state: 'failed', code: 'does-not-fit', fields });
}
function exhausted(state: TurnMachine, measure: Measure, needTokens: number): Step {
  const { windowTokens, marks } = measure;
  const why: Exhausted = { needTokens, windowTokens, ...(marks ? { usableTokens: marks.usable } : {}) };
  return ended(state, 'exhausted', { state: 'exhausted', why });
}
function ended(state: TurnMachine, at: TurnState, reason: TurnReason | null): Step {
  return { state: { ...state, at, reason, wakeAfterMs: null }, effects: [] };
}
function withEffects(step: Step, more: readonly Effect[]): Step {
  return { state: step.state, effects: [...more, ...step.effects] };
}
