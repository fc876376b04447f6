/** One request of a turn: written before its first byte leaves, streamed into a message, learned from at its end. */
import { createHash } from 'node:crypto';
import type { AttachmentHash } from '../../shared/model/attachment';
import type { MessageId } from '../../shared/model/ids';
import type { ToolCall } from '../../shared/model/message';
import { dropEmptyAnswer, getMessage, insertMessage } from '../db/messages-table';
import { insertRequest, reportRequest } from '../db/requests-table';
import { putText } from '../db/texts-table';
import type { ChatMessage, FailedFrame } from '../hosts/protocol';
import { isRefusal } from '../hosts/stream-handle';
import type { ModelFacts } from '../providers/registry-types';
import { type AnswerEnd, AnswerStream } from './answer-stream';
import { requestBody, sentChars } from './context';
import { TurnTaken } from './fenced-writes';
import type { Input } from './machine';
import type { Measured } from './measure';
import { countedWhole, fitsAlone, isCrowded, mayBeCut, windowMet, windowNamed } from './proved-window';
import { recipeOf } from './recipe';
import { asksToWait, faultInput, turnFailure } from './turn-failure';
import type { TurnEnv, TurnSpec } from './turn-run';

/** Time for a stopped stream to hand over what it has. */
const STOP_MS = 800;
/** Tokens of an answer where neither window nor model sets a limit. */
const OUTPUT_UNKNOWN = 4_096;
/** Tokens kept free beside prompt and answer: templates differ by a few. */
const MARGIN = 16;

interface Turn {
  dispatch(input: Input): void;
  /** False once the turn was stopped: nothing may leave any more. */
  wanted(): boolean;
}

export class RequestRun {
  readonly #env: TurnEnv;
  readonly #spec: TurnSpec;
  readonly #facts: ModelFacts;
  readonly #measured: Measured;
  readonly #turn: Turn;
  readonly #answerId: MessageId;
  #answer: AnswerStream | null = null;
  /** Compression that stands back for this request goes on. */
  #chatEnds: () => void = () => {};
  #called: readonly ToolCall[] = [];
  #complete = false;
  /** Resolves when the answer, or what came of it, is in the database. Never rejects. */
  stored: Promise<unknown> = Promise.resolve();

  constructor(env: TurnEnv, spec: TurnSpec, facts: ModelFacts, measured: Measured, turn: Turn) {
    this.#env = env;
    this.#spec = spec;
    this.#facts = facts;
    this.#measured = measured;
    this.#turn = turn;
    this.#answerId = env.ids.uuid() as MessageId;
  }

  /** What the answer called, once it is stored; empty = it called nothing, or nothing that counts. */
  get calls(): readonly ToolCall[] {
    return this.#called;
  }

  /** True once the whole of an answer is stored that called nothing. */
  get complete(): boolean {
    return this.#complete;
  }

  /** `chatEnds` is called once nothing of the request runs any more. */
  start(chatEnds: () => void): void {
    this.#chatEnds = chatEnds;
    this.stored = this.#run().catch((error: unknown) => this.#turn.dispatch(faultInput(error)));
  }

  flushNow(): void {
    this.#answer?.flushNow();
  }

  /** What was streamed is kept; a host that does not answer cannot hold the stop back. */
  stop(): void {
    const answer = this.#answer;
    if (!answer) return;
    answer.handle.cancel('user');
    const late = new Promise<'late'>((resolve) => this.#env.clock.after(STOP_MS, () => resolve('late')));
    void late.then(() => this.#chatEnds());
    this.stored = Promise.race([this.stored, late])
      .then((what) => (what === 'late' ? this.#keep(answer, 'partial') : null))
      .catch(() => {}); // what could not be stored now is joined by the next start
  }

  async #run(): Promise<void> {
    try {
      const { request, rid } = await this.#write();
      this.#env.events.message(this.#spec.sessionId, this.#answerId, 'added');
      await this.#stream(request, rid);
    } finally {
      this.#chatEnds();
    }
  }

  async #stream(request: number, rid: number): Promise<void> {
    const { seam, clock, streams, events } = this.#env;
    const { sessionId } = this.#spec;
    const { specs } = this.#measured;
    const opened = this.#turn.wanted()
      ? streams.open({
          kind: 'chat',
          target: this.#facts.target,
          messages: this.#measured.messages.map((message) => this.#withPaths(message)),
          ...(specs.length === 0 ? {} : { tools: specs }),
          maxTokens: this.#maxTokens(),
        })
      : null;
    if (opened === null || isRefusal(opened)) {
      await seam.persist(sessionId, (tx) => dropEmptyAnswer(tx, sessionId, rid, clock.wall()));
      events.message(sessionId, this.#answerId, 'removed');
      return this.#turn.dispatch({ in: 'failed', code: 'busy', fields: {} });
    }
    this.#answer = new AnswerStream(
      {
        seam,
        clock,
        sessionId,
        rid,
        modelName: this.#facts.name,
        began: () => this.#turn.dispatch({ in: 'text' }),
        delta: (at, text) => events.delta(sessionId, this.#answerId, at, text),
      },
      opened,
    );
    const end = await this.#answer.ended;
    const calls =
      end.kind === 'answered' && end.result.finish === 'calls' && specs.length > 0 ? this.#answer.calls : [];
    this.#answer.cutFrom = await this.#cutFrom(this.#answer);
    const kept = await this.#keep(this.#answer, end.kind === 'answered' ? 'complete' : 'partial', calls);
    this.#called = calls;
    this.#complete = kept && end.kind === 'answered' && calls.length === 0;
    // what is learned decides nothing
    await this.#learn(request, end).catch((error: unknown) => this.#env.log(`a count was not kept: ${String(error)}`));
    this.#judge(end, kept);
  }

  /** Pictures leave as paths: the host reads their files. */
  #withPaths(message: ChatMessage): ChatMessage {
    const { images } = message;
    return images ? { ...message, images: images.map((hash) => this.#env.imagePath(hash as AttachmentHash)) } : message;
  }

  async #keep(answer: AnswerStream, status: 'complete' | 'partial', calls: readonly ToolCall[] = []): Promise<boolean> {
    const kept = await answer.store(status, calls).catch((error: unknown) => {
      if (error instanceof TurnTaken) this.#tellTaken();
      throw error;
    });
    this.#env.events.message(this.#spec.sessionId, this.#answerId, kept ? 'changed' : 'removed');
    return kept;
  }

  /** Another window ended the turn: what it kept of the answer is what is shown. */
  #tellTaken(): void {
    const { events, seam } = this.#env;
    events.message(this.#spec.sessionId, this.#answerId, getMessage(seam.db, this.#answerId) ? 'changed' : 'removed');
  }

  /** Request row and the answer's still empty message, in one transaction. */
  #write(): Promise<{ request: number; rid: number }> {
    const { seam, clock } = this.#env;
    const { sessionId, branchId, id: turnId } = this.#spec;
    const { loaded, measure, specs, messages } = this.#measured;
    const bytes = requestBody(messages, specs);
    return seam.write(sessionId, (tx) => {
      if (specs.length > 0) putText(tx, JSON.stringify(specs)); // what the recipe names by its hash
      const request = insertRequest(tx, {
        turnId,
        model: this.#facts.ref,
        parameters: { maxTokens: this.#maxTokens() },
        recipe: recipeOf(loaded, specs),
        sha256: createHash('sha256').update(bytes).digest(),
        bytes: Buffer.byteLength(bytes),
        counted: measure.tokens,
        now: clock.wall(),
      });
      const answer = { id: this.#answerId, sessionId, branchId, turnId, now: clock.wall() };
      const { rid } = insertMessage(tx, { ...answer, role: 'assistant', status: 'streaming', text: '' });
      return { request, rid };
    });
  }

  /** Never more than the window has free. */
  #maxTokens(): number {
    const window = this.#facts.window.served;
    const cap = this.#facts.outputCap;
    if (window === null) return cap ?? OUTPUT_UNKNOWN;
    const free = Math.max(MARGIN, window - this.#measured.measure.tokens - MARGIN);
    return Math.min(free, cap ?? free);
  }

  /** Tokens that were sent, where the server's own count proves that it has read fewer; null = it may have read all. */
  async #cutFrom({ usage }: AnswerStream): Promise<number | null> {
    const { prompt, cached = 0 } = usage;
    const { messages, measure } = this.#measured;
    const { tokens } = measure;
    // what was cached, and what a picture takes, is not always counted
    if (prompt === undefined || cached > 0 || messages.some(({ images }) => images)) return null;
    if (!mayBeCut(prompt, this.#measured, this.#facts.rates.calibrated)) return null;
    const proved = await this.#env.models.promptCut(this.#facts.ref, prompt, tokens);
    if (proved === null) return null;
    this.#tell(proved);
    return tokens;
  }

  /** A window smaller than the one that was counted with. */
  #tell(served: number): void {
    const { window } = this.#facts;
    if (window.served === null || served < window.served)
      this.#env.events.learned(this.#spec.sessionId, served, window.trained);
  }

  /** What the server counted of the prompt, which a refusal for length may tell too. */
  async #learn(request: number, end: AnswerEnd): Promise<void> {
    const { prefillRate, decodeRate, prompt: told = countRefused(end) } = this.#answer?.usage ?? {};
    // the count of a cut prompt is no measure of what was sent
    if (told === undefined || this.#answer?.cutFrom !== null) return;
    const prompt = countedWhole(told, this.#measured);
    const { seam, models, events } = this.#env;
    const { messages, specs } = this.#measured;
    await seam.report(this.#spec.sessionId, (tx) => reportRequest(tx, request, prompt));
    // what a picture takes is no measure of text
    if (!messages.some(({ images }) => images))
      models.reported(this.#facts.ref, sentChars(messages, specs), messages.length, prompt, {
        ...(prefillRate === undefined ? {} : { prefill: prefillRate }),
        ...(decodeRate === undefined ? {} : { decode: decodeRate }),
      });
    events.counted(this.#spec.sessionId);
  }

  #judge(end: AnswerEnd, kept: boolean): void {
    switch (end.kind) {
      case 'answered':
        if (!kept && isCrowded(this.#measured.measure))
          return this.#turn.dispatch({ in: 'overflow', of: 'tokens', textShown: false });
        if (!kept)
          return this.#turn.dispatch({
            in: 'failed',
            code: 'refused-by-server',
            fields: { status: 200, message: 'an empty answer' },
          });
        if (this.#called.length > 0) return this.#turn.dispatch({ in: 'called' });
        if (end.result.finish === 'length') this.#endedByLength();
        return this.#turn.dispatch({ in: 'answered' });
      case 'failed':
        return this.#failed(end.failed, kept);
      case 'stopped':
        return;
      case 'lost':
        return this.#turn.dispatch({ in: 'interrupted' });
    }
  }

  #endedByLength(): void {
    const { prompt, output } = this.#answer?.usage ?? {};
    const { ref, window } = this.#facts;
    const read = prompt === undefined || this.#answer?.cutFrom !== null ? null : countedWhole(prompt, this.#measured);
    const met = read === null || output === undefined ? null : windowMet(read, output, this.#maxTokens(), window);
    if (met !== null) {
      this.#env.models.learnWindow(ref, met);
      this.#tell(met);
    }
    this.#env.events.cut(this.#spec.sessionId, output ?? this.#maxTokens());
  }

  /** An overflow teaches the window and the true count before the turn goes on. */
  #failed(failed: FailedFrame, textShown: boolean): void {
    if (failed.cause === 'no-tools' && this.#measured.specs.length > 0) {
      this.#env.models.learnNoTools(this.#facts.ref);
      return this.#turn.dispatch({ in: 'no-tools' });
    }
    if (failed.cause !== 'overflow') {
      const { target, ref, name } = this.#facts;
      if (failed.cause === 'unreachable') this.#env.events.away(ref);
      const failure = turnFailure(failed, 'address' in target ? target.address : name);
      if (asksToWait(failed)) {
        const { retryAfterMs } = failed.fields;
        const afterMs = typeof retryAfterMs === 'number' ? retryAfterMs : null;
        return this.#turn.dispatch({ in: 'asked-to-wait', afterMs, ...failure });
      }
      return this.#turn.dispatch({ in: 'failed', ...failure });
    }
    const { needTokens, windowTokens, status } = failed.fields;
    const { ref, window, outputCap } = this.#facts;
    const named = windowNamed(windowTokens, this.#maxTokens(), window.served);
    if (named !== null) {
      this.#env.models.learnWindow(ref, named);
      this.#tell(named);
    }
    if (textShown) this.#env.events.cut(this.#spec.sessionId, this.#maxTokens());
    else if (fitsAlone(needTokens, named ?? window.served, outputCap))
      return this.#turn.dispatch({ in: 'answer-too-long' });
    this.#turn.dispatch({ in: 'overflow', of: status === 413 ? 'bytes' : 'tokens', textShown });
  }
}

function countRefused(end: AnswerEnd): number | undefined {
  if (end.kind !== 'failed' || end.failed.cause !== 'overflow') return undefined;
  const { needTokens } = end.failed.fields;
  return typeof needTokens === 'number' ? needTokens : undefined;
}
