import type { ToolServerId } from '../../shared/model/ids';
import type { HostedTool } from '../hosts/tool-protocol';
import { all, type ReadDb, run, type WriteTx } from './database';

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

/** In the order in which they were added. */
export function allToolServers(db: ReadDb): StoredToolServer[] {
  return all<Columns>(
    db,
    `SELECT id, name, prefix, kind, command, args, variables, url, is_on AS isOn, tools, created_at AS createdAt
     FROM tool_servers ORDER BY created_at, id`,
  ).map(({ id, name, prefix, kind, command, args, variables, url, isOn, tools, createdAt }) => ({
    ...{ id, name, prefix, createdAt },
    transport:
      kind === 'stdio'
        ? {
            kind,
            command: command ?? '',
            args: JSON.parse(args) as string[],
            variables: JSON.parse(variables) as string[],
          }
        : { kind, url: url ?? '' },
    on: isOn === 1,
    tools: JSON.parse(tools) as HostedTool[],
  }));
}

/** Inserts or replaces; prefix and time stay as they were first. */
export function putToolServer(tx: WriteTx, server: StoredToolServer): void {
  const { id, name, prefix, transport, on, tools, createdAt } = server;
  const stdio = transport.kind === 'stdio' ? transport : null;
  run(
    tx,
    `INSERT INTO tool_servers (id, name, prefix, kind, command, args, variables, url, is_on, tools, created_at)
     VALUES (:id, :name, :prefix, :kind, :command, :args, :variables, :url, :on, :tools, :createdAt)
     ON CONFLICT (id) DO UPDATE SET name = :name, kind = :kind, command = :command, args = :args,
       variables = :variables, url = :url, is_on = :on, tools = :tools`,
    {
      ...{ id, name, prefix, createdAt },
      kind: transport.kind,
      command: stdio?.command ?? null,
      args: JSON.stringify(stdio?.args ?? []),
      variables: JSON.stringify(stdio?.variables ?? []),
      url: transport.kind === 'http' ? transport.url : null,
      on: on ? 1 : 0,
      tools: JSON.stringify(tools),
    },
  );
}

/** Its grants go with it. */
export function deleteToolServer(tx: WriteTx, id: ToolServerId): void {
  run(tx, 'DELETE FROM tool_servers WHERE id = :id', { id });
}
