/**
 * Brings a stream to a proved stop (holds I5, P6, P13, P14): cancel, grace, kill, exit. An exit counts whatever code it
 * carries; a stream that merely outlasted the grace does not count as stopped.
 */
import type { CancelWhy } from '../hosts/protocol';
import type { StreamHandle } from '../hosts/stream-handle';
import { type Clock, patiently } from '../lib/clock';
import { GRACE } from './policy';

export interface StopEvents {
  /** Last frame, answer to the cancel, or exit: nothing of the stream runs any more. */
  stopped(): void;
  /** It brought its answer after all: nobody takes it. Then comes `stopped`. */
  late(): void;
  graceOver(): void;
  /** No exit was seen `GRACE.writeOffMs` after the kill. */
  unseen(): void;
}

export class StopProof {
  readonly #handle: StreamHandle;
  readonly #clock: Clock;
  readonly #events: StopEvents;
  readonly #stopListening: () => void;
  #timer: (() => void) | null = null;
  #over = false;

  constructor(handle: StreamHandle, clock: Clock, why: CancelWhy, events: StopEvents) {
    this.#handle = handle;
    this.#clock = clock;
    this.#events = events;
    this.#stopListening = handle.on((event) => {
      if (event.t !== 'settled') return;
      if (event.end.t === 'result' && !this.#over) events.late();
      this.#stop();
    });
    handle.cancel(why);
    if (handle.end) {
      // told in a later turn, so that the attempt is not entered again from its own effect
      clock.nextTurn(() => this.#stop());
      return;
    }
    this.#timer = patiently(clock, why === 'quit' ? GRACE.quitMs : GRACE.cancelMs, () => {
      this.#timer = null;
      events.graceOver();
    });
  }

  /** Kills the stream's process and waits for its exit, for a bounded time. */
  kill(): void {
    if (this.#over) return;
    // armed first: an exit that is seen at once ends it
    this.#timer = patiently(this.#clock, GRACE.writeOffMs, () => {
      this.#timer = null;
      this.#events.unseen();
    });
    this.#handle.kill();
  }

  #stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#timer?.();
    this.#stopListening();
    this.#events.stopped();
  }
}
