/** The tool servers of this profile: their rows, secrets and lives, and the tools they offer to models. */
import { AppError } from '../../shared/errors';
import { type ToolServerId, toolServerId } from '../../shared/model/ids';
import type { EnteredTransport, ServerTool, ShownTransport, ToolServer } from '../../shared/model/tools';
import { ofOneMoment, type WriteTx } from '../db/database';
import { revokeGrants, standingGrants } from '../db/tool-grants-table';
import {
  allToolServers,
  changeToolServer,
  deleteToolServer,
  insertToolServer,
  keepToolsOf,
  type StoredToolServer,
  type StoredTransport,
  switchToolServer,
  toolServer,
} from '../db/tool-servers-table';
import type { WriteSeam } from '../db/write-seam';
import type { HostedTool, ServerLaunch } from '../hosts/tool-protocol';
import type { Clock } from '../lib/clock';
import type { Ids } from '../lib/ids';
import { boundTo, sameStart, transportOf } from './bound-to';
import { CHANGED, type ToolHost } from './host-call';
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
  /** As they were stored when they were last looked at; what runs follows what is stored. */
  readonly #known = new Map<ToolServerId, Known>();
  /** How each was started last. */
  readonly #launched = new Map<ToolServerId, StoredTransport>();

  constructor(env: ToolServersEnv) {
    this.#env = env;
    for (const row of allToolServers(env.seam.db)) this.#keep(row);
  }

  /** Starts those that are on, where they do not run: a chat is about to need them, or the settings show them. */
  needed(): void {
    this.look();
    for (const { row, life } of this.#known.values()) if (row.on) life.need();
  }

  /** As each server listed them last; those of a server that failed, or is off, are not offered. */
  toolsFor(): readonly Tool[] {
    const { host, clock } = this.#env;
    return [...this.#known.values()].flatMap(({ row, life }) => {
      if (!row.on || life.state.kind === 'failed') return [];
      return row.tools.map((tool) =>
        serverTool({ host, clock, life, server: row, tool, runs: () => this.#runs(row.id) }),
      );
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

  /**
   * Takes over what is stored, by whichever instance: one that was removed, switched off or is started in another way ends
   * here too.
   */
  look(): void {
    const rows = allToolServers(this.#env.seam.db);
    const before = new Map(this.#known);
    if (JSON.stringify(rows) === JSON.stringify([...before.values()].map(({ row }) => row))) return;
    this.#known.clear();
    for (const row of rows) {
      this.#keep(row, before.get(row.id)?.life);
      const launched = this.#launched.get(row.id);
      if (!row.on || (launched && !sameStart(launched, row.transport))) this.#end(before.get(row.id)?.life);
    }
    for (const [id, { life }] of before) {
      if (this.#known.has(id)) continue;
      this.#launched.delete(id);
      this.#end(life);
    }
    this.#told();
  }

  /** @throws AppError `password-in-address`, `insecure-address`, `no-keyring`: nothing was changed then. */
  async add(name: string, entered: EnteredTransport): Promise<void> {
    const { clock, ids, secrets } = this.#env;
    const id = toolServerId.parse(ids.uuid());
    const store = secrets.sealed(entered);
    const rest = { id, name, transport: transportOf(entered), on: true, tools: [], createdAt: clock.wall() };
    await this.#write((tx) => {
      const prefix = prefixFor(name, new Set(allToolServers(tx).map((other) => other.prefix)));
      insertToolServer(tx, { ...rest, prefix });
      store(tx, id, null);
    });
    this.#known.get(id)?.life.need();
  }

  /**
   * What runs is ended, and begun anew as it is now. Grants hold for what they are bound to, and for nothing else.
   * @throws AppError `password-in-address`, `insecure-address`, `no-keyring`, `not-found`: nothing was changed then.
   */
  async change(id: ToolServerId, name: string, entered: EnteredTransport): Promise<void> {
    const transport = transportOf(entered);
    const store = this.#env.secrets.sealed(entered);
    await this.#write((tx) => {
      store(tx, id, this.#stored(id).transport);
      changeToolServer(tx, id, name, transport);
    });
    await this.restart(id);
  }

  async setOn(id: ToolServerId, on: boolean): Promise<void> {
    const { life } = this.#require(id);
    await this.#write((tx) => switchToolServer(tx, id, on));
    await (on ? life.restart() : life.stop());
  }

  async restart(id: ToolServerId): Promise<void> {
    const { row, life } = this.#require(id);
    if (row.on) await life.restart();
  }

  async remove(id: ToolServerId): Promise<void> {
    const { life } = this.#require(id);
    await this.#write((tx) => {
      deleteToolServer(tx, id);
      this.#env.secrets.forget(tx, id);
    });
    await life.stop();
  }

  /** The next call of that tool is asked about, in every chat. */
  async revoke(id: ToolServerId, tool: string): Promise<void> {
    await this.#env.seam.write(QUEUE, (tx) => revokeGrants(tx, id, tool), { durable: true });
    this.#env.changed();
  }

  /** How it is started or reached, as it was confirmed. @throws AppError `not-found`. */
  transport(id: ToolServerId): StoredTransport {
    return this.#stored(id).transport;
  }

  async quit(): Promise<void> {
    await Promise.all([...this.#known.values()].map(({ life }) => life.stop()));
  }

  #require(id: ToolServerId): Known {
    const known = this.#known.get(id);
    if (!known) throw new AppError('not-found', { what: 'tool server' });
    return known;
  }

  /** As the database has it now. @throws AppError `not-found`. */
  #stored(id: ToolServerId): StoredToolServer {
    const row = toolServer(this.#env.seam.db, id);
    if (!row) throw new AppError('not-found', { what: 'tool server' });
    return row;
  }

  #keep(row: StoredToolServer, life = this.#lifeOf(row.id)): void {
    this.#known.set(row.id, { row, life });
  }

  #lifeOf(id: ToolServerId): ServerLife {
    const { host, clock, appVersion, changed, offered } = this.#env;
    return new ServerLife({
      ...{ id, host, clock, appVersion, changed, offered },
      launch: () => this.#launch(id),
      listed: (tools) => this.#listed(id, tools),
    });
  }

  /** Address and secret are of one moment: another instance may be changing both. */
  #launch(id: ToolServerId): ServerLaunch {
    const { seam, secrets } = this.#env;
    return ofOneMoment(seam.db, () => {
      const { on, transport } = this.#stored(id);
      // a call that was asked about while it was on
      if (!on) throw new AppError('not-found', { what: 'tool server' });
      this.#launched.set(id, transport);
      if (transport.kind === 'http') return { ...transport, token: secrets.token(id) };
      const { command, args, variables } = transport;
      return { kind: 'stdio', command, args, variables: secrets.variables(id, variables) };
    });
  }

  /**
   * How that which runs was started.
   * @throws AppError `not-found`; Error where it was changed since, here or by another instance: nothing is called in it.
   */
  #runs(id: ToolServerId): StoredTransport {
    const { on, transport } = this.#stored(id);
    if (!on) throw new AppError('not-found', { what: 'tool server' });
    const launched = this.#launched.get(id);
    if (!launched || !sameStart(launched, transport)) throw new Error(CHANGED);
    return launched;
  }

  /** Kept where the server is still the one that listed them. */
  #listed(id: ToolServerId, tools: readonly HostedTool[]): void {
    const known = this.#known.get(id);
    const launched = this.#launched.get(id);
    if (!known || !launched || JSON.stringify(known.row.tools) === JSON.stringify(tools)) return;
    this.#keep({ ...known.row, tools }, known.life);
    this.#told();
    this.#write((tx) => {
      const row = toolServer(tx, id);
      if (row && sameStart(row.transport, launched)) keepToolsOf(tx, id, tools);
    }).catch(this.#env.failed);
  }

  async #write(fn: (tx: WriteTx) => void): Promise<void> {
    await this.#env.seam.write(QUEUE, fn, { durable: true });
    this.look();
  }

  #end(life: ServerLife | undefined): void {
    life?.stop().catch(this.#env.failed);
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
