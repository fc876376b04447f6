import type { Download, DownloadFailure } from '../../shared/model/download';
import type { DownloadJob, ResultOf } from '../hosts/protocol';
import { isRefusal, type OpenRefusal, type StreamEnd, type StreamHandle } from '../hosts/stream-handle';
import type { Clock } from '../lib/clock';
import type { CatalogueEntry, Pin } from './catalogue';
import { type AfterTry, afterTry, NO_TRIES, type Tried } from './download-policy';
import { Speed } from './download-speed';
import { fileAddress, type HubAnswer } from './hub';
import type { ModelFolder } from './model-folder';

/** Milliseconds without a byte after which a server is given up. */
const PATIENCE_MS = 30_000;
/** A process that has not stopped by then is ended: the user waits a second at most. Milliseconds. */
const STOP_MS = 700;
/** Space that a download leaves for everything else, in bytes. */
const SPARE_BYTES = 200_000_000;

export interface DownloadHost {
  download(job: DownloadJob): StreamHandle | OpenRefusal;
}

export interface RunOptions {
  readonly entry: CatalogueEntry;
  /** What the file has to be, where that is known. */
  readonly pin: Pin | null;
  readonly hub: string;
  readonly folder: ModelFolder;
  readonly hosts: DownloadHost;
  readonly clock: Clock;
  readonly patienceMs?: number;
  readonly ask: () => Promise<HubAnswer>;
  /** Where the system sends what is asked of the hub. */
  readonly proxy: () => Promise<string | null>;
  /** Bytes that other downloads are still going to write. */
  readonly others: () => number;
  /** State or pin changed. */
  readonly changed: () => void;
}

export type RunEnd =
  | { readonly kind: 'done'; readonly path: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly why: DownloadFailure };

/** One download from the click that began it to its end: tries, waits between them, and a stop at any time. */
export class DownloadRun {
  readonly #options: RunOptions;
  readonly #speed = new Speed();
  #pin: Pin | null;
  #state: Download;
  #have = 0;
  #stopped = false;
  #stream: StreamHandle | null = null;
  #wake: () => void = () => {};
  /** Resolves when it is stopped. */
  readonly #stopping = new Promise<null>((resolve) => {
    this.#wake = () => resolve(null);
  });

  constructor(options: RunOptions) {
    this.#options = options;
    this.#pin = options.pin;
    this.#state = options.pin ? this.#running(null) : { state: 'asking' };
  }

  get state(): Download {
    return this.#state;
  }
  get pin(): Pin | null {
    return this.#pin;
  }
  /** Bytes that are here, as far as this run has heard. */
  get have(): number {
    return this.#have;
  }
  get left(): number {
    return this.#pin ? this.#pin.bytes - this.#have : 0;
  }

  /** Runs until it is done, failed or stopped. Throws only for faults of the app. */
  async run(): Promise<RunEnd> {
    const { clock, folder, entry } = this.#options;
    let tries = NO_TRIES;
    while (!this.#stopped) {
      const tried = await this.#try();
      if (tried === null) break;
      if ('why' in tried) return { kind: 'failed', why: tried.why };
      const next: AfterTry = afterTry(tried, tries);
      if (next.kind === 'done') return { kind: 'done', path: folder.pathOf(entry) };
      if (next.kind === 'failed') return next;
      tries = next.tries;
      if (next.why) {
        this.#show({ state: 'waiting', ...this.#size(), retryAt: clock.wall() + next.waitMs, why: next.why });
        await this.#wait(next.waitMs);
      }
    }
    return { kind: 'stopped' };
  }

  /** Ends the run; what has arrived stays. `run` ends within a second. */
  stop(why: 'user' | 'quit'): void {
    this.#stopped = true;
    this.#wake();
    const stream = this.#stream;
    if (!stream) return;
    stream.cancel(why);
    const disarm = this.#options.clock.after(STOP_MS, () => stream.kill());
    stream.on((event) => {
      if (event.t === 'settled') disarm();
    });
  }

  /** null = it was stopped. */
  async #try(): Promise<Tried | { readonly why: DownloadFailure } | null> {
    const { folder, entry, others, patienceMs = PATIENCE_MS } = this.#options;
    const asked = await this.#promised();
    if (asked === null) return null;
    if (!asked.ok) return { outcome: { kind: 'hub', why: asked.why }, gainedBytes: 0, expectedBytes: 0, patienceMs };
    const { pin } = asked;
    const found = await folder.look(entry);
    this.#have = found.kind === 'part' ? found.have : 0;
    const needBytes = pin.bytes - this.#have + others() + SPARE_BYTES;
    const freeBytes = await folder.freeBytes();
    if (freeBytes < needBytes) return { why: { kind: 'no-space', needBytes, freeBytes } };
    const proxy = await Promise.race([this.#options.proxy(), this.#stopping]);
    if (this.#stopped) return null;
    const before = this.#have;
    const end = await this.#oneStream(pin, proxy, patienceMs);
    if (this.#stopped || end === null) return null;
    const tried = { gainedBytes: this.#have - before, expectedBytes: pin.bytes, patienceMs };
    if (end.t === 'result') return { ...tried, outcome: end.value as ResultOf['download'] };
    if (end.t === 'failed') return { why: { kind: 'internal', message: end.message } };
    return { ...tried, outcome: { kind: 'died' } };
  }

  /** Size and checksum: from the catalogue, from an earlier try, or by asking. null = it was stopped meanwhile. */
  async #promised(): Promise<HubAnswer | null> {
    if (this.#pin) return { ok: true, pin: this.#pin };
    this.#show({ state: 'asking' });
    const asked = await Promise.race([this.#options.ask(), this.#stopping]);
    if (asked?.ok) this.#pin = asked.pin;
    return asked;
  }

  #oneStream(pin: Pin, proxy: string | null, patienceMs: number): Promise<StreamEnd | null> {
    const { hosts, hub, folder, entry, clock } = this.#options;
    const stream = hosts.download({
      kind: 'download',
      url: fileAddress(hub, entry, pin.revision),
      path: folder.pathOf(entry),
      bytes: pin.bytes,
      sha256: pin.sha256,
      record: { id: entry.id, revision: pin.revision, bytes: pin.bytes, sha256: pin.sha256 },
      proxy,
      patienceMs,
    });
    if (isRefusal(stream)) return Promise.resolve(null); // the app is quitting
    this.#stream = stream;
    this.#speed.restart();
    this.#show(this.#running(null));
    return new Promise((resolve) => {
      stream.on((event) => {
        if (event.t === 'settled') {
          this.#stream = null;
          resolve(event.end);
        } else if (event.t === 'phase' && event.done !== undefined && event.of !== undefined) {
          if (event.phase === 'reading') {
            this.#show({ state: 'checking', done: event.done, of: event.of });
          } else {
            this.#have = event.done;
            this.#show(this.#running(this.#speed.heard(clock.monotonic(), event.done)));
          }
        }
      });
    });
  }

  async #wait(ms: number): Promise<void> {
    let disarm = () => {};
    const over = new Promise<void>((resolve) => {
      disarm = this.#options.clock.after(ms, resolve);
    });
    await Promise.race([over, this.#stopping]);
    disarm();
  }

  #running(bytesPerSecond: number | null): Download {
    return { state: 'running', ...this.#size(), bytesPerSecond };
  }
  #size(): { readonly done: number; readonly of: number } {
    return { done: this.#have, of: this.#pin?.bytes ?? 0 };
  }
  #show(state: Download): void {
    if (this.#stopped) return;
    this.#state = state;
    this.#options.changed();
  }
}
