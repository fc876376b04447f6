import type { MessageId, SessionId } from '../../../shared/model/ids';
import { all, type ReadDb } from '../../db/database';
import type { World } from './world';

/** What was seen after the last step, to see what a step may not do. */
export interface Memory {
  /** Text of every message that was complete or partial. */
  readonly settled: Map<string, string>;
  readonly summaries: Set<number>;
  /** Summaries that were active. */
  readonly active: Set<number>;
  readonly epochs: Map<string, number>;
}
export const newMemory = (): Memory => ({
  settled: new Map(),
  summaries: new Set(),
  active: new Set(),
  epochs: new Map(),
});

class Broken extends Error {}
function must(holds: boolean, what: string): void {
  if (!holds) throw new Broken(what);
}

/** Checked after every step, on the database as another process would read it. @throws where one does not hold. */
export function checkStep(world: World, db: ReadDb, memory: Memory): void {
  messagesStay(world, db, memory);
  pathsAreWhole(db);
  commitsAreSingle(db, memory);
  leasesAreSound(world, db, memory);
  outcomesAreHonest(db);
  requestsAreFaithful(world);
  const fault = world.diary.find((line) => line.startsWith('FAULT'));
  must(fault === undefined, `the product threw: ${fault}`);
}

/** Checked when the world is calm: nothing runs, nothing waits, nothing was lost. */
export function checkCalm(db: ReadDb): void {
  const open = all<{ id: number; state: string; reason: string }>(
    db,
    'SELECT id, state, reason FROM turns WHERE ended_at IS NULL',
  );
  for (const turn of open)
    must(turn.state === 'deferred' && !endsByItself(turn.reason), `I7 turn ${turn.id} still ${turn.state}`);
  const attempts = all<{ id: number }>(db, 'SELECT id FROM attempts WHERE outcome IS NULL');
  must(attempts.length === 0, `I7 attempt ${attempts[0]?.id} still runs`);
  const held = all<{ kind: string }>(
    db,
    `SELECT kind FROM leases l WHERE instance_id IS NOT NULL AND NOT EXISTS
       (SELECT 1 FROM turns t WHERE t.id = l.run_id AND l.kind = 'turn' AND t.ended_at IS NULL)`,
  );
  must(held.length === 0, `I5 a ${held[0]?.kind} lease is held by nobody who works`);
  must(all(db, `SELECT 1 FROM messages WHERE status = 'streaming'`).length === 0, 'I10 a message still streams');
  must(all(db, 'SELECT 1 FROM stream_parts').length === 0, 'parts of an answer were left');
  must(db.pragma('integrity_check', { simple: true }) === 'ok', 'the database is damaged');
}

function endsByItself(reason: string): boolean {
  return /"kind":"(lease-held|backoff|worker-exiting|model-busy)"/.test(reason) && !/"kind":"backoff"/.test(reason);
}

/** I1: what was accepted is there once, word for word; what is settled never changes. */
function messagesStay(world: World, db: ReadDb, memory: Memory): void {
  const rows = all<{ id: MessageId; text: string; status: string }>(db, 'SELECT id, text, status FROM messages');
  const waiting = new Map(
    all<{ id: MessageId; text: string }>(db, 'SELECT id, text FROM outbox').map((row) => [row.id, row.text]),
  );
  const stored = new Map(rows.map((row) => [row.id as string, row]));
  for (const [id, sent] of world.accepted) {
    const text = stored.get(id)?.text ?? waiting.get(id);
    if (!sent.removed) must(text === sent.text, `I1 message ${id} is ${text === undefined ? 'lost' : 'changed'}`);
    must(!(stored.has(id) && waiting.has(id)), `I1 message ${id} is there twice`);
  }
  for (const [id, text] of memory.settled) must(stored.get(id)?.text === text, `I1 message ${id} changed or went away`);
  for (const row of rows) if (row.status !== 'streaming') memory.settled.set(row.id, row.text);
}

function pathsAreWhole(db: ReadDb): void {
  const gaps = all<{ branch: number }>(
    db,
    `SELECT m.branch_id AS branch FROM messages m JOIN branches b ON b.id = m.branch_id
     GROUP BY m.branch_id HAVING max(m.seq) - b.fork_seq <> count(*)`,
  );
  must(gaps.length === 0, `a gap in the numbers of branch ${gaps[0]?.branch}`);
  const counted = all<{ id: SessionId }>(
    db,
    `SELECT s.id FROM sessions s WHERE s.messages <> (SELECT count(*) FROM messages m JOIN branches b ON b.id = m.branch_id WHERE b.session_id = s.id)`,
  );
  must(counted.length === 0, 'a counter does not agree with the messages');
}

/** I3, I11: one commit on one base, and that base is what the path showed. */
function commitsAreSingle(db: ReadDb, memory: Memory): void {
  const rows = all<{ id: number; branch: number; parent: number | null; kept: number; before: number; after: number }>(
    db,
    `SELECT id, branch_id AS branch, parent_id AS parent, state = 'active' AS kept, tokens_before AS before, tokens_after AS after
     FROM summaries ORDER BY id`,
  );
  const known = new Set(memory.summaries);
  for (const row of rows) {
    must(row.after < row.before, `I11 summary ${row.id} gains nothing`);
    const isNew = !known.has(row.id);
    const base = row.parent === null ? undefined : rows.find((other) => other.id === row.parent);
    // an undo in an earlier step changes what is shown: nothing may be committed on it any more
    if (isNew && base && known.has(base.id))
      must(memory.active.has(base.id), `I3 summary ${row.id} stands on ${base.id}, which is not shown`);
    const twins = rows.filter(
      (other) =>
        other.kept && row.kept && other.id !== row.id && other.branch === row.branch && other.parent === row.parent,
    );
    must(twins.length === 0, `I3 summaries ${row.id} and ${twins[0]?.id} were committed on one base`);
    memory.summaries.add(row.id);
  }
  memory.active.clear();
  for (const row of rows) if (row.kept) memory.active.add(row.id);
}

/** I3, I4, I5: epochs never fall; whoever works holds its lease until the proved end of its stream. */
function leasesAreSound(world: World, db: ReadDb, memory: Memory): void {
  const rows = all<{ session: SessionId; kind: string; epoch: number; instance: string | null }>(
    db,
    'SELECT session_id AS session, kind, epoch, instance_id AS instance FROM leases',
  );
  for (const row of rows) {
    const key = `${row.kind} ${row.session}`;
    must(row.epoch >= (memory.epochs.get(key) ?? 0), `the epoch of ${key} fell`);
    memory.epochs.set(key, row.epoch);
  }
  const writing = world.readings.filter(
    ({ stream, process }) => stream.end === null && world.processes.includes(process),
  );
  for (const one of writing) {
    const row = rows.find((lease) => lease.session === one.session && lease.kind === 'compression');
    if (!row || row.epoch > one.epoch) continue; // overtaken: it reads on until it wakes, unread
    must(row.instance === one.process.engine.me, `I5 the lease of ${one.session} went free while its stream runs`);
  }
  for (const { sessionId } of world.sessions) {
    const awake = writing.filter(
      (one) => one.session === sessionId && !one.process.hung && one.stream.cancels.length === 0,
    );
    must(
      awake.length <= 1 || new Set(awake.map((one) => one.epoch)).size > 1,
      'I3 two models write a summary of one session at once',
    );
  }
}

/** I8: what is deferred arms no backoff and is never counted as failed. */
function outcomesAreHonest(db: ReadDb): void {
  const wrong = all<{ id: number }>(
    db,
    `SELECT a.id FROM attempts a JOIN backoffs b ON b.attempt_id = a.id WHERE a.outcome IN ('deferred', 'superseded', 'committed') AND b.strategy = a.strategy
     AND a.failure IS NULL AND b.kind NOT IN (SELECT 'x')
     AND NOT EXISTS (SELECT 1 FROM attempts later WHERE later.session_id = a.session_id AND later.id > a.id)
     AND a.outcome = 'deferred'`,
  );
  must(wrong.length === 0, `I8 attempt ${wrong[0]?.id} was deferred and armed a backoff`);
}

/** I6: the newest user message is byte-equal at the end of its request. */
function requestsAreFaithful(world: World): void {
  for (const process of world.processes)
    for (const stream of process?.engine.requests() ?? []) {
      if (stream.job.kind !== 'chat') continue;
      const last = stream.job.messages.at(-1);
      must(last?.role === 'user', 'I6 a request does not end with the user');
      const text = last?.content ?? '';
      const known = [...world.accepted.values()].some((sent) => text.endsWith(sent.text));
      must(
        known || /edited$|words number|Continue your last answer|10000000-0000/.test(text),
        `I6 a request ends with ${text.slice(-60)}`,
      );
    }
}
