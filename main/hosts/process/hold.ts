import type { Hold } from './job';

/** A gate that main shuts and opens by `pause` and `resume`; a cancelled job always passes. */
export class Gate implements Hold {
  #shut = false;
  #open = false;
  #waiting: (() => void)[] = [];
  readonly #onChange: (paused: boolean) => void;

  /** `onChange` is told when the job stands still, which may be one slice after the pause, and when it goes on. */
  constructor(onChange: (paused: boolean) => void) {
    this.#onChange = onChange;
  }

  pause(): void {
    if (!this.#open) this.#shut = true;
  }

  resume(): void {
    this.#shut = false;
    const waiting = this.#waiting.splice(0);
    if (waiting.length > 0 && !this.#open) this.#onChange(false);
    for (const go of waiting) go();
  }

  /** For good: the job is being cancelled. */
  release(): void {
    this.#open = true;
    this.resume();
  }

  pass(): Promise<void> {
    if (!this.#shut) return Promise.resolve();
    if (this.#waiting.length === 0) this.#onChange(true);
    return new Promise((go) => this.#waiting.push(go));
  }
}
