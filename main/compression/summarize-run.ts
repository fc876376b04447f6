/**
 * Reads the chunks of one attempt with the model, one stream each, and folds their notes. Each finished part is a
 * checkpoint: an attempt that stops, or a process that dies, pays for no part twice.
 */
import { createHash } from 'node:crypto';
import type { FailureKind } from '../../shared/model/compression';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { type ChunkKey, getChunk, putChunk } from '../db/chunks-table';
import type { WriteTx } from '../db/database';
import type { PlacedChunk } from '../db/thread/chunk-jobs';
import type { WriteSeam } from '../db/write-seam';
import type { ChatMessage, FailedFrame, ToolSpec } from '../hosts/protocol';
import { type AttemptSlot, isRefusal, type StreamEvent, type StreamHandle } from '../hosts/stream-handle';
import { countChars } from '../lib/char-counts';
import type { Clock } from '../lib/clock';
import type { ModelFacts } from '../providers/registry-types';
import { tokensOf } from '../providers/token-estimate';
import { cutText } from './chunks';
import { ceilingMs, LOADING_CEILING_MS, type PartSizes, patienceMs } from './policy';
import { type Patience, ProgressWatch, type Verdict } from './progress-watch';
import { chunkPrompt, foldPrompt, PROMPT_VERSION, wordsOf } from './prompts';
import { stripReasoning } from './strip';

export interface SummarizeEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly slot: AttemptSlot;
  readonly model: ModelFacts;
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly from: number;
  readonly cutoff: number;
  readonly chunks: readonly PlacedChunk[];
  /** Text of the summary that is built upon, or null. */
  readonly previous: string | null;
  /** Tokens that the summary should have; it is cut at `sizes.summary`. */
  readonly budget: number;
  readonly sizes: PartSizes;
  /** What is sent in the place of the one chunk: the chat itself, with the instruction. null = chunk by chunk. */
  readonly whole: Whole | null;
  /** Fetches what the model reads of a chunk. */
  textOf(chunk: PlacedChunk, then: (text: string) => void): void;
  /** Runs in the same transaction as a checkpoint. */
  progress(tx: WriteTx): void;
  /** A stream reported something. */
  heard(event: StreamEvent): void;
  done(): void;
  failed(failure: FailureKind, stream: 'settled' | 'running', error: string | null): void;
}

/** The chat itself, to whose end the instruction was put. */
export interface Whole {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  /** Last message that it holds. */
  readonly to: number;
}

/** One request of a summary. */
interface Question {
  /** Of what the model is given: names its checkpoint. */
  readonly hash: Buffer;
  readonly maxTokens: number;
  readonly covers: { readonly from: number; readonly to: number };
}

export class SummarizeRun {
  readonly #env: SummarizeEnv;
  readonly #notes: string[] = [];
  #handle: StreamHandle | null = null;
  #watch: ProgressWatch | null = null;
  #part = 0;
  #done = 0;
  #ended = false;
  #paused = false;

  constructor(env: SummarizeEnv) {
    this.#env = env;
  }

  /** Chunks, and one more for the fold where there is something to fold. */
  get parts(): number {
    const { chunks, previous, whole } = this.#env;
    return whole ? 1 : chunks.length + (chunks.length > 1 || previous !== null ? 1 : 0);
  }
  get chunks(): readonly PlacedChunk[] {
    return this.#env.chunks;
  }
  /** True where the chat itself is read, in one request. */
  get whole(): boolean {
    return this.#env.whole !== null;
  }
  get part(): number {
    return this.#part;
  }
  /** Parts whose notes are stored. */
  get done(): number {
    return this.#done;
  }
  /** The running stream, or the one that ended last. */
  get stream(): StreamHandle | null {
    return this.#handle;
  }
  get watch(): ProgressWatch | null {
    return this.#watch;
  }
  /** The answer of the last part. */
  get candidate(): string {
    return this.#notes.at(-1) ?? '';
  }
  /** The chunk being read; null during the fold. */
  get chunk(): PlacedChunk | null {
    return this.#env.chunks[this.#part - 1] ?? null;
  }

  /** Runs one part, counted from 1. Ends with `done` or `failed`, never in the same synchronous step. */
  open(part: number): void {
    this.#part = part;
    const { chunks } = this.#env;
    const chunk = chunks[part - 1];
    const { whole } = this.#env;
    if (whole) {
      const hash = createHash('sha256').update(JSON.stringify(whole)).digest();
      const covers = { from: this.#env.from, to: whole.to };
      const read = (ask: (messages: readonly ChatMessage[]) => void) => ask(whole.messages);
      this.#ask({ hash, maxTokens: this.#env.sizes.summary, covers }, read, () => this.#env.done());
    } else if (chunk) {
      // the checkpoint is named by the chunk alone: how many there are may change with the next message
      const { notes } = this.#env.sizes;
      const question = { hash: Buffer.from(chunk.hash), maxTokens: notes, covers: chunk };
      const read = (ask: (messages: ChatMessage[]) => void) =>
        this.#env.textOf(chunk, (text) => ask(chunkPrompt(text, part, chunks.length, wordsOf(notes))));
      this.#ask(question, read, () => this.#env.done());
    } else this.#foldAll(this.#notes);
  }

  /** The running stream, and each that follows, pauses where it is; nobody loses patience meanwhile. */
  pause(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    if (paused) {
      this.#handle?.pause();
      this.#watch?.pause();
    } else {
      this.#handle?.resume();
      this.#watch?.resume();
    }
  }

  /** Stops watching, and asks nothing more; the stream itself is stopped by its proof. */
  end(): void {
    this.#ended = true;
    this.#watch?.end();
  }

  /** A summary so far that is too large to stand beside notes, since a person wrote it, is read like notes itself. */
  #foldAll(notes: readonly string[]): void {
    const { previous, sizes } = this.#env;
    const count = (text: string) => this.#count(text);
    if (previous === null || count(previous) <= sizes.fold / 3) this.#fold(notes, previous);
    else this.#fold([...cutText(previous, sizes.notes, count), ...notes], null);
  }

  /** Folds notes in as many groups as fit one request, then the groups' results, until one text is left. */
  #fold(notes: readonly string[], previous: string | null): void {
    const { sizes } = this.#env;
    const group: string[] = [];
    let tokens = previous === null ? 0 : this.#count(previous);
    for (const note of notes) {
      tokens += this.#count(note);
      if (group.length > 0 && tokens > sizes.fold) break;
      group.push(note);
    }
    const rest = notes.slice(group.length);
    const words = wordsOf(Math.min(this.#env.budget, sizes.summary));
    const { from, cutoff } = this.#env;
    const messages = foldPrompt(previous, group, words);
    const hash = createHash('sha256').update(JSON.stringify(messages)).digest();
    const question = { hash, maxTokens: sizes.summary, covers: { from, to: cutoff } };
    this.#ask(
      question,
      (ask) => ask(messages),
      (text) => {
        if (rest.length > 0) this.#fold(rest, text);
        else this.#env.done();
      },
    );
  }

  #count(text: string): number {
    return tokensOf(countChars(text), this.#env.model.rates);
  }

  /** Answers from the checkpoint, or reads what is to be asked and asks the model. */
  #ask(
    question: Question,
    read: (ask: (messages: readonly ChatMessage[]) => void) => void,
    then: (text: string) => void,
  ): void {
    if (this.#ended) return;
    const { seam, clock, model, sessionId } = this.#env;
    const key: ChunkKey = {
      sessionId,
      hash: question.hash,
      model: `${model.ref.providerId} ${model.ref.model}`,
      prompt: PROMPT_VERSION,
    };
    const finish = (text: string) => {
      this.#done = this.#part;
      this.#notes.push(text);
      then(text);
    };
    const known = getChunk(seam.db, key);
    if (known !== null) clock.nextTurn(() => finish(known));
    else read((messages) => this.#open(key, question, messages, finish));
  }

  #open(
    key: ChunkKey,
    { maxTokens, covers }: Question,
    messages: readonly ChatMessage[],
    finish: (text: string) => void,
  ): void {
    if (this.#ended) return;
    const { seam, clock, slot, model, sessionId, whole } = this.#env;
    const job = { kind: 'summary', target: model.target, messages, maxTokens } as const;
    const tools = whole && whole.tools.length > 0 ? { tools: whole.tools } : {};
    const opened = slot.open(whole ? { ...job, whole: true, ...tools } : job);
    if (isRefusal(opened)) {
      clock.nextTurn(() => this.#env.failed('host-lost', 'settled', opened.refused));
      return;
    }
    this.#handle = opened;
    let text = '';
    opened.on((event) => {
      if (event.t === 'text' && !event.thinking) text += event.text;
      this.#env.heard(event);
    });
    this.#watch = new ProgressWatch(opened, clock, this.#patience(messages), (verdict) =>
      this.#judged(
        verdict,
        () => text,
        (note) => {
          const chunk = { branchId: this.#env.branchId, coversFrom: covers.from, coversTo: covers.to };
          const write = (tx: WriteTx) => {
            putChunk(tx, key, { ...chunk, text: note, now: clock.wall() });
            this.#done = this.#part; // counted in what is written with it
            this.#env.progress(tx);
          };
          seam.write(sessionId, write).then(
            () => finish(note),
            (error: unknown) => {
              this.#done = this.#part - 1;
              this.#env.failed('commit-failed', 'settled', String(error));
            },
          );
        },
      ),
    );
    if (this.#paused) {
      opened.pause();
      this.#watch.pause();
    }
  }

  #patience(messages: readonly ChatMessage[]): Patience {
    const tokens = messages.reduce((sum, message) => sum + this.#count(message.content), 0);
    const rate = this.#env.model.prefillRate;
    return {
      idleMs: (phase) => patienceMs(phase, tokens, rate),
      ceilingMs: ceilingMs(tokens, rate),
      loadingCeilingMs: LOADING_CEILING_MS,
    };
  }

  #judged(verdict: Verdict, text: () => string, accept: (note: string) => void): void {
    switch (verdict.kind) {
      case 'finished': {
        const cut = verdict.result.finish === 'length';
        // notes that ran into their limit lose their last, half line; the summary itself may not be cut
        const note = stripReasoning(cut ? text().replace(/\n?[^\n]*$/, '') : text());
        if (cut && (note === '' || this.#part === this.parts)) this.#env.failed('cut', 'settled', null);
        else if (note === '') this.#env.failed('empty', 'settled', null);
        else accept(note);
        return;
      }
      case 'failed':
        this.#env.failed(failureOf(verdict.failed), 'settled', `${verdict.failed.name}: ${verdict.failed.message}`);
        return;
      case 'exited':
        this.#env.failed(
          this.#handle?.end?.t === 'exited' && this.#handle.end.killedByUs ? 'host-lost' : 'died',
          'settled',
          null,
        );
        return;
      case 'idle':
        this.#env.failed('stalled', 'running', `silent for ${verdict.idleMs} ms while ${verdict.phase}`);
        return;
      case 'ceiling':
        this.#env.failed('ceiling-exhausted', 'running', null);
        return;
      case 'cancelled':
        return; // the attempt itself asked for it and has moved on
    }
  }
}

/** A timeout that the worker raised is a stall of its own, told apart from this side's timers by its name. */
function failureOf(failed: FailedFrame): FailureKind {
  return failed.cause === 'timeout' || failed.name === 'TimeoutError' ? 'stalled' : failed.kind;
}
