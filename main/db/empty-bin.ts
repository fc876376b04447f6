import type { SessionId } from '../../shared/model/ids';
import type { Clock } from '../lib/clock';
import { all, run, type WriteTx } from './database';
import { unindexMessage } from './search-index';
import { changeSession, deleteSession } from './sessions-table';
import { removeText } from './texts-table';
import type { WriteSeam } from './write-seam';

/** Rows that one transaction takes away, so that nobody waits for it. */
const SLICE = 200;

/** In the bin for longer than anything else: what a death leaves half taken away is the first that the next start purges. */
const SINCE_EVER = 0;

/** Takes a session away for good: its messages with their index entries in slices, then what is left of it. */
export async function emptySession(seam: WriteSeam, clock: Clock, id: SessionId): Promise<void> {
  await seam.write(id, (tx) => changeSession(tx, id, { deletedAt: SINCE_EVER }), { durable: true });
  for (let after = 0; ; ) {
    const last = await seam.write(id, (tx) => deleteSlice(tx, id, after));
    if (last === null) break;
    after = last;
    await new Promise<void>((resolve) => clock.nextTurn(resolve));
  }
  await seam.write(
    id,
    (tx) => {
      // what was recalled names the session's own summaries: no other session can share it
      const recalled = all<{ hash: Buffer }>(
        tx,
        'SELECT DISTINCT recalled AS hash FROM turns WHERE session_id = :id AND recalled IS NOT NULL',
        { id },
      );
      deleteSession(tx, id);
      for (const { hash } of recalled) removeText(tx, hash);
    },
    { durable: true },
  );
}

/** Answers the greatest number it took away, or null where nothing was left. */
function deleteSlice(tx: WriteTx, id: SessionId, after: number): number | null {
  const rows = all<{ rid: number; full: string | null }>(
    tx,
    `SELECT m.rid, json_extract(m.parts, '$.result.full.hash') AS full FROM branches b CROSS JOIN messages m ON m.branch_id = b.id
     WHERE b.session_id = :id AND m.rid > :after ORDER BY m.rid LIMIT ${SLICE}`,
    { id, after },
  );
  for (const { rid, full } of rows) {
    unindexMessage(tx, rid);
    if (full !== null) removeText(tx, Buffer.from(full, 'hex'));
    run(tx, 'DELETE FROM messages WHERE rid = :rid', { rid });
  }
  return rows.at(-1)?.rid ?? null;
}
