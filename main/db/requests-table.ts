import type { BranchId, ModelRef, PinId, SessionId, TurnId } from '../../shared/model/ids';
import { one, type ReadDb, run, type WriteTx } from './database';

/** Which stored things a request was made of: ids only. Keys are explained in docs/architecture.md. */
export interface Recipe {
  /** Version of the serializer that turns these ids into bytes. */
  readonly serializer: number;
  readonly system: string | null;
  /** The pins of the pin block with the version they had, in order. */
  readonly pins: readonly (readonly [PinId, number])[];
  /** Hash of the tool list; null = none was offered, and calls were told in words. */
  readonly tools: string | null;
  /** Hashes of the recalled parts, in order. */
  readonly recalled: readonly string[];
  readonly summaries: readonly number[];
  readonly from: number;
  readonly to: number;
  /** Messages of the tail, and those in whose place a line stood; missing in rows of older versions. */
  readonly messages?: number;
  readonly stubbed?: readonly number[];
}

/** Written before the first byte leaves. Answers the row's id. */
export function insertRequest(
  tx: WriteTx,
  request: {
    turnId: TurnId;
    model: ModelRef;
    parameters: object;
    recipe: Recipe;
    sha256: Buffer;
    bytes: number;
    counted: number;
    now: number;
  },
): number {
  return run(
    tx,
    `INSERT INTO requests (turn_id, provider_id, model, parameters, recipe, sha256, bytes, counted, sent_at)
     VALUES (:turnId, :provider, :model, :parameters, :recipe, :sha256, :bytes, :counted, :now)`,
    {
      turnId: request.turnId,
      provider: request.model.providerId,
      model: request.model.model,
      parameters: JSON.stringify(request.parameters),
      recipe: JSON.stringify(request.recipe),
      sha256: request.sha256,
      bytes: request.bytes,
      counted: request.counted,
      now: request.now,
    },
  ).rowid;
}

/** Prompt tokens as the server said. */
export function reportRequest(tx: WriteTx, id: number, reported: number): void {
  run(tx, 'UPDATE requests SET reported = :reported WHERE id = :id', { id, reported });
}

export interface StoredRequest {
  readonly id: number;
  readonly recipe: Recipe;
  readonly counted: number;
  readonly reported: number | null;
  readonly bytes: number;
}
/** The newest request of a turn. */
export function lastRequestOf(db: ReadDb, turnId: TurnId): StoredRequest | null {
  const row = one<Omit<StoredRequest, 'recipe'> & { recipe: string }>(
    db,
    'SELECT id, recipe, counted, reported, bytes FROM requests WHERE turn_id = :turnId ORDER BY id DESC LIMIT 1',
    { turnId },
  );
  return row && { ...row, recipe: JSON.parse(row.recipe) as Recipe };
}

/** The newest request of a session, whichever turn and path it was for. */
export function lastRequestIn(
  db: ReadDb,
  sessionId: SessionId,
): { readonly model: ModelRef; readonly recipe: Recipe; readonly sha256: Buffer } | null {
  const row = one<{ providerId: ModelRef['providerId']; model: string; recipe: string; sha256: Buffer }>(
    db,
    `SELECT r.provider_id AS providerId, r.model, r.recipe, r.sha256 FROM requests r
     WHERE r.turn_id IN (SELECT id FROM turns WHERE session_id = :sessionId ORDER BY id DESC LIMIT 2)
     ORDER BY r.id DESC LIMIT 1`,
    { sessionId },
  );
  if (!row) return null;
  const { providerId, model, recipe, sha256 } = row;
  return { model: { providerId, model }, recipe: JSON.parse(recipe) as Recipe, sha256 };
}

/** The newest request of a session whose prompt tokens the server told, with the path that it was for. */
export function lastReportedIn(
  db: ReadDb,
  sessionId: SessionId,
): {
  readonly model: ModelRef;
  readonly branchId: BranchId;
  readonly recipe: Recipe;
  readonly reported: number;
} | null {
  const row = one<{
    providerId: ModelRef['providerId'];
    model: string;
    branchId: BranchId;
    recipe: string;
    reported: number;
  }>(
    db,
    `SELECT r.provider_id AS providerId, r.model, t.branch_id AS branchId, r.recipe, r.reported FROM requests r
     JOIN turns t ON t.id = r.turn_id
     WHERE r.turn_id IN (SELECT id FROM turns WHERE session_id = :sessionId ORDER BY id DESC LIMIT 2)
       AND r.reported IS NOT NULL
     ORDER BY r.id DESC LIMIT 1`,
    { sessionId },
  );
  if (!row) return null;
  const { providerId, model, branchId, recipe, reported } = row;
  return { model: { providerId, model }, branchId, recipe: JSON.parse(recipe) as Recipe, reported };
}
