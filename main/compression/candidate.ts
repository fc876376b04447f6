/** The work of an attempt on its summary: plan, read, extract, check, commit. Answers as inputs of the machine. */
import type { Need, Receipt, Strategy } from '../../shared/model/compression';
import type { WriteTx } from '../db/database';
import { binnedBetween } from '../db/messages-table';
import { getSummary, type Stub } from '../db/summaries-table';
import type { PlacedChunk } from '../db/thread/chunk-jobs';
import type { DataThread } from '../db/thread/client';
import type { PlanAnswer } from '../db/thread/plan-job';
import type { CheckAnswer, ExtractJob } from '../db/thread/summary-jobs';
import type { WriteSeam } from '../db/write-seam';
import type { CancelWhy } from '../hosts/protocol';
import type { AttemptSlot, StreamEvent } from '../hosts/stream-handle';
import type { Clock } from '../lib/clock';
import type { ModelFacts } from '../providers/registry-types';
import { acceptedProposal, acceptProposal } from './accept';
import type { AttemptSpec } from './attempt';
import type { Input } from './attempt-state';
import { type Accepted, type Committed, commitSummary, type Snapshot, sameGround } from './commit';
import type { CommitFence } from './commit-fence';
import type { HeldLease } from './lease';
import type { Plan } from './plan';
import { commitsPruned, type PartSizes, partSizes, summaryBudget } from './policy';
import { Saving } from './saving';
import { type StopEvents, StopProof } from './stop-proof';
import { type SummarizeEnv, SummarizeRun, type Whole } from './summarize-run';
import { wholeOf } from './whole';

export interface CandidateEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly data: DataThread;
  readonly spec: AttemptSpec;
  readonly fence: CommitFence;
  /** Its place for the model, taken now where a wish that joined has brought the model in; null = there is none. */
  slot(): AttemptSlot | null;
  lease(): HeldLease | null;
  need(): Need;
  /** Strategies that may still be tried. */
  row(): readonly Strategy[];
  mayRelease(): boolean;
  heard(event: StreamEvent): void;
  progress(tx: WriteTx): void;
  note(error: string | null): void;
  dispatch(input: Input): void;
}

type Range = Extract<Plan, { kind: 'range' }>;

/** Of lines in the place of messages: they stand for these one by one, so there are no anchors to keep. */
const NO_ANCHORS: Receipt = { kept: 0, restored: 0, dropped: 0, anchors: [], struckLines: 0, aboveTarget: false };

export class Candidate {
  readonly #env: CandidateEnv;
  readonly #saving: Saving;
  #range: Range | null = null;
  #planned: PlanAnswer | null = null;
  #binned = 0;
  #stubs: readonly Stub[] = [];
  #summarize: SummarizeRun | null = null;
  #extracted: CheckAnswer | null = null;
  #accepted: Accepted | null = null;
  /** Last message that the model was given besides what it covers; 0 = none. */
  #readTo = 0;
  #onSecond = false;
  #ended = false;
  #paused = false;

  constructor(env: CandidateEnv) {
    this.#env = env;
    this.#saving = new Saving(env, () => this.#transaction());
    const { accepts } = env.spec;
    this.#accepted = accepts === null ? null : acceptedProposal(getSummary(env.seam.db, accepts));
  }

  /** The model that writes, or would. */
  get writer(): ModelFacts {
    const { first, second } = this.#env.spec.writers;
    return this.#onSecond && second ? second : first;
  }
  get run(): SummarizeRun | null {
    return this.#summarize;
  }
  get planned(): PlanAnswer | null {
    return this.#planned;
  }
  /** Last message that it covers; null = not planned yet. */
  get cutoff(): number | null {
    return this.#range?.cutoff ?? null;
  }
  /** False once the view shows something else in the range than at the planning. */
  groundHolds(): boolean {
    const { seam, spec } = this.#env;
    return this.#range === null || sameGround(seam.db, { ...this.#range, branchId: spec.branchId });
  }
  /** True where what it was to be built on has changed: what waits as a proposal is worth nothing any more. */
  get outdated(): boolean {
    return this.#saving.refused?.kind === 'base-changed';
  }
  get accepted(): Accepted | null {
    return this.#accepted;
  }
  /** True once the running stream was silent for as long as its phase allows. */
  get outOfPatience(): boolean {
    return this.#summarize?.watch?.outOfPatience ?? false;
  }
  slept(): void {
    this.#summarize?.watch?.restart();
  }
  pause(paused: boolean): void {
    this.#paused = paused;
    this.#summarize?.pause(paused);
  }

  plan(): void {
    const { spec, data, seam } = this.#env;
    const { sessionId, branchId: branch, keepTurns, marks, model } = spec;
    const readsAgain = this.#env.row().includes('summarize');
    const job = {
      branch,
      usable: marks.usable,
      target: marks.target,
      keepTurns,
      sessionId,
      readsAgain,
      chosen: spec.range,
      rates: model.rates,
    };
    this.#later(data.ask('plan', job), (planned) => {
      const range = planned.plan;
      if (range.kind === 'nothing') {
        this.#env.dispatch({ in: 'nothing', reason: range.reason });
        return;
      }
      this.#planned = planned;
      this.#range = range;
      this.#binned = binnedBetween(seam.db, branch, range.from, range.cutoff);
      // what is pruned first decides what there is to cut
      if (!readsAgain || this.#env.row()[0] === 'prune') this.#env.dispatch({ in: 'planned', parts: 0 });
      else this.#cut(range, 'planned');
    });
  }

  /** Lines in the place of what is bulky: alone, where they gain enough, else as what the model reads. */
  prune(): void {
    const { spec, data } = this.#env;
    const range = this.#range;
    const planned = this.#planned;
    if (!range || !planned) return;
    const job = { branch: spec.branchId, from: range.from, to: range.cutoff, rates: spec.model.rates };
    this.#later(data.ask('prune', job), (answer) => {
      const saved = answer.tokensBefore - answer.tokensAfter;
      const request = planned.tokensInView + spec.fixedTokens;
      const common = { marks: spec.marks, need: this.#env.need(), more: this.#env.row().length > 0 };
      if (commitsPruned({ ...common, saved, request, shown: planned.tokensShown })) {
        const { stubs, tokensBefore, tokensAfter } = answer;
        const receipt: Receipt = { ...NO_ANCHORS, gain: this.#shareOf(saved) };
        const nothing = { text: '', sections: [], model: null };
        this.#accepted = { ...nothing, strategy: 'prune', stubs, receipt, tokensBefore, tokensAfter };
        this.#env.dispatch({ in: 'pruned' });
        return;
      }
      this.#stubs = answer.stubs;
      if (this.#env.row()[0] === 'summarize') this.#cut(range, 'pruned-short');
      else this.#env.dispatch({ in: 'pruned-short', parts: 0 });
    });
  }

  /** The first model failed: the range is cut anew, to the window of the second. */
  useSecond(): void {
    this.#summarize?.end();
    this.#onSecond = true;
    if (this.#range && this.#env.slot()) this.#cut(this.#range, 'planned');
    else this.#noPlace();
  }

  #cut(range: Range, then: 'planned' | 'pruned-short'): void {
    const { spec, data } = this.#env;
    const whole = this.#onSecond ? null : wholeOf(this.#env.seam.db, spec, range, this.writer, this.#sizes);
    if (whole) {
      const one = { from: range.readFrom, to: range.cutoff, piece: null, tokens: whole.tokens, hash: new Uint8Array() };
      this.#prepare(range, [one], whole, () => {}, then);
      return;
    }
    const cut = {
      readAsText: range.readAsText,
      stubs: this.#stubs,
      limit: this.#sizes.chunk,
      rates: this.writer.rates,
    };
    const read = { branch: spec.branchId, from: range.readFrom, to: range.cutoff, ...cut };
    this.#later(data.ask('chunks', read), (chunks) => {
      const textOf: SummarizeEnv['textOf'] = (place, use) =>
        this.#later(data.ask('chunkText', { branch: spec.branchId, place, ...cut }), use);
      this.#prepare(range, chunks, null, textOf, then);
    });
  }

  /** There is no process for the model: not in this step, which may be the one that asked. */
  #noPlace(): void {
    this.#env.clock.nextTurn(() => this.#env.dispatch({ in: 'part-failed', failure: 'host-lost', stream: 'settled' }));
  }

  /** How the model that writes reads and folds. */
  get #sizes(): PartSizes {
    return partSizes(this.writer.window.served, summaryBudget(this.#env.spec.marks.usable));
  }

  #prepare(
    range: Range,
    chunks: readonly PlacedChunk[],
    whole: Whole | null,
    textOf: SummarizeEnv['textOf'],
    then: 'planned' | 'pruned-short',
  ): void {
    const { seam, clock, spec } = this.#env;
    const slot = this.#env.slot();
    if (!slot) {
      this.#env.dispatch({ in: then, parts: 0 });
      return;
    }
    const builtOn = range.buildsOnBase && range.base !== null && !whole;
    this.#readTo = whole?.to ?? 0;
    this.#summarize = new SummarizeRun({
      seam,
      clock,
      slot,
      model: this.writer,
      sessionId: spec.sessionId,
      branchId: spec.branchId,
      from: range.readFrom,
      cutoff: range.cutoff,
      chunks,
      previous: builtOn && range.base !== null ? (getSummary(seam.db, range.base)?.text ?? null) : null,
      budget: summaryBudget(spec.marks.usable),
      sizes: this.#sizes,
      whole,
      textOf,
      progress: (tx) => this.#env.progress(tx),
      heard: (event) => this.#env.heard(event),
      done: () => this.#env.dispatch({ in: 'part-done' }),
      failed: (failure, stream, error) => {
        this.#env.note(error);
        this.#env.dispatch({ in: 'part-failed', failure, stream });
      },
    });
    this.#summarize.pause(this.#paused);
    this.#env.dispatch({ in: then, parts: this.#summarize.parts });
  }

  openPart(part: number): void {
    if (this.#summarize) this.#summarize.open(part);
    else this.#noPlace();
  }

  /** Reads the originals without a model; what comes of it is checked in the same reading. */
  extract(): void {
    const job = this.#checkJob();
    if (!job) return;
    this.#later(this.#env.data.ask('extract', job), (answer) => {
      this.#extracted = answer;
      this.#env.dispatch({ in: 'extracted' });
    });
  }

  check(strategy: Strategy): void {
    const job = this.#checkJob();
    const planned = this.#planned;
    if (!job || !planned) return;
    const candidate = { text: this.#summarize?.candidate ?? '', finish: 'stop' as const };
    const known = strategy === 'extract' ? this.#extracted : null;
    this.#later(
      known ? Promise.resolve(known) : this.#env.data.ask('check', { ...job, candidate, readTo: this.#readTo }),
      (answer) => {
        if (!answer.ok) {
          this.#env.note(answer.why);
          this.#env.dispatch({ in: 'refused', failure: answer.failure });
          return;
        }
        const gains = answer.tokensAfter < answer.tokensBefore;
        // what a person asked for may replace a summary by a better one of like size; what runs by itself must gain
        if (!gains || (this.#env.need() !== 'manual' && answer.tokensAfter >= planned.tokensShown)) {
          this.#env.dispatch({ in: 'no-gain' });
          return;
        }
        const receipt = { ...answer.receipt, gain: this.#shareOf(planned.tokensShown - answer.tokensAfter) };
        const model = strategy === 'extract' ? null : this.writer.name;
        this.#accepted = { ...answer, stubs: null, receipt, strategy, model };
        this.#env.dispatch({ in: 'accepted' });
      },
    );
  }

  /** Share of the whole request that so many tokens are: what the breaker judges a commit by. */
  #shareOf(tokens: number): number {
    return tokens / Math.max(1, (this.#planned?.tokensInView ?? 0) + this.#env.spec.fixedTokens);
  }

  #checkJob(): ExtractJob | null {
    const { branchId: branch, marks, model } = this.#env.spec;
    const range = this.#range;
    if (!range) return null;
    const { from, cutoff: to, shown: bases, aboveTarget } = range;
    return { branch, from, to, bases, budget: summaryBudget(marks.usable), aboveTarget, rates: model.rates };
  }

  commit(): void {
    this.#saving.start();
  }

  /** What is written: a new summary, or the proposal that the user accepted. null = there is nothing to write. */
  #transaction(): ((tx: WriteTx) => Committed) | null {
    const { spec, clock } = this.#env;
    const lease = this.#env.lease();
    const range = this.#range;
    const accepted = this.#accepted;
    if (!lease || !accepted) return null;
    const common = {
      attemptId: spec.id,
      lease,
      release: this.#env.mayRelease(),
      now: clock.wall(),
      progress: this.#env.progress,
    };
    const { accepts } = spec;
    if (accepts !== null) return (tx) => acceptProposal(tx, { ...common, proposal: accepts });
    if (!range) return null;
    const snapshot: Snapshot = {
      ...spec,
      from: range.from,
      cutoff: range.cutoff,
      base: range.base,
      shown: range.shown,
      binned: this.#binned,
      tokensShown: this.#planned?.tokensShown ?? 0,
      tokensInView: this.#planned?.tokensInView ?? 0,
    };
    const need = this.#env.need();
    return (tx) => commitSummary(tx, { ...common, snapshot, accepted, need });
  }

  /** Stops the running stream; null = none runs. */
  stopStream(why: CancelWhy, events: StopEvents): StopProof | null {
    this.#summarize?.end();
    const stream = this.#summarize?.stream;
    return stream ? new StopProof(stream, this.#env.clock, why, events) : null;
  }

  end(): void {
    this.#ended = true;
    this.#saving.end();
    this.#summarize?.end();
  }

  /** Work of the data thread that outlives its attempt is dropped; one that fails ends the attempt. */
  #later<T>(work: Promise<T>, then: (value: T) => void): void {
    work.then(
      (value) => {
        if (!this.#ended) then(value);
      },
      (error: unknown) => {
        if (this.#ended) return;
        this.#env.note(String(error));
        this.#env.dispatch({ in: 'data-failed' });
      },
    );
  }
}
