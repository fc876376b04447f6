import { AppError } from '../../shared/errors';

/** The system's keyring, as far as secrets need it. */
export interface Keyring {
  /** False where the system would only disguise what it is given: that is no encryption. */
  available(): boolean;
  encrypt(text: string): Buffer;
  /** @throws where the ciphertext was made under another key (another user, a copied profile). */
  decrypt(ciphertext: Buffer): string;
}

/** Where ciphertext is stored, by owner (a provider, a tool server) and name. */
export interface SecretRows {
  get(owner: string, name: string): Buffer | null;
  set(owner: string, name: string, ciphertext: Buffer): void;
  remove(owner: string, name: string): void;
  /** Names of all that the owner has. */
  names(owner: string): readonly string[];
}

/** Keys of providers and variables of tool servers: in the database only as ciphertext, in clear only when asked for. */
export class Secrets {
  readonly #keyring: Keyring;
  readonly #rows: SecretRows;

  constructor(keyring: Keyring, rows: SecretRows) {
    this.#keyring = keyring;
    this.#rows = rows;
  }

  has(owner: string, name: string): boolean {
    return this.#rows.get(owner, name) !== null;
  }

  names(owner: string): readonly string[] {
    return this.#rows.names(owner);
  }

  /**
   * The secret in clear, null where there is none.
   * @throws AppError 'no-keyring' where the stored one cannot be read here: it has to be entered again.
   */
  read(owner: string, name: string): string | null {
    const ciphertext = this.#rows.get(owner, name);
    if (ciphertext === null) return null;
    if (!this.#keyring.available()) throw new AppError('no-keyring');
    try {
      return this.#keyring.decrypt(ciphertext);
    } catch (error) {
      throw new AppError('no-keyring', {}, error);
    }
  }

  /** @throws AppError 'no-keyring' where it could not be encrypted; then nothing is stored. */
  store(owner: string, name: string, secret: string): void {
    this.#rows.set(owner, name, this.sealed(secret));
  }

  /** Its ciphertext, for one who stores it with other rows in one transaction. @throws AppError 'no-keyring'. */
  sealed(secret: string): Buffer {
    if (!this.#keyring.available()) throw new AppError('no-keyring');
    return this.#keyring.encrypt(secret);
  }

  remove(owner: string, name: string): void {
    this.#rows.remove(owner, name);
  }
}
