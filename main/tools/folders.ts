/** Folders that models may read: chosen in a dialog of the system, read in the tool host. */

import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/errors';
import { oneLine } from '../../shared/hidden-characters';
import type { ToolFolder } from '../../shared/model/tools';
import type { WriteTx } from '../db/database';
import { allToolFolders, deleteToolFolder, insertToolFolder } from '../db/tool-folders-table';
import type { WriteSeam } from '../db/write-seam';
import type { ReadFileJob, SearchFolderJob } from '../hosts/tool-protocol';
import type { Clock } from '../lib/clock';
import { runInHost, type ToolHost } from './host-call';
import type { Tool, Toolbox } from './tool';

const QUEUE = 'app';
/** Milliseconds. */
const READ_MS = 30_000;
const SEARCH_MS = 60_000;
/** Lines of one answer where the model does not say how many. */
const LINES = 400;
const LINES_MAX = 2_000;

export interface FoldersEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly host: ToolHost;
  /** Folders of the app itself: what is in them is never read. */
  readonly closed: readonly string[];
  changed(): void;
}

const readArgs = z.object({
  path: z.string().min(1).max(4_000),
  from_line: z.int().min(1).default(1),
  lines: z.int().min(1).max(LINES_MAX).default(LINES),
});
const searchArgs = z.object({
  query: z.string().trim().min(1).max(500),
  under: z.string().max(4_000).nullable().default(null),
});

export class Folders implements Toolbox {
  readonly #env: FoldersEnv;
  /** What was told of them last. */
  #told: string;

  constructor(env: FoldersEnv) {
    this.#env = env;
    this.#told = JSON.stringify(this.list);
  }

  /** As they are stored now: what another instance took back is not read here either. */
  get list(): readonly ToolFolder[] {
    return allToolFolders(this.#env.seam.db);
  }

  needed(): void {}

  /** None where no folder was granted. */
  toolsFor(): readonly Tool[] {
    const folders = this.list;
    return folders.length === 0 ? [] : [this.#readFile(folders), this.#searchFolder(folders)];
  }

  /** @throws AppError `file-unreadable`. */
  async add(path: string): Promise<void> {
    const { seam, clock } = this.#env;
    const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      throw new AppError('file-unreadable', { file: path, reason: error.code ?? error.message });
    });
    const add = (tx: WriteTx) => {
      const name = nameFor(real, new Set(allToolFolders(tx).map((folder) => folder.name)));
      insertToolFolder(tx, { name, path: real }, clock.wall());
    };
    await seam.write(QUEUE, add, { durable: true });
    this.look();
  }

  async remove(name: string): Promise<void> {
    await this.#env.seam.write(QUEUE, (tx) => deleteToolFolder(tx, name), { durable: true });
    this.look();
  }

  /** Tells that they changed where they did, in whichever instance. */
  look(): void {
    const now = JSON.stringify(this.list);
    if (now === this.#told) return;
    this.#told = now;
    this.#env.changed();
  }

  #readFile(folders: readonly ToolFolder[]): Tool {
    return {
      name: 'read_file',
      description: `Reads lines of a text file in a folder that the user granted. ${named(folders)}`,
      schema: {
        type: 'object',
        properties: {
          path: {
            type: 'string',
            description: `Begins with a folder's name, as in ${folders[0]?.name ?? 'folder'}/notes.md`,
          },
          from_line: { type: 'integer', description: 'First line, 1 if left out' },
          lines: { type: 'integer', description: `How many, ${LINES} if left out` },
        },
        required: ['path'],
      },
      approval: 'none',
      deadlineMs: READ_MS,
      quotes: false,
      run: (args, signal, progress) => {
        const { path, from_line: from, lines } = parsed(readArgs, args);
        return this.#run({ kind: 'read-file', path, from, lines }, signal, progress);
      },
    };
  }

  #searchFolder(folders: readonly ToolFolder[]): Tool {
    return {
      name: 'search_folder',
      description: `Finds words in file names and text files of folders that the user granted; answers paths with line numbers. ${named(folders)}`,
      schema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'Words as they stand in the file or its name; case does not matter' },
          under: { type: 'string', description: "A folder's name, or a path in one; all folders if left out" },
        },
        required: ['query'],
      },
      approval: 'none',
      deadlineMs: SEARCH_MS,
      quotes: false,
      run: (args, signal, progress) => {
        const { query, under } = parsed(searchArgs, args);
        return this.#run({ kind: 'search-folder', query, under }, signal, progress);
      },
    };
  }

  #run(
    job: Omit<ReadFileJob, 'folders' | 'closed'> | Omit<SearchFolderJob, 'folders' | 'closed'>,
    signal: AbortSignal,
    progress: (line: string) => void,
  ): Promise<string> {
    const { host, clock, closed } = this.#env;
    return runInHost(host, clock, { ...job, folders: this.list, closed }, signal, progress);
  }
}

const named = (folders: readonly ToolFolder[]) => `Folders: ${folders.map(({ name }) => name).join(', ')}.`;

/** The folder's own name, made unlike the others. It is told to models, so it is one line and holds no `/`. */
function nameFor(path: string, taken: ReadonlySet<string>): string {
  const own = oneLine(basename(path).replaceAll(/[/\\]/g, '')) || 'disk';
  for (let n = 1; ; n++) {
    const name = n === 1 ? own : `${own} ${n}`;
    if (!taken.has(name)) return name;
  }
}

/** @throws Error with what is wrong, for the model. */
function parsed<T>(schema: z.ZodType<T>, args: unknown): T {
  const result = schema.safeParse(args);
  if (result.success) return result.data;
  throw new Error(result.error.issues.map(({ path, message }) => `\`${path.join('.')}\`: ${message}`).join('; '));
}
