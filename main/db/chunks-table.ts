import type { BranchId, SessionId } from '../../shared/model/ids';
import { one, type ReadDb, run, type WriteTx } from './database';

/** Names one checkpoint: what the model was given, which model, which instruction. */
export interface ChunkKey {
  readonly sessionId: SessionId;
  /** sha256 of what the model was given. */
  readonly hash: Buffer;
  readonly model: string;
  /** Version of the instruction. */
  readonly prompt: number;
}

/** The text of a finished chunk, or null. */
export function getChunk(db: ReadDb, key: ChunkKey): string | null {
  return (
    one<{ text: string }>(
      db,
      'SELECT text FROM summary_chunks WHERE session_id = :sessionId AND hash = :hash AND model = :model AND prompt = :prompt',
      { ...key },
    )?.text ?? null
  );
}

/** Keeps a finished chunk: a stopped attempt resumes from it, also after a crash. */
export function putChunk(
  tx: WriteTx,
  key: ChunkKey,
  chunk: { branchId: BranchId; coversFrom: number; coversTo: number; text: string; now: number },
): void {
  run(
    tx,
    `INSERT INTO summary_chunks (session_id, hash, model, prompt, branch_id, covers_from, covers_to, text, created_at)
     VALUES (:sessionId, :hash, :model, :prompt, :branchId, :coversFrom, :coversTo, :text, :now)
     ON CONFLICT DO NOTHING`,
    { ...key, ...chunk },
  );
}
