import { basename } from 'node:path';
import { AppError } from '../../shared/errors';
import type { CatalogueId, CatalogueRow, Download, DownloadFailure } from '../../shared/model/download';
import { CONTEXTS, cacheBytes, memoryFit, memoryNeeded } from '../../shared/model/memory';
import type { Clock } from '../lib/clock';
import { Emitter } from '../lib/emitter';
import { fetchFor, type Network, proxyFor } from './ask-http';
import type { CatalogueEntry, Pin } from './catalogue';
import { type DownloadHost, DownloadRun, type RunEnd } from './download-run';
import { EMBEDDED } from './embedded-files';
import { DEFAULT_WINDOW } from './embedded-models';
import { askHub } from './hub';
import type { ModelFolder } from './model-folder';

/** The hub is asked this long for size and checksum. Milliseconds. */
const ASK_MS = 15_000;
const ELSEWHERE: RunEnd = { kind: 'failed', why: { kind: 'elsewhere' } };

/** Kept while one window writes or deletes a model's file: another window on the profile must do neither then. */
export interface DownloadLock {
  release(): void;
}

export interface DownloadsOptions {
  readonly catalogue: readonly CatalogueEntry[];
  /** Origin of the hub; another one than the public hub in tests alone. */
  readonly hub: string;
  readonly folder: ModelFolder;
  readonly hosts: DownloadHost;
  readonly clock: Clock;
  /** null = another process on this profile has it. */
  readonly lock: (id: CatalogueId) => DownloadLock | null;
  readonly memoryBytes: number;
  /** Takes a finished file into the list of models. Throws AppError where it is none. */
  readonly added: (path: string) => Promise<unknown>;
  readonly failed: (error: unknown) => void;
  readonly patienceMs?: number;
  readonly network: Network;
}

/** The catalogue of models and what is here of each. Nothing is asked or downloaded before a user wants it. */
export class Downloads {
  readonly changed = new Emitter<readonly CatalogueRow[]>();
  readonly #options: DownloadsOptions;
  readonly #runs = new Map<CatalogueId, { readonly run: DownloadRun; readonly ended: Promise<void> }>();
  readonly #resting = new Map<CatalogueId, Download>();
  readonly #pins = new Map<CatalogueId, Pin>();

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /** Sees what earlier runs of the app have left: finished files are taken into the list, parts can be resumed. */
  async start(): Promise<void> {
    await this.#options.folder.scan();
    await Promise.all(this.#options.catalogue.map((entry) => this.#look(entry)));
    this.#tell();
  }

  rows(): CatalogueRow[] {
    return this.#options.catalogue.map((entry) => this.#row(entry));
  }

  /** Begins, resumes or tries again. What becomes of it is told by the rows. */
  begin(id: CatalogueId): void {
    const entry = this.#require(id);
    if (this.#runs.has(id)) return;
    const { hub, folder, hosts, clock, patienceMs, network } = this.#options;
    const run: DownloadRun = new DownloadRun({
      entry,
      pin: this.#pinOf(entry),
      hub,
      folder,
      hosts,
      clock,
      ...(patienceMs === undefined ? {} : { patienceMs }),
      ask: () => askHub(hub, entry, { clock, timeoutMs: ASK_MS, fetch: fetchFor(hub, network) }),
      proxy: () => proxyFor(hub, network),
      others: () => [...this.#runs.values()].reduce((sum, one) => sum + (one.run === run ? 0 : one.run.left), 0),
      changed: () => this.#tell(),
    });
    const ended = this.#run(entry, run)
      .catch((error: unknown): RunEnd => {
        this.#options.failed(error);
        const message = error instanceof Error ? error.message : String(error);
        return { kind: 'failed', why: { kind: 'internal', message } };
      })
      .then((end) => this.#rest(entry, run, end));
    this.#runs.set(id, { run, ended });
    this.#tell();
  }

  /** Stops it; what has arrived stays for later. Resolves when nothing of it runs any more. */
  async pause(id: CatalogueId): Promise<void> {
    this.#require(id);
    const running = this.#runs.get(id);
    running?.run.stop('user');
    await running?.ended;
  }

  /** Stops it and deletes what has arrived. A finished model stays. */
  async cancel(id: CatalogueId): Promise<void> {
    const entry = this.#require(id);
    await this.pause(id);
    const end = await this.#alone(entry, () => this.#discard(entry));
    await this.#rest(entry, null, end ?? ELSEWHERE);
  }

  owns(path: string): boolean {
    return this.#options.folder.owns(path);
  }

  /**
   * Does it while no window downloads the model of this file; a file of the user's own is nobody's download.
   * @throws AppError `model-downloading`: nothing was done then.
   */
  async alone(path: string, work: () => Promise<void>): Promise<void> {
    const entry = this.#entryAt(path);
    if (!entry) return work();
    const end = await this.#alone(entry, async () => {
      await work();
      return 'done';
    });
    if (end === null) throw new AppError('model-downloading', { model: entry.name });
  }

  /** Deletes the file of a downloaded model, which nothing may hold any more. @throws AppError `file-unreadable`. */
  async erase(path: string): Promise<void> {
    try {
      await this.#options.folder.erase(path);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new AppError('file-unreadable', { file: basename(path), reason }, error);
    }
    const entry = this.#entryAt(path);
    if (!entry) return;
    this.#resting.delete(entry.id);
    this.#pins.delete(entry.id);
    this.#tell();
  }

  /** Stops all; each can be resumed after the next start. */
  async quit(): Promise<void> {
    const running = [...this.#runs.values()];
    for (const { run } of running) run.stop('quit');
    await Promise.all(running.map(({ ended }) => ended));
  }

  async #run(entry: CatalogueEntry, run: DownloadRun): Promise<RunEnd> {
    const end = await this.#alone(entry, async () => {
      const found = await this.#options.folder.look(entry); // another window may have finished it
      const got: RunEnd = found.kind === 'whole' ? { kind: 'done', path: found.path } : await run.run();
      return got.kind === 'done' ? this.#taken(got.path) : got;
    });
    return end ?? ELSEWHERE;
  }

  /** Does it while no other window writes this model's file; null = one does, and nothing was done. */
  async #alone<T>(entry: CatalogueEntry, work: () => Promise<T>): Promise<T | null> {
    const { folder, lock } = this.#options;
    await folder.make();
    const held = lock(entry.id);
    if (!held) return null;
    try {
      return await work();
    } finally {
      held.release();
    }
  }

  /** Throws away what has arrived, but for what another window has finished since this one looked. */
  async #discard(entry: CatalogueEntry): Promise<RunEnd> {
    const { folder } = this.#options;
    const found = await folder.look(entry);
    if (found.kind === 'whole') return this.#taken(found.path);
    await folder.discard(folder.pathOf(entry));
    return { kind: 'stopped' };
  }

  /** Takes a whole file in; what proves to be no model is not kept. */
  async #taken(path: string): Promise<RunEnd> {
    const why = await this.#takeIn(path);
    if (why === null) return { kind: 'done', path };
    // its checksum was right: a file that only could not be read just now stays
    if (why.kind === 'not-a-model') await this.#options.folder.erase(path);
    return { kind: 'failed', why };
  }

  /** Puts a whole file into the list of models; null = it is there. */
  async #takeIn(path: string): Promise<DownloadFailure | null> {
    this.#options.folder.arrived(path);
    try {
      await this.#options.added(path);
      return null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const kind = error.code === 'not-a-model-file' ? 'not-a-model' : 'unreadable';
      return { kind, reason: String(error.fields.reason ?? error.code) };
    }
  }

  /** `run` = the one that ended; null = there was none. */
  async #rest(entry: CatalogueEntry, run: DownloadRun | null, end: RunEnd): Promise<void> {
    const { id } = entry;
    const found = await this.#options.folder.look(entry);
    const done = found.kind === 'part' ? found.have : 0;
    const pin = found.kind === 'nothing' ? (run?.pin ?? null) : found.pin;
    // what was asked is asked again once it has proved wrong
    if (pin && (found.kind !== 'nothing' || !provesWrong(end))) this.#pins.set(id, pin);
    else this.#pins.delete(id);
    if (end.kind === 'done') this.#resting.set(id, doneAt(end.path));
    else if (end.kind === 'failed') {
      this.#resting.set(id, { state: 'failed', done, of: pin?.bytes ?? null, why: end.why });
    } else if (pin && done > 0) this.#resting.set(id, { state: 'paused', done, of: pin.bytes });
    else this.#resting.delete(id);
    if (run) this.#runs.delete(id);
    this.#tell();
  }

  async #look(entry: CatalogueEntry): Promise<void> {
    const found = await this.#options.folder.look(entry);
    if (found.kind === 'nothing') return;
    this.#pins.set(entry.id, found.pin);
    if (found.kind === 'part') {
      this.#resting.set(entry.id, { state: 'paused', done: found.have, of: found.pin.bytes });
      return;
    }
    const why = await this.#takeIn(found.path).catch((error: unknown) => {
      this.#options.failed(error);
      return null;
    });
    const failed = why && ({ state: 'failed', done: 0, of: found.pin.bytes, why } as const);
    this.#resting.set(entry.id, failed ?? doneAt(found.path));
  }

  #entryAt(path: string): CatalogueEntry | undefined {
    const { folder, catalogue } = this.#options;
    return catalogue.find((one) => folder.pathOf(one) === path);
  }

  #pinOf(entry: CatalogueEntry): Pin | null {
    return this.#pins.get(entry.id) ?? entry.pin;
  }

  #row(entry: CatalogueEntry): CatalogueRow {
    const { id, name, licence, parameters, repo, file, shape } = entry;
    const running = this.#runs.get(id)?.run;
    const pin = running?.pin ?? this.#pinOf(entry);
    const needsBytes =
      pin &&
      memoryNeeded({
        bytes: pin.bytes,
        cacheBytesPerToken: cacheBytes(shape),
        window: DEFAULT_WINDOW,
        contexts: CONTEXTS.embedded,
      });
    return {
      id,
      name,
      licence,
      source: `${repo}/${file}`,
      parameters,
      bytes: pin?.bytes ?? null,
      sha256: pin?.sha256 ?? null,
      needsBytes,
      fit: needsBytes === null ? null : memoryFit(needsBytes, this.#options.memoryBytes),
      download: running?.state ?? this.#resting.get(id) ?? null,
    };
  }

  #require(id: CatalogueId): CatalogueEntry {
    const entry = this.#options.catalogue.find((one) => one.id === id);
    if (!entry) throw new AppError('not-found', { what: 'model' });
    return entry;
  }

  #tell(): void {
    this.changed.emit(this.rows());
  }
}

function provesWrong(end: RunEnd): boolean {
  return end.kind === 'failed' && ['wrong-length', 'wrong-hash', 'not-a-model'].includes(end.why.kind);
}

function doneAt(path: string): Download {
  return { state: 'done', model: { providerId: EMBEDDED, model: path } };
}
