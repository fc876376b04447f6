import type { GlobalShortcut } from 'electron';
import { AppError } from '../../shared/errors';
import type { ShortcutRefusal } from '../../shared/ipc/contract';
import type { Clock } from '../lib/clock';
import { Emitter } from '../lib/emitter';
import { isUsableShortcut } from './shortcut-rules';

/** How long "press it now" waits. Source: the contract. */
const CHECK_MS = 10_000;

/** What registers keys with the system. */
export type GlobalKeys = Pick<GlobalShortcut, 'register' | 'unregister'>;

/** The one global shortcut: none until the user chooses one. */
export class QuickChatShortcut {
  readonly pressed = new Emitter<void>();
  /** Reports that `current` or `refusal` may be another. */
  readonly changed = new Emitter<void>();
  readonly #clock: Clock;
  readonly #keys: GlobalKeys;
  #current: string | null = null;
  #refusal: ShortcutRefusal | null = null;
  #check: ((seen: boolean) => void) | null = null;

  constructor(clock: Clock, keys: GlobalKeys) {
    this.#clock = clock;
    this.#keys = keys;
  }

  /** What is registered now, which at a refusal is not what the settings name. */
  get current(): string | null {
    return this.#current;
  }
  get refusal(): ShortcutRefusal | null {
    return this.#refusal;
  }

  /**
   * Takes the shortcut of the settings when the app starts. Answers why it is not to be had, as `refusal` does until
   * a shortcut is set or taken away.
   */
  takeStored(shortcut: string): ShortcutRefusal | null {
    try {
      this.set(shortcut);
    } catch (error) {
      const taken = error instanceof AppError && error.code === 'shortcut-taken';
      this.#refusal = taken ? 'shortcut-taken' : 'shortcut-invalid';
      this.changed.emit();
    }
    return this.#refusal;
  }

  /**
   * Takes the new shortcut and gives the old one back; null only gives it back.
   * @throws AppError 'shortcut-invalid' or 'shortcut-taken'; then the old one stays.
   */
  set(shortcut: string | null): void {
    if (shortcut !== this.#current) {
      if (shortcut !== null) register(this.#keys, shortcut, () => this.#fire());
      if (this.#current !== null) this.#keys.unregister(this.#current);
      this.#current = shortcut;
    }
    this.#refusal = null;
    this.changed.emit();
  }

  /** Answers true once the shortcut is pressed, false when 10 s pass without it. The press does nothing else. */
  check(): Promise<boolean> {
    this.#check?.(false);
    return new Promise((resolve) => {
      const cancel = this.#clock.after(CHECK_MS, () => this.#check?.(false));
      this.#check = (seen) => {
        this.#check = null;
        cancel();
        resolve(seen);
      };
    });
  }

  #fire(): void {
    if (this.#check) this.#check(true);
    else this.pressed.emit();
  }
}

function register(keys: GlobalKeys, shortcut: string, fire: () => void): void {
  if (!isUsableShortcut(shortcut)) throw new AppError('shortcut-invalid', { shortcut });
  let taken: boolean;
  try {
    taken = keys.register(shortcut, fire);
  } catch (error) {
    throw new AppError('shortcut-invalid', { shortcut }, error);
  }
  if (!taken) throw new AppError('shortcut-taken', { shortcut });
}
