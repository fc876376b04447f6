import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { catalogueId, type Download } from '../../shared/model/download';
import { HostPool } from '../hosts/pool';
import { runDownload } from '../hosts/process/download/download';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import type { CatalogueEntry, Pin } from '../providers/catalogue';
import { Downloads, type DownloadsOptions } from '../providers/downloads';
import { EMBEDDED } from '../providers/embedded-files';
import { ModelFolder } from '../providers/model-folder';
import { type Hub, startHub } from './hub-server';
import { inProcessFork } from './in-process-fork';
import { straightNetwork } from './straight-network';

/** What the hub of these tests holds. */
export const FILE = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 7919 + (i >> 8)) % 251));
export const id = catalogueId.parse('m');

/** The catalogue's verbs over a real server, a real folder and the real work of the download host. */
export class DownloadBench {
  hub!: Hub;
  pool!: HostPool;
  profile = '';
  added: string[] = [];
  readonly locked = new Set<string>();
  readonly #made: Downloads[] = [];

  /** Set up and taken down around each test of the file that asks. */
  static use(): DownloadBench {
    const bench = new DownloadBench();
    beforeEach(() => bench.#begin());
    afterEach(() => bench.#end());
    return bench;
  }

  get path(): string {
    return join(this.profile, 'models', 'm.gguf');
  }
  get pin(): Pin {
    return { revision: 'abc', bytes: FILE.length, sha256: this.hub.sha256 };
  }
  get done(): Download {
    return { state: 'done', model: { providerId: EMBEDDED, model: this.path } };
  }

  entry(over: Partial<CatalogueEntry> = {}): CatalogueEntry {
    return {
      id,
      name: 'M',
      licence: 'MIT',
      parameters: 1,
      shape: { layers: 2, kvHeads: 1, keyLength: 8, valueLength: 8 },
      repo: 'someone/M-GGUF',
      file: 'm.gguf',
      pin: this.pin,
      ...over,
    };
  }

  async downloads(one: CatalogueEntry = this.entry(), over: Partial<DownloadsOptions> = {}): Promise<Downloads> {
    const { locked, added } = this;
    const service = new Downloads({
      catalogue: [one],
      hub: this.hub.url,
      folder: new ModelFolder(join(this.profile, 'models')),
      hosts: this.pool,
      network: straightNetwork,
      clock: systemClock,
      lock: (name) => {
        if (locked.has(name)) return null;
        locked.add(name);
        return { release: () => locked.delete(name) };
      },
      memoryBytes: 16e9,
      added: async (path) => added.push(path),
      failed: (error) => {
        throw error;
      },
      patienceMs: 5_000,
      ...over,
    });
    this.#made.push(service);
    await service.start();
    return service;
  }

  /** Why a download ended, or its end where it did not fail. */
  async failure(one = this.entry(), over: Partial<DownloadsOptions> = {}) {
    const service = await this.downloads(one, over);
    service.begin(id);
    const end = await ended(service);
    return end.state === 'failed' ? end.why : end;
  }

  newPool(): void {
    this.pool = new HostPool({
      fork: inProcessFork(() => runDownload),
      clock: systemClock,
      instance: 'test',
      platform: process.platform,
      log: silentLog,
    });
  }

  async #begin(): Promise<void> {
    this.hub = await startHub(FILE);
    this.profile = mkdtempSync(join(tmpdir(), 'palimpsest-downloads-'));
    this.newPool();
    this.added = [];
    this.locked.clear();
  }

  async #end(): Promise<void> {
    for (const downloads of this.#made.splice(0)) await downloads.quit();
    await this.pool.close(500);
    await this.hub.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}

export const stateOf = (service: Downloads): Download | null => service.rows()[0]?.download ?? null;

/** Bytes that are here of the first entry, as a window is told. */
export const hereOf = (service: Downloads): number => (stateOf(service) as { done?: number } | null)?.done ?? 0;

/** Resolves with the download once it is in one of these states. */
export function reached(service: Downloads, ...states: readonly Download['state'][]): Promise<Download> {
  return new Promise((resolve) => {
    const look = () => {
      const now = stateOf(service);
      if (!now || !states.includes(now.state)) return;
      stop();
      resolve(now);
    };
    const stop = service.changed.on(look);
    look();
  });
}
export const ended = (service: Downloads) => reached(service, 'done', 'failed');
