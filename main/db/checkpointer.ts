/**
 * Keeps the log small while something is written: the data thread makes a passive checkpoint each second. A log whose
 * end is never reached is never reused, so when little was written meanwhile the writing connection makes one more.
 */
import type { Clock } from '../lib/clock';
import type { DataThread } from './thread/client';
import type { WriteSeam } from './write-seam';

const EVERY_MS = 1_000;
/** Transactions during a checkpoint that still count as little. */
const LITTLE = 4;

export class Checkpointer {
  readonly #seam: WriteSeam;
  readonly #data: DataThread;
  readonly #clock: Clock;
  #written = 0;
  #cancelTimer: (() => void) | null = null;
  #ended = false;

  constructor(seam: WriteSeam, data: DataThread, clock: Clock) {
    this.#seam = seam;
    this.#data = data;
    this.#clock = clock;
    seam.onWrite(() => this.#arm());
  }

  end(): void {
    this.#ended = true;
    this.#cancelTimer?.();
  }

  #arm(): void {
    if (this.#ended) return;
    this.#cancelTimer ??= this.#clock.after(EVERY_MS, () => {
      void this.#checkpoint().finally(() => {
        this.#cancelTimer = null;
        if (this.#seam.writes !== this.#written) this.#arm();
      });
    });
  }

  async #checkpoint(): Promise<void> {
    const before = this.#seam.writes;
    await this.#data.checkpoint();
    if (this.#ended) return;
    const meanwhile = this.#seam.writes - before;
    if (meanwhile <= LITTLE) this.#seam.db.pragma('wal_checkpoint(PASSIVE)');
    this.#written = before + meanwhile;
  }
}
