/** Splits a stream of bytes into lines, none longer than a limit. What is over the limit is never joined. */
export class LineSplitter {
  readonly #max: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#max = maxBytes;
  }

  /** The lines that this piece completes, without their ends; `over` = the line that now grows is too long. */
  take(piece: Buffer): { readonly lines: readonly string[]; readonly over: boolean } {
    const lines: string[] = [];
    let from = 0;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, from)) {
      this.#add(piece.subarray(from, at));
      if (this.#bytes > this.#max) return { lines, over: true };
      lines.push(this.rest());
      from = at + 1;
    }
    this.#add(piece.subarray(from));
    return { lines, over: this.#bytes > this.#max };
  }

  /** What has no end yet, and forgets it. */
  rest(): string {
    const line = Buffer.concat(this.#parts, this.#bytes).toString('utf8');
    this.#parts = [];
    this.#bytes = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#bytes += part.length;
  }
}
