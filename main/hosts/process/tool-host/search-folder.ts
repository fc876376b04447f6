import type { Dirent } from 'node:fs';
import { opendir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { SearchFolderJob } from '../../tool-protocol';
import { FileRefusal } from './file-refusal';
import { type GrantedPath, grantedPath, namesOf } from './granted-path';
import { readTextFile } from './text-file';

/** What one search looks at and answers, at most. */
const LIMITS = { entries: 50_000, names: 50, lines: 100, linesPerFile: 5, lineChars: 200 } as const;
/** Folders that hold what programs made: searched only where they are named. */
const MADE = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__', '.venv']);

/**
 * Where words stand: names of files first, then lines of text files, without regard to upper and lower case. Links are
 * not followed. Says what it left out: also a granted folder that is not there now, where no path was named.
 * @throws FileRefusal where what was named cannot be searched.
 */
export async function searchFolder(
  job: SearchFolderJob,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<string> {
  if (job.folders.length === 0) throw new FileRefusal('no folder was granted');
  const search = new Search(job, signal, progress);
  if (job.under !== null) await search.walk(await grantedPath(job, job.under));
  else for (const { name } of job.folders) await search.granted(name);
  return search.told();
}

class Search {
  readonly #job: SearchFolderJob;
  readonly #signal: AbortSignal;
  readonly #progress: (line: string) => void;
  readonly #words: string;
  readonly #names: string[] = [];
  readonly #lines: string[] = [];
  readonly #missing: string[] = [];
  #entries = 0;
  #notText = 0;
  #more = false;

  constructor(job: SearchFolderJob, signal: AbortSignal, progress: (line: string) => void) {
    this.#job = job;
    this.#signal = signal;
    this.#progress = progress;
    this.#words = job.query.toLowerCase();
  }

  /** All of one granted folder; one that is gone leaves the others as they are. */
  async granted(name: string): Promise<void> {
    let start: GrantedPath;
    try {
      start = await grantedPath(this.#job, name);
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      this.#missing.push(name);
      return;
    }
    await this.walk(start);
  }

  async walk(start: GrantedPath): Promise<void> {
    const waiting: GrantedPath[] = [start];
    for (let place = waiting.shift(); place && !this.#full(); place = waiting.shift()) {
      for (const entry of await this.#entriesOf(place)) {
        if (this.#full()) return;
        this.#signal.throwIfAborted();
        const found = { ...place, shown: `${place.shown}/${entry.name}`, real: path.join(place.real, entry.name) };
        if (entry.isDirectory() && !MADE.has(entry.name) && place.mayRead(found.real)) waiting.push(found);
        else if (entry.isFile()) await this.#look(found);
      }
    }
  }

  told(): string {
    const { query, under, folders } = this.#job;
    const where = under ?? namesOf(folders);
    const gone =
      this.#missing.length > 0 ? [`Not searched, since they cannot be read now: ${this.#missing.join(', ')}.`] : [];
    const head = `Looked for "${query}" in ${where}; entries seen: ${this.#entries}.`;
    if (this.#names.length + this.#lines.length === 0)
      return [`${head} Nothing was found. Try other words.`, ...gone].join('\n');
    const more = this.#more ? ['There is more than is listed here: search for longer words, or under a path.'] : [];
    const rest = this.#notText > 0 ? [`Not read, since they are no text or too large: ${this.#notText}.`] : [];
    return [head, ...named('Names:', this.#names), ...named('Lines:', this.#lines), ...more, ...gone, ...rest].join(
      '\n',
    );
  }

  /** In the order of their names: the same search answers the same. */
  async #entriesOf({ shown, real, mayRead }: GrantedPath): Promise<Dirent[]> {
    const entries: Dirent[] = [];
    try {
      const folder = await opendir(real);
      // looked up once it is open: one that became a link meanwhile is followed nowhere
      if (!mayRead(await realpath(real))) {
        await folder.close();
        throw new FileRefusal(`${shown} leads out of its folder`);
      }
      for await (const entry of folder) {
        entries.push(entry);
        if (++this.#entries >= LIMITS.entries) break;
      }
    } catch (error) {
      // one that cannot be read is passed over, unless it is all that was asked for
      if (shown === this.#job.under) throw error instanceof FileRefusal ? error : FileRefusal.of(error, shown);
      if (!shown.includes('/')) this.#missing.push(shown);
    }
    this.#progress(shown);
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #look(file: GrantedPath): Promise<void> {
    const { shown } = file;
    // every path begins with the name of its granted folder, which says nothing of the file
    if (shown.slice(shown.indexOf('/')).toLowerCase().includes(this.#words)) {
      if (this.#names.length < LIMITS.names) this.#names.push(shown);
      else this.#more = true;
    }
    let text: string;
    try {
      text = await readTextFile(file, this.#signal);
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
      if (hits++ === LIMITS.linesPerFile) {
        this.#more = true;
        break;
      }
      this.#lines.push(`${shown}:${index + 1}: ${around(line, at)}`);
    }
  }

  #full(): boolean {
    const full = this.#lines.length >= LIMITS.lines || this.#entries >= LIMITS.entries;
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
