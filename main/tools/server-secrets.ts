import { AppError } from '../../shared/errors';
import type { ToolServerId } from '../../shared/model/ids';
import type { EnteredTransport } from '../../shared/model/tools';
import type { WriteTx } from '../db/database';
import { putSecret, removeSecret, secretNames } from '../db/secrets-table';
import type { StoredTransport } from '../db/tool-servers-table';
import { mayCarryKey } from '../hosts/process/address';
import type { Secrets } from '../settings/secrets';

const TOKEN = 'token';

/** Variables and tokens of tool servers: in the database as ciphertext, in clear only when a server is started. */
export class ServerSecrets {
  readonly #secrets: Pick<Secrets, 'has' | 'read' | 'sealed'>;

  constructor(secrets: Pick<Secrets, 'has' | 'read' | 'sealed'>) {
    this.#secrets = secrets;
  }

  /**
   * What was entered as ciphertext, and how it is stored in the transaction that writes the server's row, so that a secret
   * is never beside an address it was not entered for. What is null stays, what is no longer named goes; a token does not
   * follow to another server. The keyring is asked here, before the transaction: it may have the user unlock it first.
   * @throws AppError `no-keyring`; the second step `insecure-address` where a token would travel in clear to another
   * machine.
   */
  sealed(entered: EnteredTransport): (tx: WriteTx, id: ToolServerId, before: StoredTransport | null) => void {
    const ciphertexts = new Map<string, Buffer>();
    for (const [name, value] of givenIn(entered, null))
      if (value !== null && value !== '') ciphertexts.set(name, this.#secrets.sealed(value));
    return (tx, id, before) => {
      const owner = ownerOf(id);
      const stored = secretNames(tx, owner);
      const given = givenIn(entered, before).filter(([, value]) => value !== '');
      const travels = given.some(([name, value]) => value !== null || stored.includes(name));
      if (entered.kind === 'http' && travels && !mayCarryKey(new URL(entered.url)))
        throw new AppError('insecure-address');
      for (const [name, ciphertext] of ciphertexts) putSecret(tx, owner, name, ciphertext);
      for (const name of stored) if (!given.some(([kept]) => kept === name)) removeSecret(tx, owner, name);
    };
  }

  forget(tx: WriteTx, id: ToolServerId): void {
    for (const name of secretNames(tx, ownerOf(id))) removeSecret(tx, ownerOf(id), name);
  }

  hasToken(id: ToolServerId): boolean {
    return this.#secrets.has(ownerOf(id), TOKEN);
  }
  /** @throws AppError `no-keyring`. */
  token(id: ToolServerId): string | null {
    return this.#secrets.read(ownerOf(id), TOKEN);
  }
  /** An empty one where none is stored. @throws AppError `no-keyring`. */
  variables(id: ToolServerId, names: readonly string[]): Record<string, string> {
    return Object.fromEntries(names.map((name) => [name, this.#secrets.read(ownerOf(id), variable(name)) ?? '']));
  }
}

const ownerOf = (id: ToolServerId) => `tool-server ${id}`;
const variable = (name: string) => `variable ${name}`;

/** Names of secrets with what was entered for each: null = as it is stored, '' = none. */
function givenIn(
  entered: EnteredTransport,
  before: StoredTransport | null,
): readonly (readonly [name: string, value: string | null])[] {
  if (entered.kind === 'stdio') return entered.variables.map(({ name, value }) => [variable(name), value]);
  const same = before?.kind === 'http' && new URL(before.url).origin === new URL(entered.url).origin;
  return [[TOKEN, entered.token ?? (same ? null : '')]];
}
