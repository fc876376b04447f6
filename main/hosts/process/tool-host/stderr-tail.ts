import type { Clock } from '../../../lib/clock';
import { TOOL_LIMITS } from '../../tool-protocol';
import type { Mask } from './mask';

/** Bytes of one piece that can still be among the last lines. */
const PIECE_BYTES = TOOL_LIMITS.stderrLines * TOOL_LIMITS.stderrLineChars;

/** Of a line without an end: the longest secret (20,000) that begins within what is shown is in it whole. */
const OPEN_CHARS = 20_000 + TOOL_LIMITS.stderrLineChars;

/** The tail is told at most this often, in milliseconds: main shows it with all that it shows of tools. */
const TELL_MS = 1_000;

/** Keeps the last lines of a server's error output. It takes any amount and keeps little. */
export class StderrTail {
  readonly #clock: Clock;
  readonly #mask: Mask;
  readonly #tell: (lines: readonly string[]) => void;
  #lines: string[] = [];
  #open = '';
  #planned: (() => void) | null = null;

  constructor(clock: Clock, mask: Mask, tell: (lines: readonly string[]) => void) {
    this.#clock = clock;
    this.#mask = mask;
    this.#tell = tell;
  }

  get lines(): readonly string[] {
    const all = this.#open === '' ? this.#lines : [...this.#lines, this.#open];
    return all.slice(-TOOL_LIMITS.stderrLines).map((line) => this.#mask(line).slice(0, TOOL_LIMITS.stderrLineChars));
  }
  /** The last line that says something, for one sentence about the server's end. */
  get last(): string {
    return this.lines.findLast((line) => line.trim() !== '')?.trim() ?? '';
  }

  take(piece: Buffer): void {
    // never from inside a line: half a secret would not be known for one
    const from = piece.length > PIECE_BYTES ? piece.lastIndexOf(10, piece.length - PIECE_BYTES) + 1 : 0;
    if (from > 0) this.#open = '';
    const parts = piece.subarray(from).toString('utf8').split('\n');
    for (const part of parts.slice(0, -1)) {
      this.#lines.push(plain(this.#open + part));
      this.#open = '';
    }
    const open = plain(this.#open + (parts.at(-1) ?? ''));
    this.#open = open.length > OPEN_CHARS ? this.#mask(open).slice(0, OPEN_CHARS) : open;
    if (this.#lines.length > TOOL_LIMITS.stderrLines) this.#lines = this.#lines.slice(-TOOL_LIMITS.stderrLines);
    this.#planned ??= this.#clock.after(TELL_MS, () => this.flush());
  }

  /** Tells what has not been told. */
  flush(): void {
    if (!this.#planned) return;
    this.#planned();
    this.#planned = null;
    this.#tell(this.lines);
  }
}

/** Without the codes by which terminals are coloured, and without anything else that is not to be read. */
function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return line.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}
