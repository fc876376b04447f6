/** I1: what was accepted is there once, in order, word for word; what is settled never changes. */
import { all, type ReadDb } from '../../db/database';
import { type Memory, must } from './memory';
import type { WorldView } from './world-view';

export function messagesHold(world: WorldView, db: ReadDb, memory: Memory): void {
  const rows = all<{ id: string; text: string; status: string }>(db, 'SELECT id, text, status FROM messages');
  const waiting = all<{ id: string; text: string; session: string }>(
    db,
    'SELECT id, text, session_id AS session FROM outbox ORDER BY session_id, position',
  );
  const stored = new Map(rows.map((row) => [row.id, row.text]));
  const outbox = new Map(waiting.map((row) => [row.id, row.text]));
  for (const [id, sent] of world.accepted) {
    const text = stored.get(id) ?? outbox.get(id);
    if (!sent.removed) must(text === sent.text, `I1 message ${id} is ${text === undefined ? 'lost' : 'changed'}`);
    must(!(stored.has(id) && outbox.has(id)), `I1 message ${id} is there twice`);
  }
  for (const [id, text] of memory.settled) must(stored.get(id) === text, `I1 message ${id} changed or went away`);
  for (const row of rows) if (row.status !== 'streaming') memory.settled.set(row.id, row.text);
  waitingInOrder(world, memory, stored, waiting);
  pathsAreWhole(db);
}

/** What left the outbox for the transcript stood before all that still waits. */
function waitingInOrder(
  world: WorldView,
  memory: Memory,
  stored: ReadonlyMap<string, string>,
  waiting: readonly { id: string; session: string }[],
): void {
  for (const { sessionId } of world.sessions) {
    const now = waiting.filter(({ session }) => session === sessionId).map(({ id }) => id);
    const before = memory.waiting.get(sessionId) ?? [];
    const firstLeft = before.findIndex((id) => now.includes(id));
    const lastSent = before.findLastIndex((id) => stored.has(id));
    must(firstLeft < 0 || lastSent < firstLeft, `I1 waiting message ${before[lastSent]} was sent before its turn`);
    memory.waiting.set(sessionId, now);
  }
}

function pathsAreWhole(db: ReadDb): void {
  const gaps = all<{ branch: number }>(
    db,
    `SELECT m.branch_id AS branch FROM messages m JOIN branches b ON b.id = m.branch_id
     GROUP BY m.branch_id HAVING max(m.seq) - b.fork_seq <> count(*)`,
  );
  must(gaps.length === 0, `I1 a gap in the numbers of branch ${gaps[0]?.branch}`);
  const counted = all<{ id: string; told: string; there: string }>(
    db,
    `SELECT s.id, s.messages || '/' || s.chars AS told, count(m.rid) || '/' || coalesce(sum(length(m.text)), 0) AS there
     FROM sessions s LEFT JOIN branches b ON b.session_id = s.id LEFT JOIN messages m ON m.branch_id = b.id
     GROUP BY s.id HAVING told <> there`,
  );
  must(counted.length === 0, `I1 counters say ${counted[0]?.told}, there are ${counted[0]?.there}`);
}

/** Every settled message is in the search index, once. */
export function indexHolds(db: ReadDb): void {
  const [count] = all<{ indexed: number; there: number }>(
    db,
    `SELECT (SELECT count(*) FROM messages_fts_docsize) AS indexed,
       (SELECT count(*) FROM messages WHERE status <> 'streaming') AS there`,
  );
  must(count?.indexed === count?.there, `I1 ${count?.indexed} messages are indexed of ${count?.there}`);
}
