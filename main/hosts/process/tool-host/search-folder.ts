import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import type { SearchFolderJob } from '../../tool-protocol';
import { FileRefusal } from './file-refusal';
import { grantedPath, isWithin, namesOf } from './granted-path';
import { readTextFile } from './text-file';

/** What one search looks at and answers, at most. */
const LIMITS = { entries: 50_000, hits: 100, hitsPerFile: 5, lineChars: 200 } as const;
/** Folders that hold what programs made: searched only where they are named. */
const MADE = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__', '.venv']);

interface Place {
  readonly shown: string;
  readonly real: string;
}

/**
 * Where words stand: names of files first, then lines of text files, without regard to upper and lower case. Links are
 * not followed. Says what it left out.
 */
export async function searchFolder(
  job: SearchFolderJob,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<string> {
  const starts = job.under === null ? job.folders.map(({ name }) => name) : [job.under];
  if (starts.length === 0) throw new FileRefusal('no folder was granted');
  const search = new Search(job, signal, progress);
  for (const start of starts) await search.walk(await grantedPath(job, start));
  return search.told();
}

class Search {
  readonly #job: SearchFolderJob;
  readonly #signal: AbortSignal;
  readonly #progress: (line: string) => void;
  readonly #words: string;
  readonly #names: string[] = [];
  readonly #lines: string[] = [];
  #entries = 0;
  #notText = 0;
  #more = false;

  constructor(job: SearchFolderJob, signal: AbortSignal, progress: (line: string) => void) {
    this.#job = job;
    this.#signal = signal;
    this.#progress = progress;
    this.#words = job.query.toLowerCase();
  }

  async walk(start: Place): Promise<void> {
    const waiting: Place[] = [start];
    for (let place = waiting.shift(); place && !this.#full(); place = waiting.shift()) {
      for (const entry of await this.#entriesOf(place)) {
        if (this.#full()) return;
        this.#signal.throwIfAborted();
        const found = { shown: `${place.shown}/${entry.name}`, real: path.join(place.real, entry.name) };
        if (entry.isDirectory() && !MADE.has(entry.name) && !this.#isClosed(found)) waiting.push(found);
        else if (entry.isFile()) await this.#look(found);
      }
    }
  }

  told(): string {
    const { query, under, folders } = this.#job;
    const where = under ?? namesOf(folders);
    const head = `Looked for "${query}" in ${where}; entries seen: ${this.#entries}.`;
    if (this.#names.length + this.#lines.length === 0) return `${head} Nothing was found. Try other words.`;
    const more = this.#more ? ['There is more than is listed here: search for longer words, or under a path.'] : [];
    const rest = this.#notText > 0 ? [`Not read, since they are no text or too large: ${this.#notText}.`] : [];
    return [head, ...named('Names:', this.#names), ...named('Lines:', this.#lines), ...more, ...rest].join('\n');
  }

  /** In the order of their names: the same search answers the same. */
  async #entriesOf({ shown, real }: Place): Promise<Dirent[]> {
    const entries: Dirent[] = [];
    try {
      for await (const entry of await opendir(real)) {
        entries.push(entry);
        if (++this.#entries >= LIMITS.entries) break;
      }
    } catch (error) {
      // one that cannot be read is passed over, unless it is all that was asked for
      if (shown === this.#job.under) throw FileRefusal.of(error, shown);
    }
    this.#progress(shown);
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #look({ shown, real }: Place): Promise<void> {
    if (shown.toLowerCase().includes(this.#words)) this.#names.push(shown);
    let text: string;
    try {
      text = await readTextFile(real, shown, this.#signal);
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof FileRefusal)) throw error;
      this.#notText++;
      return;
    }
    if (!text.toLowerCase().includes(this.#words)) return;
    let hits = 0;
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const at = line.toLowerCase().indexOf(this.#words);
      if (at < 0) continue;
      if (hits++ === LIMITS.hitsPerFile) {
        this.#more = true;
        break;
      }
      this.#lines.push(`${shown}:${index + 1}: ${around(line, at)}`);
    }
  }

  #isClosed({ real }: Place): boolean {
    return this.#job.closed.some((one) => isWithin(one, real));
  }

  #full(): boolean {
    const full = this.#names.length + this.#lines.length >= LIMITS.hits || this.#entries >= LIMITS.entries;
    if (full) this.#more = true;
    return full;
  }
}

const named = (title: string, lines: readonly string[]) => (lines.length > 0 ? [title, ...lines] : []);

function around(line: string, at: number): string {
  if (line.length <= LIMITS.lineChars) return line.trim();
  const from = Math.max(0, at - LIMITS.lineChars / 4);
  return `${from > 0 ? '…' : ''}${line.slice(from, from + LIMITS.lineChars)}…`;
}
