import type { KeyStore } from '../providers/provider-book';
import type { ProviderRow, ProviderRows, WindowRow, WindowRows } from '../providers/provider-rows';

/** Tables `providers` and `windows` and a keyring, in memory: what outlives a registry in a test. */
export class MemoryProviders {
  readonly stored = new Map<string, ProviderRow>();
  readonly measured = new Map<string, WindowRow>();
  readonly secrets = new Map<string, string>();

  readonly rows: ProviderRows = {
    all: () => [...this.stored.values()],
    insert: (row) => void this.stored.set(row.id, row),
    update: (row) => void this.stored.set(row.id, row),
    delete: (id) => void this.stored.delete(id),
  };
  readonly windows: WindowRows = {
    get: (...key) => this.measured.get(JSON.stringify(key)) ?? null,
    put: (row) => void this.measured.set(JSON.stringify([row.providerId, row.model, row.settingsHash]), row),
  };
  readonly keys: KeyStore = {
    has: (owner, name) => this.secrets.has(`${owner} ${name}`),
    read: (owner, name) => this.secrets.get(`${owner} ${name}`) ?? null,
    store: (owner, name, secret) => void this.secrets.set(`${owner} ${name}`, secret),
    remove: (owner, name) => void this.secrets.delete(`${owner} ${name}`),
  };
}
