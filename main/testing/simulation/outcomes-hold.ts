/** I2, I4, I7, I8, I10: outcomes are final and honest; what is deferred counts for nothing; backoffs are kept. */
import { type TurnReason, waitsForClick } from '../../../shared/model/turn';
import { all, type ReadDb } from '../../db/database';
import { type Memory, must } from './memory';
import type { WorldView } from './world-view';

interface AttemptNow {
  readonly id: number;
  readonly session: string;
  readonly epoch: number | null;
  readonly strategy: string | null;
  readonly outcome: string | null;
  readonly failure: string | null;
  readonly detail: string | null;
}

/** Failures of a model that leave a backoff behind. */
const ARMS = [
  'stalled',
  'ceiling-exhausted',
  'died',
  'stall-interrupted',
  'malformed',
  'empty',
  'refused',
  'cut',
  'too-large',
  'interrupted',
];
/** Outcomes that a turn counts. */
const COUNTS = ['committed', 'failed', 'proposed'];

export function outcomesHold(world: WorldView, db: ReadDb, memory: Memory): void {
  const attempts = all<AttemptNow>(
    db,
    'SELECT id, session_id AS session, epoch, strategy, outcome, failure, detail FROM attempts ORDER BY id',
  );
  const backoffs = all<{ session: string; attempt: number }>(
    db,
    `SELECT session_id AS session, attempt_id AS attempt FROM backoffs WHERE strategy = 'summarize'`,
  );
  const ended = attempts.filter((attempt) => attempt.outcome !== null);
  const fresh = ended.filter((attempt) => !memory.ends.has(`attempt ${attempt.id}`));
  for (const attempt of ended)
    final(memory, `attempt ${attempt.id}`, [attempt.outcome, attempt.failure, attempt.detail].join(' '));
  asTold(world, attempts);
  for (const attempt of fresh) honest(world, db, attempt, ended, backoffs);
  for (const { attempt } of backoffs)
    must(
      attempts.find((one) => one.id === attempt)?.outcome !== 'deferred',
      `I8 attempt ${attempt} was deferred and armed a backoff`,
    );
  backoffsStay(memory, fresh, backoffs);
  for (const { sessionId } of world.sessions)
    memory.spent.set(
      sessionId,
      ended.filter(({ session, outcome }) => session === sessionId && COUNTS.includes(outcome ?? '')).length,
    );
  turnsHold(db, memory);
}

/** Written once: an outcome never changes. */
function final(memory: Memory, name: string, end: string): void {
  const known = memory.ends.get(name);
  must(known === undefined || known === end, `I7 the end of ${name} changed from ${known} to ${end}`);
  memory.ends.set(name, end);
}

/** What the process told is what is stored. */
function asTold(world: WorldView, attempts: readonly AttemptNow[]): void {
  for (const process of world.living)
    for (const { spec, state } of process.attempts) {
      const stored = attempts.find((one) => one.id === spec.id)?.outcome ?? null;
      const told = state.phase.at === 'ended' ? state.phase.outcome.kind : null;
      if (told !== null && stored !== null)
        must(told === stored, `I7 attempt ${spec.id} told ${told}, ${stored} is stored`);
      must(told !== null || stored === null, `I2 attempt ${spec.id}, which still works, has ended as ${stored}`);
    }
}

function honest(
  world: WorldView,
  db: ReadDb,
  attempt: AttemptNow,
  ended: readonly AttemptNow[],
  backoffs: readonly { session: string; attempt: number }[],
): void {
  const { id, session, outcome, failure, epoch } = attempt;
  if (failure === 'lease-lost') {
    const [lease] = all<{ epoch: number }>(
      db,
      `SELECT epoch FROM leases WHERE session_id = :session AND kind = 'compression'`,
      { session },
    );
    must((lease?.epoch ?? 0) > (epoch ?? 0), `I2 attempt ${id} says that its lease was lost, and nobody took it`);
  }
  const byModel = outcome === 'failed' && attempt.strategy === 'summarize' && ARMS.includes(failure ?? '');
  const interrupted = outcome === 'cancelled' && /quit|unwind/.test(attempt.detail ?? '') && modelRan(world, id);
  if (!byModel && !interrupted) return;
  const kept = backoffs.some((one) => one.session === session && one.attempt >= id);
  const cleared = ended.some((one) => one.session === session && one.id > id && one.outcome === 'committed');
  must(kept || cleared, `I7 attempt ${id} failed as ${failure ?? 'interrupted'} and left no backoff`);
}

function modelRan(world: WorldView, id: number): boolean {
  const run = world.living.flatMap(({ attempts }) => [...attempts]).find(({ spec }) => spec.id === id);
  return run !== undefined && run.state.proof !== 'none';
}

/** A backoff goes away by a summary of the attempt that set it or of a later one; no attempt else clears it. */
function backoffsStay(
  memory: Memory,
  fresh: readonly AttemptNow[],
  backoffs: readonly { session: string; attempt: number }[],
): void {
  for (const [session, by] of memory.backoffs) {
    const now = backoffs.find((one) => one.session === session);
    if (now) {
      must(now.attempt >= by, `I4 the backoff of attempt ${by} was overwritten by the older attempt ${now.attempt}`);
      continue;
    }
    const right = fresh.some((one) => one.session === session && one.outcome === 'committed' && one.id >= by);
    must(right, `I4 the backoff that attempt ${by} set was cleared by none that may`);
  }
  memory.backoffs.clear();
  for (const one of backoffs) memory.backoffs.set(one.session, one.attempt);
}

function turnsHold(db: ReadDb, memory: Memory): void {
  const turns = all<{
    id: number;
    session: string;
    state: string;
    reason: string | null;
    attempts: number;
    ended: number | null;
  }>(db, 'SELECT id, session_id AS session, state, reason, attempts, ended_at AS ended FROM turns ORDER BY id');
  const open = new Set<string>();
  for (const turn of turns) {
    if (turn.ended !== null) final(memory, `turn ${turn.id}`, `${turn.state} ${turn.reason}`);
    else {
      must(!open.has(turn.session), `I3 two turns of session ${turn.session} are open`);
      open.add(turn.session);
    }
    const spent = memory.spent.get(turn.session) ?? 0;
    const before = memory.spentBefore.get(turn.id);
    if (before === undefined) memory.spentBefore.set(turn.id, memory.spent.get(`before ${turn.session}`) ?? 0);
    must(
      turn.attempts <= spent - (before ?? 0),
      `I8 turn ${turn.id} counts ${turn.attempts} attempts, ${spent - (before ?? 0)} were made`,
    );
  }
  for (const { session } of turns) memory.spent.set(`before ${session}`, memory.spent.get(session) ?? 0);
  const late = all<{ id: number }>(
    db,
    `SELECT t.id FROM turns t JOIN messages m ON m.turn_id = t.id WHERE t.ended_at IS NOT NULL AND m.status = 'streaming'`,
  );
  must(late.length === 0, `I10 turn ${late[0]?.id} has ended, and its answer still streams`);
}

const maySitStill = (reason: TurnReason | null) =>
  waitsForClick(reason) || (reason?.state === 'deferred' && reason.why.kind === 'backoff');

/** When nothing runs and nobody hangs, nothing is left open but what waits for a click. */
export function allHasEnded(db: ReadDb): void {
  const open = all<{ id: number; state: string; reason: string | null }>(
    db,
    'SELECT id, state, reason FROM turns WHERE ended_at IS NULL',
  );
  for (const turn of open)
    must(
      turn.state === 'deferred' && maySitStill(JSON.parse(turn.reason ?? 'null') as TurnReason | null),
      `I7 turn ${turn.id} still ${turn.state}`,
    );
  const attempts = all<{ id: number }>(db, 'SELECT id FROM attempts WHERE outcome IS NULL');
  must(attempts.length === 0, `I7 attempt ${attempts[0]?.id} still runs`);
  must(all(db, `SELECT 1 FROM messages WHERE status = 'streaming'`).length === 0, 'I10 a message still streams');
  must(all(db, 'SELECT 1 FROM stream_parts').length === 0, 'I1 parts of an answer were left');
}
