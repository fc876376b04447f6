/** What need not be asked again. A grant holds for exactly what it is bound to: any change asks again. */
import type { SessionId, ToolServerId } from '../../shared/model/ids';
import { all, type ReadDb, run, type WriteTx } from './database';

export interface Grant {
  readonly serverId: ToolServerId;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** null = in every chat. */
  readonly sessionId: SessionId | null;
  /** Hash of how the server is started and of the tool. */
  readonly boundTo: Buffer;
}

/**
 * `granted` = in this chat or in every one, as it is now; `changed` = it was, but for something else; null = never asked.
 */
export function grantState(
  db: ReadDb,
  { serverId, tool, sessionId, boundTo }: Grant & { readonly sessionId: SessionId },
): 'granted' | 'changed' | null {
  const rows = all<{ boundTo: Buffer }>(
    db,
    `SELECT bound_to AS boundTo FROM tool_grants
     WHERE server_id = :serverId AND tool = :tool AND (session_id IS NULL OR session_id = :sessionId)`,
    { serverId, tool, sessionId },
  );
  if (rows.length === 0) return null;
  return rows.some((row) => row.boundTo.equals(boundTo)) ? 'granted' : 'changed';
}

/** Tools of a server with what their standing grants are bound to. */
export function standingGrants(db: ReadDb, serverId: ToolServerId): { tool: string; boundTo: Buffer }[] {
  return all<{ tool: string; boundTo: Buffer }>(
    db,
    'SELECT tool, bound_to AS boundTo FROM tool_grants WHERE server_id = :serverId AND session_id IS NULL',
    { serverId },
  );
}

/** Takes the place of an earlier one for the same tool and the same chat. */
export function putGrant(tx: WriteTx, grant: Grant, now: number): void {
  const { serverId, tool, sessionId, boundTo } = grant;
  run(tx, 'DELETE FROM tool_grants WHERE server_id = :serverId AND tool = :tool AND session_id IS :sessionId', {
    serverId,
    tool,
    sessionId,
  });
  run(
    tx,
    `INSERT INTO tool_grants (server_id, tool, session_id, bound_to, granted_at)
     VALUES (:serverId, :tool, :sessionId, :boundTo, :now)`,
    { serverId, tool, sessionId, boundTo, now },
  );
}

/** From now on every call of that tool is asked about again, in every chat. */
export function revokeGrants(tx: WriteTx, serverId: ToolServerId, tool: string): void {
  run(tx, 'DELETE FROM tool_grants WHERE server_id = :serverId AND tool = :tool', { serverId, tool });
}
