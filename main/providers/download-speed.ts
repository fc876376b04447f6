/** The speed is that of the last seconds: servers and networks change theirs. Milliseconds. */
const WINDOW_MS = 5_000;
/** Less time than this says nothing. Milliseconds. */
const LEAST_MS = 750;

/** Bytes per second over the last few seconds. */
export class Speed {
  #heard: { readonly at: number; readonly done: number }[] = [];

  restart(): void {
    this.#heard = [];
  }

  /** `at` in monotonic milliseconds; `done` = bytes so far. null = not known yet. */
  heard(at: number, done: number): number | null {
    if (done < (this.#heard.at(-1)?.done ?? 0)) this.#heard = []; // it was begun anew
    this.#heard.push({ at, done });
    while (this.#heard.length > 2 && at - (this.#heard[1]?.at ?? at) >= WINDOW_MS) this.#heard.shift();
    const [first] = this.#heard;
    if (!first || at - first.at < LEAST_MS) return null;
    return ((done - first.done) * 1_000) / (at - first.at);
  }
}
