import { globalShortcut } from 'electron';
import { AppError } from '../../shared/errors';
import type { Clock } from '../lib/clock';
import { isUsableShortcut } from './shortcut-rules';

/** How long "press it now" waits. Source: the contract. */
const CHECK_MS = 10_000;

/** The one global shortcut: none until the user chooses one. */
export class QuickChatShortcut {
  readonly #clock: Clock;
  readonly #pressed: () => void;
  #current: string | null = null;
  #check: ((seen: boolean) => void) | null = null;

  constructor(clock: Clock, pressed: () => void) {
    this.#clock = clock;
    this.#pressed = pressed;
  }

  get current(): string | null {
    return this.#current;
  }

  /**
   * Takes the new shortcut and gives the old one back; null only gives it back.
   * @throws AppError 'shortcut-invalid' or 'shortcut-taken'; then the old one stays.
   */
  set(shortcut: string | null): void {
    if (shortcut === this.#current) return;
    if (shortcut !== null) register(shortcut, () => this.#fire());
    if (this.#current !== null) globalShortcut.unregister(this.#current);
    this.#current = shortcut;
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
    else this.#pressed();
  }
}

function register(shortcut: string, fire: () => void): void {
  if (!isUsableShortcut(shortcut)) throw new AppError('shortcut-invalid', { shortcut });
  let taken: boolean;
  try {
    taken = globalShortcut.register(shortcut, fire);
  } catch (error) {
    throw new AppError('shortcut-invalid', { shortcut }, error);
  }
  if (!taken) throw new AppError('shortcut-taken', { shortcut });
}
