/** I1: every file that was attached is in its draft, waits with its message or stands in it: never lost, never in two of these. */
import { all, type ReadDb } from '../../db/database';
import { must } from './memory';
import type { WorldView } from './world-view';

export function filesHold(world: WorldView, db: ReadDb): void {
  if (world.attached.size === 0) return;
  const named = (sql: string) => new Set(all<{ hash: string }>(db, sql).map(({ hash }) => hash));
  const inDrafts = named(`SELECT value ->> '$.hash' AS hash FROM sessions, json_each(draft_files)`);
  const waiting = named(`SELECT value ->> '$.hash' AS hash FROM outbox, json_each(files)`);
  const sent = named(
    `SELECT f.value ->> '$.hash' AS hash FROM messages m, json_each(m.parts, '$.attached.files') f WHERE m.parts IS NOT NULL`,
  );
  for (const [hash, { removed }] of world.attached) {
    const places = [inDrafts, waiting, sent].filter((place) => place.has(hash)).length;
    must(places <= 1, 'I1 a file is in two places');
    must(places === 1 || removed, 'I1 a file is lost');
  }
}
