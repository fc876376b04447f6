import { dismissNotice } from '../db/notices-table';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import type { Publisher } from './publisher';

/** Takes a stored notice away. One that is gone already is no error: its cause may have ended. */
export async function dismiss(seam: WriteSeam, publisher: Publisher, clock: Clock, id: number): Promise<void> {
  const sessionId = await seam.write('app', (tx) => dismissNotice(tx, id, clock.wall()));
  if (sessionId) publisher.notices(sessionId);
}
