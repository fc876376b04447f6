/** The tables of settings, secrets, providers and windows behind the small interfaces that their users inject. */
import { AppError } from '../../shared/errors';
import type { ProviderRows, WindowRows } from '../providers/provider-rows';
import type { SecretRows } from '../settings/secrets';
import type { SettingsRows } from '../settings/settings';
import type { WriteTx } from './database';
import { allProviders, deleteProvider, putProvider } from './providers-table';
import { getSecret, putSecret, removeSecret, secretNames } from './secrets-table';
import { allSettings, putSetting } from './settings-table';
import { getWindow, putWindow } from './windows-table';
import { BUSY, type WriteSeam } from './write-seam';

/** Writes of these tables share one queue, so that the last change of a key is the one that stays. */
const QUEUE = 'app';

export function settingsRows(seam: WriteSeam, failed: (error: unknown) => void): SettingsRows {
  return {
    all: () => allSettings(seam.db),
    set: (key, json) => void seam.write(QUEUE, (tx) => putSetting(tx, key, json)).catch(failed),
  };
}

/** A secret that could not be stored is an error at once: it was not kept anywhere else. */
export function secretRows(seam: WriteSeam): SecretRows {
  const now = (fn: (tx: WriteTx) => void) => {
    if (seam.tryWrite(fn, { durable: true }) === BUSY) throw new AppError('busy');
  };
  return {
    get: (owner, name) => getSecret(seam.db, owner, name),
    set: (owner, name, ciphertext) => now((tx) => putSecret(tx, owner, name, ciphertext)),
    remove: (owner, name) => now((tx) => removeSecret(tx, owner, name)),
    names: (owner) => secretNames(seam.db, owner),
  };
}

export function providerRows(seam: WriteSeam, failed: (error: unknown) => void): ProviderRows {
  const write = (fn: (tx: WriteTx) => void) => void seam.write(QUEUE, fn).catch(failed);
  return {
    all: () => allProviders(seam.db),
    insert: (row) => write((tx) => putProvider(tx, row)),
    update: (row) => write((tx) => putProvider(tx, row)),
    delete: (id) => write((tx) => deleteProvider(tx, id)),
  };
}

export function windowRows(seam: WriteSeam, failed: (error: unknown) => void): WindowRows {
  return {
    get: (providerId, model, settingsHash) => getWindow(seam.db, providerId, model, settingsHash),
    put: (row) => void seam.write(QUEUE, (tx) => putWindow(tx, row)).catch(failed),
  };
}
