import type { Job, Target } from './protocol';

type OllamaTarget = Extract<Target, { kind: 'ollama' }>;

/** Models on servers that were asked to keep them until they are told to let go. */
export class Kept {
  readonly #targets = new Map<string, OllamaTarget>();

  /** Hears of every job that goes to a model. */
  opened({ kind, target }: Job): void {
    if (target.kind !== 'ollama' || kind === 'count') return;
    const key = `${target.address} ${target.model}`;
    if (kind !== 'unload' && target.keepSeconds < 0) this.#targets.set(key, target);
    else this.#targets.delete(key); // unloaded, or a later request gave it an end of its own
  }

  all(): readonly OllamaTarget[] {
    return [...this.#targets.values()];
  }
}
