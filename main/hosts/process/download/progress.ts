import type { JobContext } from '../job';

/** Milliseconds between two frames of progress. */
const TELL_MS = 250;

/** Tells main how far a download is: a few times a second, and never less than what is true a moment later. */
export class Progress {
  readonly #context: Pick<JobContext, 'sink' | 'clock'>;
  readonly #phase: 'reading' | 'loading';
  #told = Number.NEGATIVE_INFINITY;
  #disarm: (() => void) | null = null;
  #latest: readonly [done: number, of: number] | null = null;

  constructor(context: Pick<JobContext, 'sink' | 'clock'>, phase: 'reading' | 'loading') {
    this.#context = context;
    this.#phase = phase;
  }

  /** In bytes. */
  readonly heard = (done: number, of: number): void => {
    this.#latest = [done, of];
    if (this.#disarm) return;
    const wait = this.#told + TELL_MS - this.#context.clock.monotonic();
    if (wait <= 0) this.#tell();
    else this.#disarm = this.#context.clock.after(wait, () => this.#tell());
  };

  /** Nothing more comes: what was not told yet is told now. */
  end(): void {
    if (this.#disarm) this.#tell();
  }

  #tell(): void {
    this.#disarm?.();
    this.#disarm = null;
    if (!this.#latest) return;
    this.#told = this.#context.clock.monotonic();
    this.#context.sink.phase(this.#phase, ...this.#latest);
  }
}
