/** I2 to I5: epochs never fall; who works has its lease until the proved end of its stream; nobody else lets it go. */
import { type TurnReason, waitsForClick } from '../../../shared/model/turn';
import { LEASE } from '../../compression/policy';
import { all, type ReadDb } from '../../db/database';
import type { Holding } from '../../db/leases-table';
import { type Memory, must, type SeenLease } from './memory';
import type { WorldView } from './world-view';

/** A cancelled stream ends after its grace by a kill, at the latest this many milliseconds after the cancel. */
const STOPPED_WITHIN_MS = 7_000;

interface LeaseNow {
  readonly session: string;
  readonly kind: string;
  readonly epoch: number;
  readonly instance: string | null;
  readonly renewals: number;
}

export function leasesHold(world: WorldView, db: ReadDb, memory: Memory): void {
  const rows = all<LeaseNow>(
    db,
    'SELECT session_id AS session, kind, epoch, instance_id AS instance, renewals FROM leases',
  );
  for (const row of rows) {
    const key = `${row.kind} ${row.session}`;
    const seen = memory.leases.get(key);
    if (seen) takenWithRight(world, row, seen);
    const same = seen && seen.epoch === row.epoch && seen.instance === row.instance && seen.renewals === row.renewals;
    if (!same) memory.leases.set(key, { ...row, since: memory.stepBegan });
  }
  const rowOf = (kind: string, session: string) => rows.find((row) => row.kind === kind && row.session === session);
  for (const process of world.living) {
    const { me, turns } = process.engine;
    for (const attempt of process.attempts) {
      const { holding, state, spec } = attempt;
      const row = rowOf('compression', spec.sessionId);
      if (holding && state.holds && row && row.epoch <= holding.epoch)
        must(row.instance === me, `I4 the lease of attempt ${spec.id}, which works, was let go`);
    }
    for (const turn of turns.all()) {
      const row = rowOf('turn', turn.spec.sessionId);
      if (turn.lease.state === 'held' && row && row.epoch <= turn.lease.holding.epoch)
        must(row.instance === me, `I4 the lease of turn ${turn.spec.id}, which is open, was let go`);
    }
  }
  streamsHaveLeases(world, (session) => rowOf('compression', session));
}

/** A lease changes hands when it was free, its holder is dead, or it stood still for one TTL. */
function takenWithRight(world: WorldView, row: LeaseNow, seen: SeenLease): void {
  const key = `${row.kind} ${row.session}`;
  must(row.epoch >= seen.epoch, `I4 the epoch of the ${key} lease fell`);
  const holder = world.living.find((process) => process.engine.me === seen.instance);
  if (row.epoch === seen.epoch || !holder || row.instance === seen.instance) return;
  const released = holder.hung === false; // who hears may have let go in this step
  const still = world.now - seen.since;
  const isSeen = (holding: Holding | null | undefined) =>
    holding?.epoch === seen.epoch && holding.session === row.session && holding.kind === row.kind;
  const works =
    [...holder.attempts].some((attempt) => attempt.state.holds && isSeen(attempt.holding)) ||
    holder.engine.turns.all().some(({ lease }) => lease.state === 'held' && isSeen(lease.holding));
  must(
    still >= LEASE.ttlMs || (released && !works),
    `I3 the ${key} lease of a living holder was taken over after ${still} ms`,
  );
}

function streamsHaveLeases(world: WorldView, rowOf: (session: string) => LeaseNow | undefined): void {
  const writing = world.readings.filter(({ stream, process }) => stream.end === null && world.living.includes(process));
  for (const one of writing) {
    const { stream, process } = one;
    const row = rowOf(one.session);
    if (stream.cancels.length > 0 && !stream.killed) {
      const waited = process.engine.clock.monotonic() - (one.cancelledAt ?? 0);
      must(waited <= STOPPED_WITHIN_MS, `I5 a cancelled stream was not killed within ${STOPPED_WITHIN_MS} ms`);
    }
    if (!row || row.epoch > one.epoch) continue; // overtaken: it reads on until it wakes, unread
    must(row.instance === process.engine.me, `I5 the lease of ${one.session} went free while its stream runs`);
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

/** Nobody holds a lease who does not work: a turn that waits for a click has given its own back. */
export function leasesAreFree(db: ReadDb): void {
  const held = all<{ kind: string; turn: number | null; reason: string | null }>(
    db,
    `SELECT l.kind, t.id AS turn, t.reason FROM leases l
     LEFT JOIN turns t ON t.id = l.run_id AND l.kind = 'turn' AND t.ended_at IS NULL
     WHERE l.instance_id IS NOT NULL`,
  ).filter(({ turn, reason }) => turn === null || waitsForClick(JSON.parse(reason ?? 'null') as TurnReason | null));
  must(held.length === 0, `I5 a ${held[0]?.kind} lease is held by nobody who works`);
}
