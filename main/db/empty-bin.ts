import type { SessionId } from '../../shared/model/ids';
import type { Clock } from '../lib/clock';
import { all, run } from './database';
import { deleteSession } from './sessions-table';
import type { WriteSeam } from './write-seam';

/** Rows that one transaction takes away, so that nobody waits for it. */
const SLICE = 200;

/** Takes a session away for good: index entries first, then its messages in slices, then all its rows. */
export async function emptySession(seam: WriteSeam, clock: Clock, id: SessionId): Promise<void> {
  for (;;) {
    const left = await seam.write(id, (tx) => {
      const rows = all<{ rid: number }>(
        tx,
        `SELECT m.rid FROM messages m JOIN branches b ON b.id = m.branch_id
         WHERE b.session_id = :id AND m.deleted_at IS NULL LIMIT ${SLICE}`,
        { id },
      );
      for (const { rid } of rows) {
        run(tx, 'DELETE FROM messages_fts WHERE rowid = :rid', { rid });
        run(tx, 'UPDATE messages SET deleted_at = :now WHERE rid = :rid', { rid, now: clock.wall() });
      }
      return rows.length;
    });
    if (left < SLICE) break;
    await new Promise<void>((resolve) => clock.nextTurn(resolve));
  }
  await seam.write(id, (tx) => deleteSession(tx, id), { durable: true });
}
