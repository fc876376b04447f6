/** The tool servers of this profile: their rows, secrets and lives, and the tools they offer to models. */
import { AppError } from '../../shared/errors';
import { type ToolServerId, toolServerId } from '../../shared/model/ids';
import type { EnteredTransport, ServerTool, ShownTransport, ToolServer } from '../../shared/model/tools';
import type { WriteTx } from '../db/database';
import { revokeGrants, standingGrants } from '../db/tool-grants-table';
import {
  allToolServers,
  deleteToolServer,
  putToolServer,
  type StoredToolServer,
  type StoredTransport,
} from '../db/tool-servers-table';
import type { WriteSeam } from '../db/write-seam';
import { holdsPassword } from '../hosts/process/address';
import type { HostedTool, ServerLaunch } from '../hosts/tool-protocol';
import type { Clock } from '../lib/clock';
import type { Ids } from '../lib/ids';
import { boundTo, runsWith } from './bound-to';
import type { ToolHost } from './host-call';
import { ServerLife } from './server-life';
import type { ServerSecrets } from './server-secrets';
import { serverTool } from './server-tool';
import type { Tool, Toolbox } from './tool';
import { prefixFor } from './tool-names';

/** The queue in which rows of settings are written. */
const QUEUE = 'app';

export interface ToolServersEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly host: ToolHost;
  readonly secrets: ServerSecrets;
  readonly appVersion: string;
  /** What is shown of them changed. */
  changed(): void;
  /** What they offer to models changed. */
  offered(): void;
  failed(error: unknown): void;
}

interface Known {
  readonly row: StoredToolServer;
  readonly life: ServerLife;
}

export class ToolServers implements Toolbox {
  readonly #env: ToolServersEnv;
  readonly #known = new Map<ToolServerId, Known>();

  constructor(env: ToolServersEnv) {
    this.#env = env;
    for (const row of allToolServers(env.seam.db)) this.#keep(row);
  }

  /** Starts those that are on, where they do not run: a chat is about to need them, or the settings show them. */
  needed(): void {
    for (const { row, life } of this.#known.values()) if (row.on) life.need();
  }

  /** As each server listed them last; those of a server that failed, or is off, are not offered. */
  toolsFor(): readonly Tool[] {
    const { host, clock } = this.#env;
    return [...this.#known.values()].flatMap(({ row, life }) => {
      if (!row.on || life.state.kind === 'failed') return [];
      return row.tools.map((tool) => serverTool({ host, clock, life, server: row, tool }));
    });
  }

  list(): ToolServer[] {
    return [...this.#known.values()].map(({ row, life }) => ({
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      transport: this.#shown(row),
      state: row.on ? life.state : { kind: 'off' },
      tools: this.#shownTools(row, life),
      stderr: life.stderr,
    }));
  }

  /** @throws AppError `password-in-address`, `insecure-address`, `no-keyring`: nothing was changed then. */
  async add(name: string, entered: EnteredTransport): Promise<void> {
    const { seam, clock, ids, secrets } = this.#env;
    const id = toolServerId.parse(ids.uuid());
    const prefix = prefixFor(name, new Set([...this.#known.values()].map(({ row }) => row.prefix)));
    const row = { id, name, prefix, transport: transportOf(entered), on: true, tools: [], createdAt: clock.wall() };
    secrets.store(id, entered);
    try {
      await seam.write(QUEUE, (tx) => putToolServer(tx, row), { durable: true });
    } catch (error) {
      secrets.forget(id);
      throw error;
    }
    this.#keep(row).life.need();
    this.#env.changed();
  }

  /** What runs is ended, and begun anew as it is now. Grants hold for what they are bound to, and for nothing else. */
  async change(id: ToolServerId, name: string, entered: EnteredTransport): Promise<void> {
    const { secrets } = this.#env;
    const { row } = this.#require(id);
    const transport = transportOf(entered);
    secrets.store(id, entered, row.transport);
    await this.#update({ ...row, name, transport });
    await this.restart(id);
  }

  async setOn(id: ToolServerId, on: boolean): Promise<void> {
    const { row, life } = this.#require(id);
    await this.#update({ ...row, on });
    await (on ? life.restart() : life.stop());
  }

  async restart(id: ToolServerId): Promise<void> {
    const { row, life } = this.#require(id);
    if (row.on) await life.restart();
  }

  async remove(id: ToolServerId): Promise<void> {
    const { seam, secrets } = this.#env;
    const { life } = this.#require(id);
    this.#known.delete(id);
    await seam.write(QUEUE, (tx) => deleteToolServer(tx, id), { durable: true });
    secrets.forget(id);
    this.#told();
    await life.stop();
  }

  /** The next call of that tool is asked about, in every chat. */
  async revoke(id: ToolServerId, tool: string): Promise<void> {
    await this.#env.seam.write(QUEUE, (tx) => revokeGrants(tx, id, tool), { durable: true });
    this.#env.changed();
  }

  /** The command line or address, as it was confirmed. */
  runsAs(id: ToolServerId): string {
    return runsWith(this.#require(id).row.transport);
  }

  async quit(): Promise<void> {
    await Promise.all([...this.#known.values()].map(({ life }) => life.stop()));
  }

  #require(id: ToolServerId): Known {
    const known = this.#known.get(id);
    if (!known) throw new AppError('not-found', { what: 'tool server' });
    return known;
  }

  #keep(row: StoredToolServer): Known {
    const { host, clock, appVersion, changed } = this.#env;
    const life = new ServerLife({
      ...{ id: row.id, host, clock, appVersion, changed },
      launch: () => this.#launch(this.#require(row.id).row),
      listed: (tools) => this.#listed(row.id, tools),
    });
    const known = { row, life };
    this.#known.set(row.id, known);
    return known;
  }

  #launch({ id, on, transport }: StoredToolServer): ServerLaunch {
    const { secrets } = this.#env;
    // a call that was asked about while it was on
    if (!on) throw new AppError('not-found', { what: 'tool server' });
    if (transport.kind === 'http') return { ...transport, token: secrets.token(id) };
    const { command, args, variables } = transport;
    return { kind: 'stdio', command, args, variables: secrets.variables(id, variables) };
  }

  #listed(id: ToolServerId, tools: readonly HostedTool[]): void {
    const known = this.#known.get(id);
    if (!known || JSON.stringify(known.row.tools) === JSON.stringify(tools)) return;
    this.#update({ ...known.row, tools }).catch(this.#env.failed);
  }

  async #update(row: StoredToolServer): Promise<void> {
    const known = this.#require(row.id);
    this.#known.set(row.id, { ...known, row });
    this.#told();
    await this.#env.seam.write(QUEUE, (tx: WriteTx) => putToolServer(tx, row), { durable: true });
  }

  #told(): void {
    this.#env.changed();
    this.#env.offered();
  }

  #shown({ id, transport }: StoredToolServer): ShownTransport {
    return transport.kind === 'http' ? { ...transport, hasToken: this.#env.secrets.hasToken(id) } : transport;
  }

  #shownTools(row: StoredToolServer, life: ServerLife): ServerTool[] {
    const granted = standingGrants(this.#env.seam.db, row.id);
    const offered = row.tools.map(({ name, description, fingerprint }) => {
      const bound = boundTo(row.transport, fingerprint);
      const always = granted.some((grant) => grant.tool === name && grant.boundTo.equals(bound));
      return { name, description, always, leftOut: null };
    });
    return [
      ...offered,
      ...life.leftOut.map(({ name, why }) => ({ name, description: '', always: false, leftOut: why })),
    ];
  }
}

/** What is stored of what was entered: everything but the secrets. @throws AppError where one stands in the address. */
function transportOf(entered: EnteredTransport): StoredTransport {
  if (entered.kind === 'http') {
    if (holdsPassword(new URL(entered.url))) throw new AppError('password-in-address');
    return { kind: 'http', url: entered.url };
  }
  const { command, args, variables } = entered;
  return { kind: 'stdio', command, args, variables: variables.map(({ name }) => name) };
}
