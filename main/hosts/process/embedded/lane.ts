import type { LlamaChat, LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp';
import type { Clock } from '../../../lib/clock';
import type { Hold, Sink } from '../job';

type Evaluate = LlamaContextSequence['evaluate'];

/** Slices of a prompt: at most half a second each at the measured rate, so that pause and cancel act soon. */
const SLICE = { least: 16, most: 512, first: 64, seconds: 0.25 } as const;

/**
 * One sequence of a loaded model with its own context: the chat has one, summaries another, so that a summary never
 * pushes the chat's prefix out of the cache. One stream at a time; the others wait in order.
 */
export class Lane {
  readonly context: LlamaContext;
  readonly sequence: LlamaContextSequence;
  readonly chat: LlamaChat;
  readonly #clock: Clock;
  #hold: Hold | null = null;
  #tail: Promise<void> = Promise.resolve();
  #users = 0;
  /** Tokens per second of the last prompt that was long enough to measure; null = none yet. */
  prefillRate: number | null = null;

  constructor(context: LlamaContext, sequence: LlamaContextSequence, chat: LlamaChat, clock: Clock) {
    this.#clock = clock;
    this.context = context;
    this.sequence = sequence;
    this.chat = chat;
    holdBetweenTokens(sequence, () => this.#hold?.pass());
  }

  get idle(): boolean {
    return this.#users === 0;
  }

  /** Waits for the lane, then runs `use` alone in it. A wait that is cancelled ends at once. */
  async alone<T>(sink: Sink, hold: Hold, signal: AbortSignal, use: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    const waits = this.#users > 0;
    let leave = () => {};
    this.#tail = new Promise((done) => {
      leave = done;
    });
    this.#users++;
    try {
      if (waits) {
        sink.waiting(true);
        await untilAborted(before, signal);
        sink.waiting(false);
      }
      signal.throwIfAborted();
      this.#hold = hold;
      return await use();
    } finally {
      this.#users--;
      // Whoever waits behind a cancelled wait still waits for the one before it.
      void before.then(leave);
    }
  }

  /**
   * Reads all tokens but the last (which generation evaluates) in slices, asking before each whether it may go on.
   * What the sequence already holds of this prefix is not read again. Answers the number of tokens reused.
   */
  async read(
    tokens: readonly Token[],
    hold: Hold,
    signal: AbortSignal,
    progress: (done: number) => void,
  ): Promise<number> {
    const prefix = tokens.slice(0, -1);
    await this.sequence.adaptStateToTokens(prefix, false);
    const reused = this.sequence.nextTokenIndex;
    let at = reused;
    const startedAt = this.#clock.monotonic();
    progress(at);
    while (at < prefix.length) {
      await hold.pass();
      signal.throwIfAborted();
      const slice = prefix.slice(at, at + this.#sliceTokens());
      const sliceAt = this.#clock.monotonic();
      await this.sequence.evaluateWithoutGeneratingNewTokens(slice);
      at += slice.length;
      if (slice.length >= SLICE.least) this.prefillRate = (slice.length * 1_000) / (this.#clock.monotonic() - sliceAt);
      progress(at);
    }
    if (at - reused >= SLICE.most) this.prefillRate = ((at - reused) * 1_000) / (this.#clock.monotonic() - startedAt);
    return reused;
  }

  #sliceTokens(): number {
    if (this.prefillRate === null) return SLICE.first;
    return Math.round(Math.min(SLICE.most, Math.max(SLICE.least, this.prefillRate * SLICE.seconds)));
  }
}

/**
 * The library's own schedule hook is passed over where a context has one sequence, so the sequence's token generator
 * is wrapped instead: before each token it asks whether it may go on.
 */
function holdBetweenTokens(sequence: LlamaContextSequence, pass: () => Promise<void> | undefined): void {
  const evaluate: Evaluate = sequence.evaluate.bind(sequence);
  sequence.evaluate = async function* held(...args: Parameters<Evaluate>) {
    const tokens = evaluate(...args);
    let replacement: Token | Token[] | undefined;
    try {
      while (true) {
        await pass();
        const step = await (replacement === undefined ? tokens.next() : tokens.next(replacement));
        if (step.done) return;
        replacement = (yield step.value) ?? undefined;
      }
    } finally {
      await tokens.return();
    }
  };
}

function untilAborted(done: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void done.then(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}
