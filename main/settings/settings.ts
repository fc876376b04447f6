import { type Settings, type SettingsPatch, settingsSchema } from '../../shared/model/settings';
import { Emitter } from '../lib/emitter';

/** The stored settings: one JSON text for each key. */
export interface SettingsRows {
  all(): Readonly<Record<string, string>>;
  set(key: string, json: string): void;
}

type Key = keyof Settings;
const keys = Object.keys(settingsSchema.shape) as Key[];

/** The settings of this profile. A stored value that is damaged or no longer allowed falls back to its default. */
export class SettingsStore {
  /** Reports the whole of the settings after each change. */
  readonly changed = new Emitter<Settings>();
  readonly #rows: SettingsRows;
  #current: Settings;

  constructor(rows: SettingsRows) {
    this.#rows = rows;
    this.#current = readAll(rows.all());
  }

  get current(): Settings {
    return this.#current;
  }

  /** Stores the keys that the patch names and reports once; a patch that changes nothing stores and reports nothing. */
  change(patch: SettingsPatch): Settings {
    const before = this.#current;
    const next: Settings = { ...before };
    const changed = keys.filter((key) => take(next, key, patch) && !isEqual(next[key], before[key]));
    if (changed.length === 0) return before;
    for (const key of changed) this.#rows.set(key, JSON.stringify(next[key]));
    this.#current = next;
    this.changed.emit(next);
    return next;
  }
}

function take<K extends Key>(settings: Settings, key: K, patch: SettingsPatch): boolean {
  const value = patch[key] as Settings[K] | undefined;
  if (value === undefined) return false;
  settings[key] = value;
  return true;
}

function readAll(stored: Readonly<Record<string, string>>): Settings {
  const known = keys.flatMap((key) => {
    const parsed = settingsSchema.shape[key].safeParse(parseJson(stored[key]));
    return parsed.success ? [[key, parsed.data] as const] : [];
  });
  return settingsSchema.parse(Object.fromEntries(known));
}

/** undefined where nothing is stored or what is stored is no JSON. */
function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
