/** A typed list of listeners. One that throws is reported and does not keep the others from hearing. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void = (error) => console.error(error)) {
    this.#report = report;
  }

  /** Answers the way to stop listening. */
  on(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  get size(): number {
    return this.#listeners.size;
  }
}
