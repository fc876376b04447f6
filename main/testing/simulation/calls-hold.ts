/** I6: a call is never parted from its result, in the database and in every request; no call has two. */
import { all, type ReadDb } from '../../db/database';
import type { MessageParts } from '../../db/message-parts';
import type { ChatMessage } from '../../hosts/protocol';
import { NO_RESULT } from '../../turns/call-pairs';
import { must } from './memory';

/** In the database: results follow their answer at once, each once; all of them, once its turn has ended. */
export function callsHold(db: ReadDb): void {
  const rows = all<{ branch: number; seq: number; role: string; parts: string | null; ended: number | null }>(
    db,
    `SELECT m.branch_id AS branch, m.seq, m.role, m.parts, t.ended_at AS ended
     FROM messages m LEFT JOIN turns t ON t.id = m.turn_id
     WHERE m.turn_id IN (SELECT turn_id FROM messages WHERE parts IS NOT NULL) ORDER BY m.branch_id, m.seq`,
  );
  for (const [at, row] of rows.entries()) {
    const { calls = [], result } = (row.parts === null ? {} : JSON.parse(row.parts)) as MessageParts;
    const after: string[] = [];
    for (let next = at + 1; rows[next]?.role === 'tool' && rows[next]?.branch === row.branch; next++)
      after.push((JSON.parse(rows[next]?.parts ?? '{}') as MessageParts).result?.call.id ?? '');
    if (row.role === 'tool') must(result !== undefined, `I6 result ${row.seq} names no call`);
    if (calls.length === 0) continue;
    const wanted = calls.map(({ id }) => id);
    must(wanted.join().startsWith(after.join()), `I6 answer ${row.seq} called ${wanted}, its results are ${after}`);
    must(row.ended === null || after.length === wanted.length, `I6 a call of answer ${row.seq} has no result`);
  }
}

/** In a request: each answer that calls is followed at once by its results, and no result stands alone. */
export function pairsHold(messages: readonly ChatMessage[]): void {
  let open: string[] = [];
  for (const { role, calls = [], answers, content } of messages) {
    if (role === 'tool') {
      must(open[0] === answers?.id, `I6 a request holds a result of ${answers?.id} where ${open[0]} is due`);
      open = open.slice(1);
    } else must(open.length === 0, `I6 a request parts a call from its result: ${open}`);
    must(!content.includes(NO_RESULT), 'I6 a request holds a call whose result was not kept');
    open = [...open, ...calls.map(({ id }) => id)];
  }
  must(open.length === 0, `I6 a request ends before the result of ${open}`);
}
