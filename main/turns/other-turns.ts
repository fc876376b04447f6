/**
 * Turns of other instances. One whose process is dead is ended at once, one whose process stands still after one whole TTL,
 * where somebody waits for it here; what was sent here meanwhile goes out then.
 */
import type { InstanceId, SessionId, TurnId } from '../../shared/model/ids';
import type { HeldLease, Leases } from '../compression/lease';
import { firstInOutbox } from '../db/outbox-table';
import { recoverTurn } from '../db/recovery';
import { getSession } from '../db/sessions-table';
import { lastTurn, openTurn } from '../db/turns-table';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';

export interface OtherTurnsEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly me: InstanceId;
  readonly leases: Leases;
  /** The lease of the turn that this instance runs on the session; null = it runs none. */
  mine(sessionId: SessionId): HeldLease | null;
  /** Something was sent here since the last turn began. */
  wanted(sessionId: SessionId): boolean;
  drain(sessionId: SessionId): Promise<void>;
  /** A deferred turn that runs nowhere goes on here. */
  resume(sessionId: SessionId, turnId: TurnId): Promise<void>;
  /** A turn was ended here: all that is shown of its session may be another. */
  takenOver(sessionId: SessionId): void;
  log(line: string): void;
}

export class OtherTurns {
  readonly #env: OtherTurnsEnv;
  /** Sessions in which a message of this instance waits for the turn of another one. */
  readonly #behind = new Set<SessionId>();

  constructor(env: OtherTurnsEnv) {
    this.#env = env;
  }

  /**
   * Who holds the session's turn, after one that may be ended was; null = nobody. Of a living one this is a look, from
   * which on it has to stand still, and its compression too.
   */
  holder(sessionId: SessionId): InstanceId | null {
    const { leases, me, clock, mine, takenOver } = this.#env;
    const key = { session: sessionId, kind: 'turn' } as const;
    mine(sessionId)?.look(); // this process may be the one that stood still
    const holder = leases.holderOf(key);
    if (holder === null || holder === me) return holder;
    leases.mayTake({ ...key, kind: 'compression' });
    const freed = leases.freeStill(key, (tx) => {
      const turn = openTurn(tx, sessionId);
      if (turn) recoverTurn(tx, turn, clock.wall());
    });
    if (!freed) return holder;
    takenOver(sessionId);
    return null;
  }

  /** What waits for a turn that does not run here is looked at on each beat. */
  follow(sessionId: SessionId): void {
    const { seam, mine } = this.#env;
    if (mine(sessionId)?.state === 'held' || getSession(seam.db, sessionId)?.deletedAt !== null) return;
    if (firstInOutbox(seam.db, sessionId)) this.#behind.add(sessionId);
  }

  /** On the beat. */
  look(): void {
    for (const sessionId of this.#behind)
      try {
        this.#lookAt(sessionId);
      } catch (error) {
        this.#failed(error); // the next beat tries again
      }
  }

  #lookAt(sessionId: SessionId): void {
    const { seam, wanted, drain, resume } = this.#env;
    const waits = firstInOutbox(seam.db, sessionId) !== null;
    if (waits && this.holder(sessionId) !== null) return;
    const turn = lastTurn(seam.db, sessionId);
    // what was sent here is a click for what a restart held back, and for nothing that asks for a word of its own
    if (waits && turn?.reason?.state === 'deferred' && turn.reason.why.kind !== 'after-restart') return;
    this.#behind.delete(sessionId);
    // after a stop or a failure in the other window what waits is the user's to send, unless it was sent since
    const over = turn?.state === 'completed' || turn?.state === 'interrupted' || wanted(sessionId);
    if (!waits || !turn || !(over || turn.state === 'deferred')) return;
    const goes = turn.endedAt === null ? resume(sessionId, turn.id) : drain(sessionId);
    goes
      .catch((error: unknown) => this.#failed(error))
      .then(() => this.follow(sessionId))
      .catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    this.#env.log(`what waits was not sent: ${String(error)}`);
  }
}
