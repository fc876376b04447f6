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
/** Transactions after which a bulk writer asks how long the log is: each holds 128 kB and its index at most. */
const ASKED_AFTER = 16;
/** Frames of a page each that may wait for a checkpoint while a bulk writer goes on: 16 MB. Source: design, section 4. */
const ROOM = 1_024;

export class Checkpointer {
  readonly #seam: WriteSeam;
  readonly #data: DataThread;
  readonly #clock: Clock;
  #written = 0;
  /** Transactions when a bulk writer last asked. */
  #asked = 0;
  #cancelTimer: (() => void) | null = null;
  #ended = false;

  constructor(seam: WriteSeam, data: DataThread, clock: Clock) {
    this.#seam = seam;
    this.#data = data;
    this.#clock = clock;
    seam.onWrite(() => this.#arm());
  }

  /** For bulk writers, after each transaction: resolves once little enough waits for a checkpoint. */
  async room(): Promise<void> {
    if (this.#seam.writes - this.#asked < ASKED_AFTER) return;
    this.#asked = this.#seam.writes;
    while (!this.#ended && (await this.#data.checkpoint()) > ROOM)
      await new Promise<void>((resolve) => this.#clock.after(EVERY_MS, resolve));
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
