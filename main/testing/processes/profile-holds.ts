/** What must be true of a profile's file after any death, once the next start has recovered it (I1, I2, I3, I5, I7). */
import { all } from '../../db/database';
import { openForReading } from '../../db/open';
import { spaced } from '../../db/search-index';
import type { Account } from './account';
import type { StoredProfile } from './stored-profile';

/** A kill may lose this much of an answer that grows. Milliseconds. */
const LOST_AT_MOST_MS = 500;

export class Broken extends Error {
  /** True where it may be so for a while, as long as somebody works. */
  readonly passes: boolean;

  constructor(what: string, passes = false) {
    super(what);
    this.name = 'Broken';
    this.passes = passes;
  }
}
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Broken(what);
}

/** The file itself: pages, indexes, references, counters, the search index. */
export function fileHolds(stored: StoredProfile): void {
  const { db } = stored;
  fileIsWhole(stored.file);
  must((db.pragma('foreign_key_check') as unknown[]).length === 0, 'a row refers to what is not there');
  must(
    stored.number(`SELECT count(*) FROM sessions s WHERE messages <> (SELECT count(*) FROM messages m JOIN branches b
      ON b.id = m.branch_id WHERE b.session_id = s.id)`) === 0,
    'a session counts other messages than it has',
  );
}

/** On a connection of its own: FTS5 checks by what a connection remembers of the index. */
function fileIsWhole(file: string): void {
  const db = openForReading(file);
  const faults = (db.pragma('integrity_check') as { integrity_check: string }[]).map((row) => row.integrity_check);
  db.close();
  must(faults.join() === 'ok', `the file is damaged: ${faults.slice(0, 5).join('; ')}`);
}

/** Nobody works and nothing of a dead process is left. `living`: processes that are registered. @throws Broken, which passes */
export function nothingIsLeft(stored: StoredProfile, living: number): void {
  const left = (found: number, expected: number, what: string) => {
    if (found !== expected) throw new Broken(what, true);
  };
  const none = (sql: string, what: string) => left(stored.number(sql), 0, what);
  left(stored.number('SELECT count(*) FROM instances'), living, 'a dead process is still registered');
  none(
    `SELECT count(*) FROM turns WHERE ended_at IS NULL AND (state <> 'deferred'
       OR reason ->> '$.why.kind' NOT IN ('auto-off', 'breaker-open', 'review-pending', 'after-restart'))`,
    'I7 a turn is left running',
  );
  none('SELECT count(*) FROM attempts WHERE outcome IS NULL', 'I7 an attempt is left running');
  none('SELECT count(*) FROM leases WHERE instance_id IS NOT NULL', 'I5 a lease is left held');
  none(`SELECT count(*) FROM messages WHERE status = 'streaming'`, 'an answer is left growing');
  none('SELECT count(*) FROM stream_parts', 'pieces of an answer are left over');
}

/** I1: each accepted message once, in order, as it was sent; what was finished has not changed. */
export function messagesHold(stored: StoredProfile, account: Account): void {
  const rows = new Map(stored.messages().map((row) => [row.id, row]));
  for (const [sessionId, sent] of account.sent) {
    const there = stored.ofUser(sessionId).filter((id) => sent.some((one) => one.id === id));
    const expected = sent.filter(({ id, accepted }) => accepted || there.includes(id)).map(({ id }) => id);
    must(there.join() === expected.join(), `I1 sent ${expected.join()}, stored ${there.join()}`);
    for (const { id, text } of sent) {
      const row = rows.get(id);
      must(row === undefined || row.text === text, `I1 message ${id} is not what was sent`);
    }
  }
  for (const [id, before] of account.finished) {
    const row = rows.get(id);
    must(row !== undefined && said(row) === before, `I1 message ${id} has changed or is gone`);
  }
  for (const row of rows.values()) account.finished.set(row.id, said(row));
}

const said = (row: { branch: number; seq: number; role: string; status: string; text: string }) =>
  `${row.branch} ${row.seq} ${row.role} ${row.status} ${row.text}`;

/** Of an answer that grew when the process died at most the last half second is lost. Answers the milliseconds lost. */
export function answersHold(stored: StoredProfile, account: Account, diedAt: number): number {
  const rows = new Map(stored.messages().map((row) => [row.id, row.text]));
  let lost = 0;
  for (const [id, shown] of account.shown) {
    const text = rows.get(id) ?? '';
    const safe = account.shownAt(id, diedAt - LOST_AT_MOST_MS);
    must(text.startsWith(safe), `of answer ${id} only ${text.length} characters are there, ${safe.length} were safe`);
    must(text.startsWith(shown.text) || shown.text.startsWith(text), `answer ${id} says what was not shown`);
    const first = shown.pieces.find((piece) => piece.length > text.length);
    if (first) lost = Math.max(lost, diedAt - first.wall);
  }
  account.shown.clear();
  return Math.round(lost);
}

/** I2, I3: one summary for each attempt that committed, none for another; ranges nest; epochs of commits rise. */
export function summariesHold(stored: StoredProfile): void {
  const rows = all<{
    id: number;
    session: string;
    branch: number;
    from: number;
    to: number;
    epoch: number;
    active: number;
    attempt: number;
    outcome: string | null;
  }>(
    stored.db,
    `SELECT s.id, s.session_id AS session, s.branch_id AS branch, covers_from AS "from", covers_to AS "to", s.epoch, s.state = 'active' AS active,
       attempt_id AS attempt, a.outcome FROM summaries s JOIN attempts a ON a.id = s.attempt_id ORDER BY s.id`,
  );
  const committed = stored.number(`SELECT count(*) FROM attempts WHERE outcome = 'committed'`);
  must(committed === rows.length, `I3 ${committed} attempts committed, ${rows.length} summaries are there`);
  const epochs = new Map<string, number>();
  for (const row of rows) {
    must(row.outcome === 'committed', `I2 attempt ${row.attempt} wrote a summary and ended as ${row.outcome}`);
    const last = epochs.get(row.session) ?? 0;
    must(row.epoch > last, `I3 summary ${row.id} was written under epoch ${row.epoch}, after ${last}`);
    epochs.set(row.session, row.epoch);
    for (const other of rows) {
      if (other.id >= row.id || other.branch !== row.branch || !row.active || !other.active) continue;
      const disjoint = other.to < row.from || row.to < other.from;
      const nested = (row.from <= other.from && other.to <= row.to) || (other.from <= row.from && row.to <= other.to);
      must(disjoint || nested, `I3 summaries ${other.id} and ${row.id} cross`);
      const double = other.from === row.from && other.to === row.to;
      must(!double, `I3 summaries ${other.id} and ${row.id} cover the same`);
    }
  }
}

/** What was sent is found, once, by a word that stands in it alone. */
export function searchHolds(stored: StoredProfile, words: readonly string[]): void {
  const find = stored.db.prepare('SELECT count(*) FROM messages_fts WHERE messages_fts MATCH ?').pluck();
  for (const word of words) {
    const hits = find.get(`"${spaced(word)}"`) as number;
    must(hits === 1, `"${word}" is found ${hits} times`);
  }
}
