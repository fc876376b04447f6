import type { ToolServerId } from '../../shared/model/ids';
import type { HostedTool } from '../hosts/tool-protocol';
import { all, one, type ReadDb, run, type WriteTx } from './database';

/** How a server is started or reached, without its secrets. */
export type StoredTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Names; their values are secrets. */
      readonly variables: readonly string[];
    }
  | { readonly kind: 'http'; readonly url: string };

export interface StoredToolServer {
  readonly id: ToolServerId;
  readonly name: string;
  /** First part of its tools' names in prompts. */
  readonly prefix: string;
  readonly transport: StoredTransport;
  readonly on: boolean;
  /** As it listed them last. */
  readonly tools: readonly HostedTool[];
  readonly createdAt: number;
}

interface Columns {
  readonly id: ToolServerId;
  readonly name: string;
  readonly prefix: string;
  readonly kind: 'stdio' | 'http';
  readonly command: string | null;
  readonly args: string;
  readonly variables: string;
  readonly url: string | null;
  readonly isOn: number;
  readonly tools: string;
  readonly createdAt: number;
}

const COLUMNS = `id, name, prefix, kind, command, args, variables, url, is_on AS isOn, tools, created_at AS createdAt`;

/** In the order in which they were added. */
export function allToolServers(db: ReadDb): StoredToolServer[] {
  return all<Columns>(db, `SELECT ${COLUMNS} FROM tool_servers ORDER BY created_at, rowid`).map(fromColumns);
}

/** null = it was removed. */
export function toolServer(db: ReadDb, id: ToolServerId): StoredToolServer | null {
  const found = one<Columns>(db, `SELECT ${COLUMNS} FROM tool_servers WHERE id = :id`, { id });
  return found && fromColumns(found);
}

function fromColumns(columns: Columns): StoredToolServer {
  const { id, name, prefix, kind, command, args, variables, url, isOn, tools, createdAt } = columns;
  const stdio = () => ({ args: JSON.parse(args) as string[], variables: JSON.parse(variables) as string[] });
  return {
    ...{ id, name, prefix, createdAt },
    transport: kind === 'stdio' ? { kind, command: command ?? '', ...stdio() } : { kind, url: url ?? '' },
    on: isOn === 1,
    tools: JSON.parse(tools) as HostedTool[],
  };
}

export function insertToolServer(tx: WriteTx, server: StoredToolServer): void {
  const { id, name, prefix, transport, on, tools, createdAt } = server;
  run(
    tx,
    `INSERT INTO tool_servers (id, name, prefix, kind, command, args, variables, url, is_on, tools, created_at)
     VALUES (:id, :name, :prefix, :kind, :command, :args, :variables, :url, :on, :tools, :createdAt)`,
    { id, name, prefix, createdAt, ...columnsOf(transport), on: on ? 1 : 0, tools: JSON.stringify(tools) },
  );
}

/** Its prefix, its tools and its time stay. */
export function changeToolServer(tx: WriteTx, id: ToolServerId, name: string, transport: StoredTransport): void {
  run(
    tx,
    `UPDATE tool_servers SET name = :name, kind = :kind, command = :command, args = :args, variables = :variables,
       url = :url WHERE id = :id`,
    { id, name, ...columnsOf(transport) },
  );
}

export function switchToolServer(tx: WriteTx, id: ToolServerId, on: boolean): void {
  run(tx, 'UPDATE tool_servers SET is_on = :on WHERE id = :id', { id, on: on ? 1 : 0 });
}

/** What it listed; one that was removed stays removed. */
export function keepToolsOf(tx: WriteTx, id: ToolServerId, tools: readonly HostedTool[]): void {
  run(tx, 'UPDATE tool_servers SET tools = :tools WHERE id = :id', { id, tools: JSON.stringify(tools) });
}

function columnsOf(transport: StoredTransport) {
  const stdio = transport.kind === 'stdio' ? transport : null;
  return {
    kind: transport.kind,
    command: stdio?.command ?? null,
    args: JSON.stringify(stdio?.args ?? []),
    variables: JSON.stringify(stdio?.variables ?? []),
    url: transport.kind === 'http' ? transport.url : null,
  };
}

/** Its grants go with it. */
export function deleteToolServer(tx: WriteTx, id: ToolServerId): void {
  run(tx, 'DELETE FROM tool_servers WHERE id = :id', { id });
}
