import { AppError } from '../../shared/errors';
import type { ToolServerId } from '../../shared/model/ids';
import type { EnteredTransport } from '../../shared/model/tools';
import type { StoredTransport } from '../db/tool-servers-table';
import { mayCarryKey } from '../hosts/process/address';
import type { Secrets } from '../settings/secrets';

const TOKEN = 'token';

/** Variables and tokens of tool servers: in the database as ciphertext, in clear only when a server is started. */
export class ServerSecrets {
  readonly #secrets: Pick<Secrets, 'has' | 'read' | 'store' | 'remove' | 'names'>;

  constructor(secrets: Pick<Secrets, 'has' | 'read' | 'store' | 'remove' | 'names'>) {
    this.#secrets = secrets;
  }

  /**
   * What is null stays, what is no longer named goes; a token does not follow to another server.
   * @throws AppError `insecure-address` where a token would travel in clear to another machine, `no-keyring`. Then nothing
   * was changed.
   */
  store(id: ToolServerId, entered: EnteredTransport, before: StoredTransport | null = null): void {
    const owner = ownerOf(id);
    const given = givenIn(entered, before);
    const kept = given.filter(([, value]) => value !== '').map(([name]) => name);
    const travels = given.some(([name, value]) => value !== '' && (value !== null || this.#secrets.has(owner, name)));
    if (entered.kind === 'http' && travels && !mayCarryKey(new URL(entered.url)))
      throw new AppError('insecure-address');
    for (const [name, value] of given) if (value !== null && value !== '') this.#secrets.store(owner, name, value);
    for (const name of this.#secrets.names(owner)) if (!kept.includes(name)) this.#secrets.remove(owner, name);
  }

  forget(id: ToolServerId): void {
    for (const name of this.#secrets.names(ownerOf(id))) this.#secrets.remove(ownerOf(id), name);
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
