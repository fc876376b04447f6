/**
 * The attempt machine: `step(state, input) -> { state, effects }`, pure (holds I7, I8 and P2, P8, P13, P14, P16, P20).
 * It holds no clock, mints no id and does no I/O. Two regions: the phase, and the proof that the streams it aborted
 * have stopped. The outcome is final when the phase becomes `ended`; the lease is released when besides the proof is
 * `none`. A pair of state and input that no rule names is ignored.
 */
import type { AttemptDefer, AttemptOutcome, FailureKind, Strategy } from '../../shared/model/compression';
import type { CancelWhy } from '../hosts/protocol';
import type { AttemptState, Effect, Input, Phase, Step } from './attempt-state';

/**
 * `waits` = a row that needs a process has to wait for its slot before the lease is asked for. `second` = a second model
 * may be tried once.
 */
export function begin(row: readonly Strategy[], waits: boolean, second: boolean, ready: boolean): Step {
  const state: AttemptState = {
    phase: { at: waits ? 'waiting' : 'acquiring' },
    proof: 'none',
    row,
    holds: false,
    failure: null,
    parts: 0,
    second,
    ready,
  };
  return { state, effects: waits ? [] : [{ do: 'acquire' }] };
}

export function step(state: AttemptState, input: Input): Step {
  return proofStep(state, input) ?? endingStep(state, input) ?? phaseStep(state, input) ?? { state, effects: [] };
}

/** The second region: the same in every phase. */
function proofStep(state: AttemptState, input: Input): Step | null {
  switch (input.in) {
    case 'stopped': {
      if (state.proof === 'none') return null;
      const next: AttemptState = { ...state, proof: 'none' };
      if (next.phase.at === 'switching') return { state: next, effects: [{ do: 'switch' }] };
      return next.phase.at === 'ended' ? released(next, []) : { state: next, effects: [] };
    }
    case 'grace-over':
      return state.proof === 'stopping'
        ? { state: { ...state, proof: 'killed' }, effects: [{ do: 'kill' }] }
        : { state, effects: [] };
    case 'unseen': {
      if (state.proof !== 'killed') return { state, effects: [] };
      const lost: AttemptState = { ...state, proof: 'written-off' };
      // the second model would wait for an end that nobody sees
      return state.phase.at === 'switching'
        ? next(lost, [{ do: 'write-off' }])
        : { state: lost, effects: [{ do: 'write-off' }] };
    }
    default:
      return null;
  }
}

/** Cancels, supersession and loss of the lease: the same in every phase until the end. */
function endingStep(state: AttemptState, input: Input): Step | null {
  if (state.phase.at === 'ended') return null;
  switch (input.in) {
    case 'cancel': {
      const outcome: AttemptOutcome = { kind: 'cancelled', by: input.by };
      const failure = input.by === 'user' ? (input.outOfPatience ? 'stall-interrupted' : null) : 'interrupted';
      const backoff = failure && modelsTurn(state) ? [{ do: 'backoff', strategy: 'summarize', failure } as const] : [];
      return stopping(state, outcome, input.by, backoff);
    }
    case 'supersede':
      return stopping(state, { kind: 'superseded', by: input.by }, 'superseded', []);
    case 'lease-lost':
      return lost(state);
    case 'data-failed':
      return stopping(state, NOT_SAVED, 'unwind', notSaved(state, 'summarize'));
    default:
      return null;
  }
}

const modelRuns = (state: AttemptState) => state.phase.at === 'summarizing';
const modelsTurn = (state: AttemptState) => modelRuns(state) || state.phase.at === 'switching';

/** Ends from any phase: the fence first, then the stream. */
function stopping(state: AttemptState, outcome: AttemptOutcome, why: CancelWhy, more: readonly Effect[]): Step {
  const running = modelRuns(state);
  const next: AttemptState = running ? { ...state, proof: 'stopping' } : state;
  const effects: Effect[] = [
    { do: 'cancel-fence' },
    ...(running ? [{ do: 'cancel-stream', why } as const] : []),
    ...more,
  ];
  return ended(next, outcome, effects);
}

/** A holder that sees its lease lost aborts its stream first of all, and releases nothing. */
function lost(state: AttemptState): Step {
  const running = modelRuns(state);
  const next: AttemptState = { ...state, holds: false, proof: running ? 'stopping' : state.proof };
  const effects: Effect[] = [
    ...(running ? [{ do: 'cancel-stream', why: 'lease-lost' } as const] : []),
    { do: 'cancel-fence' },
  ];
  return ended(next, { kind: 'failed', failure: 'lease-lost' }, effects);
}

function phaseStep(state: AttemptState, input: Input): Step | null {
  const { phase } = state;
  switch (phase.at) {
    case 'waiting':
      return waitingStep(state, input);
    case 'acquiring':
      return acquiringStep(state, input);
    case 'planning':
      if (input.in === 'planned') return next({ ...state, parts: input.parts }, []);
      if (input.in === 'row') return { state: { ...state, row: input.row }, effects: [] };
      if (input.in === 'nothing') {
        const growth =
          input.reason === 'nothing-to-gain' ? [{ do: 'await-growth', strategy: 'summarize' } as const] : [];
        return ended(state, { kind: 'nothing-to-do', reason: input.reason }, growth);
      }
      return null;
    case 'pruning':
      return pruningStep(state, input);
    case 'summarizing':
      return summarizingStep(state, phase, input);
    case 'switching':
      return switchingStep(state, input);
    case 'extracting':
      if (input.in === 'extracted') return checking(state, 'extract');
      if (input.in === 'row')
        return { state: { ...state, row: input.row.filter((one) => one !== 'extract') }, effects: [] };
      return null;
    case 'checking':
      if (input.in === 'accepted')
        return { state: { ...state, phase: { at: 'saving', strategy: phase.strategy } }, effects: [{ do: 'commit' }] };
      if (input.in === 'refused') return next(...failed(state, phase.strategy, input.failure));
      if (input.in === 'no-gain') {
        const growth: Effect[] = [{ do: 'await-growth', strategy: phase.strategy }];
        if (state.row.length > 0) return next(state, growth); // what the next one makes may be smaller
        return ended(state, { kind: 'nothing-to-do', reason: 'nothing-to-gain' }, growth);
      }
      return null;
    case 'saving':
      return savingStep(state, phase.strategy, input);
    case 'ended':
      // a cancel that was heard between the durable acquire and its answer: the lease is let go at once
      return input.in === 'acquired' ? { state, effects: [{ do: 'release' }] } : null;
  }
}

function waitingStep(state: AttemptState, input: Input): Step | null {
  if (input.in === 'slot-free')
    return { state: { ...state, phase: { at: 'acquiring' } }, effects: [{ do: 'acquire' }] };
  if (input.in === 'row') return { state: { ...state, row: input.row }, effects: [] };
  if (input.in !== 'slot-wait-over') return null;
  const row = state.row.filter((strategy) => strategy !== 'summarize');
  // lines alone may come to nothing, which would say of a busy model that there is nothing to gain
  if (!input.must || !row.includes('extract'))
    return ended(state, { kind: 'deferred', why: { kind: 'model-busy' } }, []);
  return { state: { ...state, row, phase: { at: 'acquiring' } }, effects: [{ do: 'acquire' }] };
}

function acquiringStep(state: AttemptState, input: Input): Step | null {
  const defer = (why: AttemptDefer) => ended(state, { kind: 'deferred', why }, []);
  switch (input.in) {
    case 'acquired':
      if (state.ready) return saving(state);
      return { state: { ...state, holds: true, phase: { at: 'planning' } }, effects: [{ do: 'plan' }] };
    case 'held':
      return defer({ kind: 'lease-held', holder: input.holder });
    case 'kept': {
      if (input.adopt && state.ready) return saving(state);
      if (!input.adopt || !state.row.includes('extract')) return defer({ kind: 'worker-exiting' });
      return {
        state: { ...state, holds: true, row: ['extract'], phase: { at: 'planning' } },
        effects: [{ do: 'plan' }],
      };
    }
    case 'acquire-busy':
      return ended(state, NOT_SAVED, notSaved(state, 'summarize'));
    case 'row':
      return { state: { ...state, row: input.row }, effects: [] };
    default:
      return null;
  }
}

function pruningStep(state: AttemptState, input: Input): Step | null {
  switch (input.in) {
    case 'pruned':
      return { state: { ...state, phase: { at: 'saving', strategy: 'prune' } }, effects: [{ do: 'commit' }] };
    case 'pruned-short':
      if (state.row.length > 0) return next({ ...state, parts: input.parts }, []);
      return ended(state, { kind: 'nothing-to-do', reason: 'nothing-to-gain' }, [
        { do: 'await-growth', strategy: 'prune' },
      ]);
    case 'row':
      return { state: { ...state, row: input.row.filter((one) => one !== 'prune') }, effects: [] };
    default:
      return null;
  }
}

function summarizingStep(state: AttemptState, phase: Extract<Phase, { at: 'summarizing' }>, input: Input): Step | null {
  switch (input.in) {
    case 'part-done': {
      if (phase.part === phase.parts) return checking(state, 'summarize');
      const part = phase.part + 1;
      return { state: { ...state, phase: { ...phase, part } }, effects: [{ do: 'open-part', part }] };
    }
    case 'part-failed': {
      const [after, effects] = failed(state, 'summarize', input.failure);
      const again = state.second && SECOND_AFTER.has(input.failure);
      if (input.stream === 'settled')
        return again ? switching(after, [...effects, { do: 'switch' }]) : next(after, effects);
      // stalled or over its ceiling: the stream ends by its own abort, the attempt goes on beside it
      const why: CancelWhy = input.failure === 'ceiling-exhausted' ? 'ceiling' : 'idle';
      const stops: Effect[] = [{ do: 'cancel-stream', why }, ...effects];
      const stopping: AttemptState = { ...after, proof: 'stopping' };
      return again ? switching(stopping, stops) : next(stopping, stops);
    }
    case 'skip-model':
      if (!state.row.includes('extract')) return null;
      return next({ ...state, proof: 'stopping', row: ['extract'] }, [{ do: 'cancel-stream', why: 'user' }]);
    case 'model-busy':
      return stopping(state, { kind: 'deferred', why: { kind: 'model-busy' } }, 'busy', []);
    case 'row':
      return { state: { ...state, row: input.row.filter((one) => one !== 'summarize') }, effects: [] };
    default:
      return null;
  }
}

/** The second model reads the range by itself: its chunks are cut to its own window. */
function switchingStep(state: AttemptState, input: Input): Step | null {
  switch (input.in) {
    case 'planned':
      return {
        state: { ...state, parts: input.parts, phase: { at: 'summarizing', part: 1, parts: input.parts } },
        effects: [{ do: 'open-part', part: 1 }],
      };
    case 'part-failed': // there is no place for it
      return next(state, []);
    case 'skip-model':
      return state.row.includes('extract') ? next({ ...state, row: ['extract'] }, []) : null;
    case 'row':
      return { state: { ...state, row: input.row.filter((one) => one !== 'summarize') }, effects: [] };
    default:
      return null;
  }
}

/** Failures after which a second model is worth a try: what the first one wrote was not at fault. */
const SECOND_AFTER: ReadonlySet<FailureKind> = new Set(['stalled', 'ceiling-exhausted', 'died']);

function switching(state: AttemptState, effects: readonly Effect[]): Step {
  return { state: { ...state, second: false, phase: { at: 'switching' } }, effects };
}

function savingStep(state: AttemptState, strategy: Strategy | null, input: Input): Step | null {
  switch (input.in) {
    case 'committed': {
      // the transaction wrote the outcome, and released the lease where no stream was unproved
      const done: AttemptState = { ...state, phase: { at: 'ended', outcome: input.outcome } };
      return released(done, [{ do: 'end', outcome: input.outcome }]);
    }
    case 'commit-failed': // the candidate's parts are checkpoints already: the next attempt pays for no model call
      return ended(state, NOT_SAVED, [{ do: 'cancel-fence' }, ...notSaved(state, strategy)]);
    case 'lease-passed':
      return ended({ ...state, holds: false }, { kind: 'failed', failure: 'lease-lost' }, [{ do: 'cancel-fence' }]);
    case 'base-changed':
      return ended(state, { kind: 'superseded', by: input.by }, [{ do: 'cancel-fence' }]);
    default:
      return null;
  }
}

const NOT_SAVED: AttemptOutcome = { kind: 'failed', failure: 'commit-failed' };

/** A proposal keeps waiting when it could not be saved: nothing has to be made anew, so nothing pauses. */
function notSaved(state: AttemptState, strategy: Strategy | null): readonly Effect[] {
  return state.ready || strategy === null ? [] : [{ do: 'backoff', strategy, failure: 'commit-failed' }];
}

function saving(state: AttemptState): Step {
  return { state: { ...state, holds: true, phase: { at: 'saving', strategy: null } }, effects: [{ do: 'commit' }] };
}

function checking(state: AttemptState, strategy: Strategy): Step {
  return { state: { ...state, phase: { at: 'checking', strategy } }, effects: [{ do: 'check', strategy }] };
}

function failed(state: AttemptState, strategy: Strategy, failure: FailureKind): [AttemptState, Effect[]] {
  return [{ ...state, failure }, [{ do: 'backoff', strategy, failure }]];
}

/** The next strategy of the row, or the end with the failure of the last one. */
function next(state: AttemptState, effects: readonly Effect[]): Step {
  const [strategy, ...row] = state.row;
  if (strategy === undefined) return ended(state, { kind: 'failed', failure: state.failure ?? 'refused' }, effects);
  switch (strategy) {
    case 'prune':
      return { state: { ...state, row, phase: { at: 'pruning' } }, effects: [...effects, { do: 'prune' }] };
    case 'summarize':
      return {
        state: { ...state, row, phase: { at: 'summarizing', part: 1, parts: state.parts } },
        effects: [...effects, { do: 'open-part', part: 1 }],
      };
    case 'extract':
      return { state: { ...state, row, phase: { at: 'extracting' } }, effects: [...effects, { do: 'extract' }] };
  }
}

function ended(state: AttemptState, outcome: AttemptOutcome, effects: readonly Effect[]): Step {
  const done: AttemptState = { ...state, phase: { at: 'ended', outcome } };
  return released(done, [...effects, { do: 'end', outcome }]);
}

/** Releases where nothing of this attempt may still run. Afterwards nothing of the lease is its own. */
function released(state: AttemptState, effects: readonly Effect[]): Step {
  if (!state.holds || state.proof !== 'none') return { state, effects };
  return { state: { ...state, holds: false }, effects: [...effects, { do: 'release' }] };
}
