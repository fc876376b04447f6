/**
 * I1: what was accepted is there once, in order, word for word; what is settled never changes. After each step texts are
 * compared by their sizes (they are ASCII), when all is calm character by character.
 */
import { all, type ReadDb } from '../../db/database';
import { type Memory, must } from './memory';
import type { WorldView } from './world-view';

export function messagesHold(world: WorldView, db: ReadDb, memory: Memory): void {
  const rows = all<{ id: string; size: number; status: string }>(
    db,
    'SELECT id, octet_length(text) AS size, status FROM messages',
  );
  const waiting = all<{ id: string; size: number; session: string }>(
    db,
    'SELECT id, octet_length(text) AS size, session_id AS session FROM outbox ORDER BY session_id, position',
  );
  const stored = new Map(rows.map((row) => [row.id, row.size]));
  const outbox = new Map(waiting.map((row) => [row.id, row.size]));
  for (const [id, sent] of world.accepted) {
    const size = stored.get(id) ?? outbox.get(id);
    const whole = stored.has(id) ? sent.text : sent.typed;
    if (!sent.removed) must(size === whole.length, `I1 message ${id} is ${size === undefined ? 'lost' : 'changed'}`);
    must(!(stored.has(id) && outbox.has(id)), `I1 message ${id} is there twice`);
  }
  for (const [id, text] of memory.settled)
    must(stored.get(id) === text.length, `I1 message ${id} changed or went away`);
  const fresh = rows.filter((row) => row.status !== 'streaming' && !memory.settled.has(row.id));
  const texts = fresh.length > AT_ONCE ? textsOf(db) : null;
  for (const { id } of fresh) memory.settled.set(id, texts?.get(id) ?? textOf(db, id));
  waitingInOrder(world, memory, stored, waiting);
  pathsAreWhole(db);
}

/** More new messages than this are read in one go. */
const AT_ONCE = 8;

const textsOf = (db: ReadDb) =>
  new Map(all<{ id: string; text: string }>(db, 'SELECT id, text FROM messages').map((row) => [row.id, row.text]));
const textOf = (db: ReadDb, id: string) =>
  all<{ text: string }>(db, 'SELECT text FROM messages WHERE id = :id', { id })[0]?.text ?? '';

/** The same, character by character. */
export function textsHold(world: WorldView, db: ReadDb, memory: Memory): void {
  const stored = textsOf(db);
  for (const [id, text] of memory.settled) must(stored.get(id) === text, `I1 message ${id} changed`);
  for (const [id, sent] of world.accepted)
    must((stored.get(id) ?? sent.text) === sent.text, `I1 message ${id} is not what was sent`);
}

/** What left the outbox for the transcript stood before all that still waits. */
function waitingInOrder(
  world: WorldView,
  memory: Memory,
  stored: ReadonlyMap<string, number>,
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
    `SELECT s.id, s.messages || '/' || s.chars AS told, count(m.rid) || '/' || coalesce(sum(octet_length(m.text)), 0) AS there
     FROM sessions s LEFT JOIN branches b ON b.session_id = s.id LEFT JOIN messages m ON m.branch_id = b.id
     GROUP BY s.id HAVING told <> there`,
  );
  must(counted.length === 0, `I1 counters say ${counted[0]?.told}, there are ${counted[0]?.there}`);
}

/** Every settled message with a text of its own is in the search index, once. */
export function indexHolds(db: ReadDb): void {
  const [count] = all<{ indexed: number; there: number }>(
    db,
    `SELECT (SELECT count(*) FROM messages_fts_docsize) AS indexed,
       (SELECT count(*) FROM messages WHERE status <> 'streaming' AND text <> ''
          AND coalesce(json_extract(parts, '$.result.state'), 'done') = 'done'
          AND coalesce(json_extract(parts, '$.result.call.name'), '') <> 'recall') AS there`,
  );
  must(count?.indexed === count?.there, `I1 ${count?.indexed} messages are indexed of ${count?.there}`);
}
