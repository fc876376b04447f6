import type { Clock } from '../../../lib/clock';
import { TOOL_LIMITS } from '../../tool-protocol';

/** Counts what one server sends within a second. An honest one sends a few messages. */
export class FlowMeter {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  #since = Number.NEGATIVE_INFINITY;
  #messages = 0;
  #bytes = 0;

  constructor(clock: Clock, maxBytes: number = TOOL_LIMITS.bytesPerSecond) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  /** What is too much, or null. */
  add(messages: number, bytes: number): 'messages' | 'bytes' | null {
    const now = this.#clock.monotonic();
    if (now - this.#since > 1_000) {
      this.#since = now;
      this.#messages = 0;
      this.#bytes = 0;
    }
    this.#messages += messages;
    this.#bytes += bytes;
    if (this.#messages > TOOL_LIMITS.messagesPerSecond) return 'messages';
    return this.#bytes > this.#maxBytes ? 'bytes' : null;
  }
}
