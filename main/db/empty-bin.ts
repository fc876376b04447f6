import type { SessionId } from '../../shared/model/ids';
import type { Clock } from '../lib/clock';
import { all, run, type WriteTx } from './database';
import { unindexMessage } from './search-index';
import { deleteSession } from './sessions-table';
import type { WriteSeam } from './write-seam';

/** Rows that one transaction takes away, so that nobody waits for it. */
const SLICE = 200;

/** Takes a session away for good: its messages with their index entries in slices, then what is left of it. */
export async function emptySession(seam: WriteSeam, clock: Clock, id: SessionId): Promise<void> {
  for (let after = 0; ; ) {
    const last = await seam.write(id, (tx) => deleteSlice(tx, id, after));
    if (last === null) break;
    after = last;
    await new Promise<void>((resolve) => clock.nextTurn(resolve));
  }
  await seam.write(id, (tx) => deleteSession(tx, id), { durable: true });
}

/** Answers the greatest number it took away, or null where nothing was left. */
function deleteSlice(tx: WriteTx, id: SessionId, after: number): number | null {
  const rows = all<{ rid: number }>(
    tx,
    `SELECT m.rid FROM branches b CROSS JOIN messages m ON m.branch_id = b.id
     WHERE b.session_id = :id AND m.rid > :after ORDER BY m.rid LIMIT ${SLICE}`,
    { id, after },
  );
  for (const { rid } of rows) {
    unindexMessage(tx, rid);
    run(tx, 'DELETE FROM messages WHERE rid = :rid', { rid });
  }
  return rows.at(-1)?.rid ?? null;
}
