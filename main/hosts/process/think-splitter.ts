const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Parts reasoning from answer where a server leaves the model's `<think>` block in the text. Only a block at the
 * very start counts: later ones are the author's own words. Tags may be cut anywhere between two pieces.
 */
export class ThinkSplitter {
  #state: 'start' | 'thinking' | 'after' | 'answer' = 'start';
  #held = '';
  readonly #emit: (text: string, thinking: boolean) => void;

  constructor(emit: (text: string, thinking: boolean) => void) {
    this.#emit = emit;
  }

  push(text: string): void {
    if (this.#state === 'answer') {
      this.#say(text, false);
      return;
    }
    if (this.#state === 'after') {
      this.#after(text);
      return;
    }
    this.#held += text;
    if (this.#state === 'start') {
      const start = this.#held.trimStart();
      if (start.startsWith(OPEN)) {
        this.#state = 'thinking';
        this.#held = start.slice(OPEN.length);
      } else if (OPEN.startsWith(start)) return;
      else {
        this.#state = 'answer';
        this.#release(this.#held.length, false);
        return;
      }
    }
    const close = this.#held.indexOf(CLOSE);
    if (close < 0) {
      this.#release(this.#held.length - partialTag(this.#held), true);
      return;
    }
    this.#release(close, true);
    this.#state = 'after';
    const rest = this.#held.slice(CLOSE.length);
    this.#held = '';
    this.#after(rest);
  }

  /** The blank lines between the block and the answer belong to neither. */
  #after(text: string): void {
    const rest = text.trimStart();
    if (rest === '') return;
    this.#state = 'answer';
    this.#say(rest, false);
  }

  /** Gives out what was held back for a tag that never came. */
  end(): void {
    this.#release(this.#held.length, this.#state === 'thinking');
  }

  #release(length: number, thinking: boolean): void {
    this.#say(this.#held.slice(0, length), thinking);
    this.#held = this.#held.slice(length);
  }

  #say(text: string, thinking: boolean): void {
    if (text !== '') this.#emit(text, thinking);
  }
}

/** Length of the longest end of `text` that may be the beginning of the closing tag. */
function partialTag(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (CLOSE.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
