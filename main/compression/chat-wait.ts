/** Before a part is asked of a server that works on one request at a time, the chat that it answers ends. */
import type { ModelFacts } from '../providers/registry-types';

export interface ChatWaitEnv {
  /** Calls once the chat that this model's server answers has ended; null = there is none. */
  letChatEnd(model: ModelFacts, fn: () => void): (() => void) | null;
  /** What came meanwhile is taken in one step. */
  exclusive(fn: () => void): void;
  /** It begins or ceases to wait. */
  waits(waits: boolean): void;
}

export class ChatWait {
  readonly #env: ChatWaitEnv;
  #stop: (() => void) | null = null;

  constructor(env: ChatWaitEnv) {
    this.#env = env;
  }

  /** Runs `open` now, or when no chat is in the way any more. */
  before(model: ModelFacts, open: () => void): void {
    this.end();
    this.#stop = this.#env.letChatEnd(model, () => this.#env.exclusive(() => this.before(model, open)));
    if (this.#stop) this.#env.waits(true);
    else open();
  }

  /** `open` is not run any more. */
  end(): void {
    if (!this.#stop) return;
    this.#stop();
    this.#stop = null;
    this.#env.waits(false);
  }
}
