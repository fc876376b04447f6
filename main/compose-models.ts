/** The part of `compose.ts` that models are made of: their processes, the registry, and what can be downloaded. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InstanceId } from '../shared/model/ids';
import type { KeepModel } from '../shared/model/settings';
import type { CoreEnv } from './app/core';
import { lockFile } from './db/instance-lock';
import { providerRows, secretRows, windowRows } from './db/rows';
import type { WriteSeam } from './db/write-seam';
import { HostPool } from './hosts/pool';
import { CATALOGUE } from './providers/catalogue';
import { Downloads } from './providers/downloads';
import { modelThreads } from './providers/embedded-models';
import { ModelFolder } from './providers/model-folder';
import { Registry } from './providers/registry';
import { Secrets } from './settings/secrets';
import type { SettingsStore } from './settings/settings';

/** What the setting means, in milliseconds; null = until the app ends. */
const KEEP_MS: Readonly<Record<KeepModel, number | null>> = {
  '5m': 300_000,
  '10m': 600_000,
  '1h': 3_600_000,
  app: null,
};

export interface ModelParts {
  readonly seam: WriteSeam;
  readonly settings: SettingsStore;
  readonly me: InstanceId;
  readonly failed: (what: string) => (error: unknown) => void;
}

/** No server and no hub is asked: files are looked at, and that is all. */
export async function composeModels(env: CoreEnv, { seam, settings, me, failed }: ModelParts) {
  const { clock, ids, log, shell } = env;
  const keepMs = () => KEEP_MS[settings.current.keepModel];
  const pool = new HostPool({
    fork: shell.fork,
    clock,
    instance: me,
    platform: process.platform,
    log,
    keepModelMs: keepMs,
  });
  let kept = settings.current.keepModel;
  settings.changed.on(({ keepModel }) => {
    if (keepModel !== kept) pool.keepChanged();
    kept = keepModel;
  });
  const folder = new ModelFolder(join(env.profile, 'models'));
  const registry = new Registry({
    rows: providerRows(seam, failed('a provider was not stored')),
    windows: windowRows(seam, failed('a window was not stored')),
    keys: new Secrets(shell.keyring, secretRows(seam)),
    clock,
    ids,
    hosts: pool,
    network: shell.network,
    practiceFile: env.practiceModel,
    threads: modelThreads(),
    keepMs,
    isDownloaded: (path) => folder.owns(path),
    chosenDefault: () => settings.current.defaultModel,
  });
  await registry.start();
  const downloads = new Downloads({
    catalogue: CATALOGUE,
    hub: env.hub,
    folder,
    hosts: pool,
    network: shell.network,
    clock,
    lock: (id) => {
      const locks = join(env.profile, 'locks');
      mkdirSync(locks, { recursive: true });
      const held = lockFile(join(locks, `${id}.lock`));
      // the file stays: taken away, it might be the one that another window has just opened to lock
      return held && { release: () => held.release(false) };
    },
    memoryBytes: env.memoryBytes,
    added: (path) => registry.addFiles([path]),
    failed: failed('a model was not taken in'),
  });
  await downloads.start();
  return { pool, registry, downloads };
}
