/** What the card shows of a running attempt (holds I10): one truth for card, status line and session row. */
import { assertNever } from '../../shared/exhaustive';
import type { Attempt, AttemptOutcome, AttemptPhase, Strategy } from '../../shared/model/compression';
import type { Spent } from '../../shared/model/spend';
import type { StreamPhase } from '../hosts/protocol';
import type { StreamEvent } from '../hosts/stream-handle';
import { countChars } from '../lib/char-counts';
import type { Clock } from '../lib/clock';
import { tokensOf } from '../providers/token-estimate';
import type { AttemptRun } from './attempt';
import { parseSections } from './sections';

/** The view is told at most this often. */
const TELL_MS = 100;
/** Characters of the growing text that are shown. */
const TEXT_MAX = 20_000;

export class AttemptProgress {
  /** A chat comes first. */
  paused = false;
  /** Last thing that went wrong, for the record: no conversation text. */
  error: string | null = null;
  readonly startedAt: number;

  readonly #run: AttemptRun;
  readonly #clock: Clock;
  readonly #tell: () => void;
  #waiting: (() => void) | null = null;
  #stream: StreamPhase = 'connecting';
  #share = 0;
  #text = '';
  #read = 0;
  #partRead = 0;
  #written = 0;
  #partWritten = 0;
  /** Of the part's request, as the server counted it. */
  #prompt: number | null = null;
  #endedAt: number | null = null;
  #toldEnd = false;
  #outcome: AttemptOutcome | null = null;
  #strategy: Strategy | null = null;
  /** Monotonic time of the last piece of substance: a waiting turn looks at it. */
  lastSubstance: number;

  constructor(run: AttemptRun, clock: Clock, tell: () => void) {
    this.#run = run;
    this.#clock = clock;
    this.#tell = tell;
    this.startedAt = clock.wall();
    this.lastSubstance = clock.monotonic();
  }

  /** The one running, or the last. */
  get strategy(): Strategy | null {
    const { phase } = this.#run.state;
    this.#strategy = strategyOf(phase.at) ?? ('strategy' in phase ? phase.strategy : this.#strategy);
    return this.#strategy;
  }
  note(error: string | null): void {
    if (error !== null) this.error = error.slice(0, 500);
  }

  /** Nobody could make progress meanwhile. */
  slept(): void {
    this.lastSubstance = this.#clock.monotonic();
  }

  partOpened(): void {
    this.#read += this.#partRead;
    this.#written += this.#partWritten;
    this.#partRead = 0;
    this.#partWritten = 0;
    this.#prompt = null;
    this.#share = 0;
    this.#text = '';
    this.#stream = 'connecting';
    this.lastSubstance = this.#clock.monotonic();
  }

  heard(event: StreamEvent): void {
    if (event.t === 'alive' || event.t === 'settled') return;
    this.lastSubstance = this.#clock.monotonic();
    switch (event.t) {
      case 'phase':
        this.#stream = event.phase;
        if (event.phase === 'writing') this.#share = 1;
        else if (event.done !== undefined && event.of)
          this.#share = Math.max(this.#share, Math.min(1, event.done / event.of));
        break;
      case 'text':
        if (event.thinking) return;
        this.#stream = 'writing';
        this.#share = 1;
        this.#text = (this.#text + event.text).slice(-TEXT_MAX);
        this.#partWritten += tokensOf(countChars(event.text), this.#run.model.rates);
        break;
      case 'usage':
        if (event.output !== undefined) this.#partWritten = event.output;
        if (event.prompt !== undefined) this.#prompt = event.prompt;
        break;
      case 'call':
      case 'paused':
      case 'resumed':
      case 'tools':
      case 'stderr':
      case 'progress':
        break; // the last three are the tool host's
      default:
        assertNever(event);
    }
    this.#partRead = this.#prompt ?? this.#chunkRead();
    this.touch();
  }

  ended(outcome: AttemptOutcome): void {
    this.#outcome = outcome;
    this.#endedAt = this.#clock.wall();
  }

  /** Something changed: told once for all that changes within a tenth of a second. */
  touch(): void {
    if (this.#toldEnd) return;
    this.#waiting ??= this.#clock.after(TELL_MS, () => {
      this.#waiting = null;
      this.#tell();
    });
  }
  /** Told at once, and no more afterwards: the end. */
  flush(): void {
    this.#waiting?.();
    this.#waiting = null;
    this.#toldEnd = true; // the app's end may follow at once, with nothing left to tell it to
    this.#tell();
  }

  /** Tokens that models read and wrote for it so far: what was found in a checkpoint cost nothing. */
  get spent(): Spent {
    return { read: this.#read + this.#partRead, written: this.#written + this.#partWritten };
  }

  /** Columns of the stored row. */
  row() {
    const { chunksDone, chunks } = this.#parts();
    const { read: tokensRead, written: tokensWritten } = this.spent;
    return { strategy: this.strategy, phase: this.#phase(), chunksDone, chunks, tokensRead, tokensWritten };
  }

  view(): Attempt {
    const { spec, candidate, need, turnId } = this.#run;
    const chunk = candidate.run?.chunk ?? null;
    return {
      ...this.row(),
      tokensRead: this.#tokensRead(),
      id: spec.id,
      sessionId: spec.sessionId,
      branchId: spec.branchId,
      need,
      trigger: spec.trigger,
      chunkShare: chunk ? this.#share : 0,
      reading: chunk && { from: chunk.from, to: chunk.to },
      tokensToRead: this.#chunks().reduce((sum, one) => sum + one.tokens, 0),
      model: candidate.run ? candidate.writer.name : null,
      noModel: spec.noModel,
      newestLine: newestLine(this.#text),
      text: this.#text,
      paused: this.paused && this.#outcome === null,
      turnWaits: turnId !== null,
      elsewhere: false,
      startedAt: this.startedAt,
      endedAt: this.#endedAt,
      outcome: this.#outcome,
      tokensBefore: candidate.accepted?.tokensBefore ?? candidate.planned?.tokensBefore ?? null,
      tokensAfter: candidate.accepted?.tokensAfter ?? null,
      // lines stand for some messages of the range alone: the others are sent as before
      tokensShown: candidate.accepted?.stubs
        ? candidate.accepted.tokensBefore
        : (candidate.planned?.tokensShown ?? null),
      pausedUntil: null,
    };
  }

  #chunks() {
    return this.#run.candidate.run?.chunks ?? [];
  }

  #parts(): { chunksDone: number; chunks: number } {
    const { run } = this.#run.candidate;
    const chunks = run?.chunks.length ?? 0; // the fold of their notes is none of them
    return { chunksDone: Math.min(run?.done ?? 0, chunks), chunks };
  }

  /** Of the range: how far the reading is. */
  #tokensRead(): number {
    const done = this.#chunks().slice(0, this.#parts().chunksDone);
    return Math.round(done.reduce((sum, one) => sum + one.tokens, this.#chunkRead()));
  }
  /** Of the chunk that is being read. */
  #chunkRead(): number {
    return Math.round((this.#chunks()[this.#parts().chunksDone]?.tokens ?? 0) * this.#share);
  }

  /** A chunk is being read until its notes are there; the summary is written by the last request alone. */
  #streamPhase(): AttemptPhase {
    const run = this.#run.candidate.run;
    if (this.#stream !== 'reading' && this.#stream !== 'writing') return this.#stream;
    return run !== null && run.part < run.parts ? 'reading' : run?.chunk ? this.#stream : 'writing';
  }

  #phase(): AttemptPhase {
    const { phase, proof } = this.#run.state;
    switch (phase.at) {
      case 'waiting':
      case 'acquiring':
        return 'waiting';
      case 'planning':
      case 'pruning':
        return 'reading';
      case 'summarizing':
        return this.#streamPhase();
      case 'switching': // to the second model, once the first is proved stopped
        return proof === 'none' ? 'connecting' : 'stopping';
      case 'extracting':
        return 'reading';
      case 'checking':
        return 'checking';
      case 'saving':
        return 'saving';
      case 'ended':
        return 'ended';
      default:
        return assertNever(phase);
    }
  }
}

function strategyOf(at: AttemptRun['state']['phase']['at']): Strategy | null {
  if (at === 'summarizing' || at === 'switching') return 'summarize';
  if (at === 'pruning') return 'prune';
  return at === 'extracting' ? 'extract' : null;
}

/** The last complete line of a growing summary, with the section it stands in: a heading alone takes none away. */
function newestLine(text: string): Attempt['newestLine'] {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  for (const part of complete.split(/^(?=#{1,6} )/m).reverse()) {
    const last = parseSections(part).at(-1);
    const line = last?.lines.at(-1);
    if (last && line) return { section: last.name, text: line.text };
  }
  return null;
}
