import type { ModelState } from '../../shared/model/provider';
import type { Clock } from '../lib/clock';
import { Emitter } from '../lib/emitter';
import type { Log } from '../lib/log';
import type { Child, Fork } from './child';
import { Host } from './host';
import { Kept } from './kept-models';
import type { DocumentJob, DownloadJob, HostRole, Job, StreamId, Target } from './protocol';
import {
  type AttemptSlot,
  isRefusal,
  type OpenRefusal,
  type StreamEvent,
  type StreamHandle,
  type StreamOpener,
} from './stream-handle';
import { isFileJob, type ToolJob } from './tool-protocol';

/** Summarizers that may work at once. */
const SUMMARIZERS = 2;
/** A process without work ends after this long; milliseconds. */
const IDLE_MS = 60_000;
/** An embedded host keeps its model this long, where nothing else was said. */
const KEEP_MODEL_MS = 600_000;
/** Of idle summarizers one is kept, the others end after this long: the next chunk comes within milliseconds. */
const SPARE_MS = 2_000;
/** Time that a leaving process has for unacknowledged frames. */
const LEAVE_MS = 2_000;

export interface PoolOptions {
  readonly fork: Fork;
  readonly clock: Clock;
  readonly instance: string;
  readonly platform: NodeJS.Platform;
  readonly log: Log;
  /** How long a model in this app is kept without work; null = until the app ends. Milliseconds. */
  readonly keepModelMs?: () => number | null;
}

interface Place {
  readonly host: Host;
  /** `chat`, `summarizer`, `documents`, `downloads`, `tools`, `files`, or the file of an embedded host. */
  readonly key: string;
  /** Models that streams of this process used: barred while it is written off. */
  readonly models: Set<string>;
  /** What an embedded host has of its file in memory, as its streams tell; of other hosts it says nothing. */
  memory: Exclude<ModelState, 'unknown'>;
  disarmIdle: (() => void) | null;
}

/** Gives every stream the process it belongs in, starts processes on first need and ends idle ones. */
export class HostPool implements StreamOpener {
  readonly #options: PoolOptions;
  readonly #places = new Set<Place>();
  /** Attempts that have a place, with the process they last used. */
  readonly #slots = new Map<object, Place | null>();
  readonly #slotWaiters = new Set<() => void>();
  readonly #kept = new Kept();
  /** A process came or went, or a GGUF file is loaded by now, is loaded anew, or could not be. */
  readonly changed = new Emitter<void>();
  #nextId = 1;
  #quitting = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  open(job: Job): StreamHandle | OpenRefusal {
    if (job.kind === 'summary' && job.target.kind !== 'embedded') {
      const slot = this.reserve(job.target);
      if (isRefusal(slot)) return slot;
      const opened = slot.open(job);
      slot.release(); // the process stays with its stream
      return opened;
    }
    const { target } = job;
    return target.kind === 'embedded'
      ? this.#openIn(job, () => this.#shared('embedded', `embedded ${target.path}`))
      : this.#openIn(job, () => this.#shared('chat', 'chat'));
  }

  /** Reads a document in a process that runs nothing else: a file that breaks its reader harms no model's stream. */
  read(job: DocumentJob): StreamHandle | OpenRefusal {
    return this.#openAlone(job, 'documents');
  }

  /** Brings a file here in a process that runs nothing else: writing and checksums hold up neither main nor a model. */
  download(job: DownloadJob): StreamHandle | OpenRefusal {
    return this.#openAlone(job, 'downloads');
  }

  /**
   * Runs a server of tools, or calls one, in the one process that all servers share. Files are read in another: a disk
   * that hangs hears no cancel, and the end of that process harms no server.
   */
  tool(job: ToolJob): StreamHandle | OpenRefusal {
    return this.#openAlone(job, isFileJob(job) ? 'files' : 'tools');
  }

  reserve(target: Target): AttemptSlot | OpenRefusal {
    const refused = this.#refusal(target);
    if (refused) return refused;
    if (target.kind === 'embedded') return { open: (job) => this.open(job), release: () => {} };
    if (!this.hasPlace(target)) return { refused: 'no-slot' };
    const key = {};
    this.#slots.set(key, null);
    return {
      open: (job) => this.#openIn(job, () => this.#summarizer(key)),
      release: () => {
        const place = this.#slots.get(key);
        if (!this.#slots.delete(key)) return;
        if (place && place.host.state === 'running' && place.host.open === 0) this.#restIdle(place);
        if (this.#taken() < SUMMARIZERS) this.#tellSlots();
      },
    };
  }

  hasPlace(target: Target): boolean {
    return this.#refusal(target) === null && (target.kind === 'embedded' || this.#taken() < SUMMARIZERS);
  }

  onSlotFree(fn: () => void): () => void {
    this.#slotWaiters.add(fn);
    return () => this.#slotWaiters.delete(fn);
  }

  /**
   * Ends the process that holds this GGUF file, and with it every stream in it. Resolves when the file is nobody's any
   * more; at once where no process has it.
   */
  async unload(path: string): Promise<void> {
    const holding = [...this.#places].filter(({ key }) => key === `embedded ${path}`);
    for (const { host } of holding) {
      if (host.open === 0) host.leave(LEAVE_MS);
      else host.kill('model unloaded');
    }
    await Promise.all(holding.map(({ host }) => (host.state === 'written-off' ? undefined : host.exited)));
  }

  /** True while a stream runs on this GGUF file. */
  inUse(path: string): boolean {
    return [...this.#places].some(({ key, host }) => key === `embedded ${path}` && host.open > 0);
  }

  /** The user wants models kept for another time: what is idle by now is looked at anew. */
  keepChanged(): void {
    for (const place of this.#places) {
      if (place.host.role === 'embedded' && place.host.state === 'running' && place.host.open === 0)
        this.#restIdle(place);
    }
  }

  /** Whether this GGUF file is in memory. A load that nobody waits for any more counts as done: nothing tells of its end. */
  memoryOf(path: string): Place['memory'] {
    const place = [...this.#places].find(({ key, host }) => key === `embedded ${path}` && host.state === 'running');
    return place?.memory ?? 'not-loaded';
  }

  /** Running processes by role, and those written off: for the doctor page and tests. */
  census(): { readonly role: HostRole; readonly state: Host['state']; readonly open: number }[] {
    return [...this.#places].map(({ host }) => ({ role: host.role, state: host.state, open: host.open }));
  }

  /**
   * Ends every process: politely within `graceMs`, then by force. Resolves when all are gone or written off. Servers
   * that keep a model until this app ends are told to let go of it, as far as the time allows.
   */
  async close(graceMs: number): Promise<void> {
    for (const target of this.#kept.all()) this.open({ kind: 'unload', target });
    this.#quitting = true;
    const hosts = [...this.#places].map(({ host }) => host).filter(({ state }) => state !== 'written-off');
    for (const host of hosts) host.leave(graceMs);
    const gone = Promise.all(hosts.map((host) => host.exited));
    const cancel = this.#options.clock.after(graceMs, () => {
      for (const host of hosts) host.kill('quit');
    });
    const limit = new Promise<void>((resolve) => {
      void gone.then(this.#options.clock.after(graceMs + LEAVE_MS, resolve));
    });
    await Promise.race([gone, limit]);
    cancel();
  }

  #openAlone(
    job: DocumentJob | DownloadJob | ToolJob,
    role: 'documents' | 'downloads' | 'tools' | 'files',
  ): StreamHandle | OpenRefusal {
    if (this.#quitting) return { refused: 'quitting' };
    const place = this.#shared(role, role);
    place.disarmIdle?.();
    place.disarmIdle = null;
    return place.host.openStream(job);
  }

  #openIn(job: Job, find: () => Place): StreamHandle | OpenRefusal {
    const refused = this.#refusal(job.target);
    if (refused) return refused;
    this.#kept.opened(job);
    const place = find();
    place.disarmIdle?.();
    place.disarmIdle = null;
    place.models.add(modelKey(job.target));
    const stream = place.host.openStream(job);
    if (job.target.kind === 'embedded') stream.on((event) => this.#remember(place, event));
    return stream;
  }

  #remember(place: Place, event: StreamEvent): void {
    const now = memoryAfter(event, place.memory);
    if (now === place.memory) return;
    place.memory = now;
    this.changed.emit();
  }

  #refusal(target: Target): OpenRefusal | null {
    if (this.#quitting) return { refused: 'quitting' };
    const model = modelKey(target);
    const barred = [...this.#places].some(({ host, models }) => host.state === 'written-off' && models.has(model));
    return barred ? { refused: 'barred' } : null;
  }

  /** The slot's own process, an idle one nobody has, or a new one. A process runs one stream at a time. */
  #summarizer(slot: object): Place {
    const own = this.#slots.get(slot);
    if (own && own.host.state === 'running' && own.host.open === 0) return own;
    const place = this.#idleSummarizers().find((idle) => !this.#owned(idle)) ?? this.#start('summarizer', 'summarizer');
    this.#slots.set(slot, place);
    return place;
  }

  #idleSummarizers(): Place[] {
    return [...this.#places].filter(
      ({ key, host }) => key === 'summarizer' && host.state === 'running' && host.open === 0,
    );
  }

  #owned(place: Place): boolean {
    return [...this.#slots.values()].includes(place);
  }

  /** Places taken: by attempts, and by processes whose stream or death an attempt has left behind. */
  #taken(): number {
    const left = [...this.#places].filter(
      (place) => place.key === 'summarizer' && occupied(place.host) && !this.#owned(place),
    );
    return this.#slots.size + left.length;
  }

  #shared(role: HostRole, key: string): Place {
    const running = [...this.#places].find((place) => place.key === key && place.host.state === 'running');
    return running ?? this.#start(role, key);
  }

  #start(role: HostRole, key: string): Place {
    const { fork, clock, instance, platform, log } = this.#options;
    const rest: Omit<Place, 'host'> = { key, models: new Set(), memory: 'loading', disarmIdle: null };
    const place: { host?: Host } & typeof rest = rest;
    place.host = new Host({
      role,
      fork: (asked): Child => fork(asked),
      clock,
      instance,
      platform,
      log,
      mintId: () => this.#nextId++ as StreamId,
      changed: () => this.#changed(place as Place),
    });
    this.#places.add(place as Place);
    this.changed.emit();
    return place as Place;
  }

  #changed(place: Place): void {
    if (place.host.state === 'exited') {
      place.disarmIdle?.();
      this.#places.delete(place);
      this.changed.emit();
    } else if (place.host.state === 'running' && place.host.open === 0) this.#restIdle(place);
    // a process that is gone may have barred its model
    if (place.host.state === 'exited') this.#tellSlots();
    else if (place.key === 'summarizer' && this.#taken() < SUMMARIZERS) this.#tellSlots();
  }

  #restIdle(place: Place): void {
    place.disarmIdle?.();
    place.disarmIdle = null;
    const patience = this.#patience(place);
    if (patience === null) return;
    place.disarmIdle = this.#options.clock.after(patience, () => {
      if (place.host.open === 0 && !this.#owned(place)) place.host.leave(LEAVE_MS);
    });
  }

  /** null = it stays. */
  #patience(place: Place): number | null {
    const { keepModelMs = () => KEEP_MODEL_MS } = this.#options;
    if (place.host.role === 'embedded') return place.memory === 'not-loaded' ? 0 : keepModelMs(); // nothing to keep
    if (place.key !== 'summarizer') return IDLE_MS;
    return this.#idleSummarizers().some((idle) => idle !== place && !this.#owned(idle)) ? SPARE_MS : IDLE_MS;
  }

  #tellSlots(): void {
    for (const tell of [...this.#slotWaiters]) tell();
  }
}

/** A killed process keeps its slot until its exit is seen; one that was written off gives it up. */
function occupied(host: Host): boolean {
  return host.open > 0 ? host.state !== 'written-off' : host.state === 'killed';
}

/** What is in memory after an event of a stream. A loaded model stays where only a further context found no room. */
function memoryAfter(event: StreamEvent, before: Place['memory']): Place['memory'] {
  if (event.t === 'phase' && event.phase === 'loading') return 'loading';
  if (event.t === 'phase' && event.phase !== 'connecting') return 'loaded';
  if (event.t !== 'settled') return before;
  return event.end.t === 'failed' && event.end.cause === 'load' && before !== 'loaded' ? 'not-loaded' : 'loaded';
}

function modelKey(target: Target): string {
  return target.kind === 'embedded' ? target.path : `${target.address} ${target.model}`;
}
