/**
 * The user's way out where another window holds a session's compression and may hang (S28): this one watches the lease
 * and, once a try would succeed, starts what the user wished for. It takes nothing itself: taking over is the lease's own,
 * in the acquire of the attempt that it starts. It has no timer; the beat looks.
 */
import { AppError } from '../../shared/errors';
import type { RecoverPreview } from '../../shared/model/compression';
import type { InstanceId, SessionId } from '../../shared/model/ids';
import type { ReadDb } from '../db/database';
import { type LeaseKey, type LeaseRow, leaseHeldSince, readLease } from '../db/leases-table';
import { getSession } from '../db/sessions-table';
import type { Clock } from '../lib/clock';
import type { Leases } from './lease';
import type { StartByHand } from './service';

/** How watching ended. */
export type RecoverEnd =
  /** No sign of life for one TTL, or its process is gone: what was wished for starts. */
  | { readonly kind: 'taken' }
  /** The other ended by itself, or was recovered: what was wished for starts. */
  | { readonly kind: 'free' }
  /** A message that waited here took it over first: an attempt of this window runs, and no second one is started. */
  | { readonly kind: 'joined' }
  /** The other gave a sign of life: nothing is started. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'cancelled'; readonly by: 'user' | 'newer' | 'deleted' | 'quit' };

/** What the user is told while it is true. */
export type RecoverState =
  /** `until` = wall-clock milliseconds at which it may be taken over. */
  | { readonly at: 'watching'; readonly until: number }
  | { readonly at: 'alive' }
  /** It could have been taken, but what was wished for was refused. */
  | { readonly at: 'refused'; readonly error: AppError };

export interface RecoverEnv {
  readonly db: ReadDb;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly me: InstanceId;
  /** The compression by hand. @throws AppError as a click on its button would get it. */
  start(wish: StartByHand): Promise<void>;
  /** What the user is told of this session changed. */
  changed(sessionId: SessionId): void;
  ended(sessionId: SessionId, end: RecoverEnd): void;
}

type Watch =
  | {
      readonly at: 'watching';
      readonly wish: StartByHand;
      /** As it was when the user asked: whatever moves it afterwards is a sign of life. */
      readonly row: LeaseRow;
      readonly until: number;
    }
  | Exclude<RecoverState, { readonly at: 'watching' }>;

/** A countdown that is off by more than this is told anew: sleep, or a wall clock that was set. Milliseconds. */
const OFF_MS = 1_000;

export class Recover {
  readonly #env: RecoverEnv;
  readonly #watches = new Map<SessionId, Watch>();
  #quitting = false;

  constructor(env: RecoverEnv) {
    this.#env = env;
  }

  /** True while the beat has to look. */
  get looks(): boolean {
    return [...this.#watches.values()].some((watch) => watch.at !== 'refused');
  }
  stateOf(sessionId: SessionId): RecoverState | null {
    return this.#watches.get(sessionId) ?? null;
  }

  /** What asking for it would do now. */
  preview(sessionId: SessionId): RecoverPreview {
    const { db, leases, me } = this.#env;
    const key = keyOf(sessionId);
    const holder = leases.holderOf(key);
    if (holder === null || holder === me) return { kind: 'free' };
    return { kind: 'held', since: leaseHeldSince(db, key), watchMs: leases.ttlMs };
  }

  /**
   * Begins to watch, or starts at once where that is possible already.
   * @throws AppError what refused that start.
   */
  async begin(wish: StartByHand): Promise<void> {
    const { sessionId } = wish;
    if (this.#quitting) throw new AppError('busy');
    this.#drop(sessionId, 'newer');
    const row = readLease(this.#env.db, keyOf(sessionId));
    if (row === null) throw new AppError('not-found', { what: 'session' });
    const found = this.#judge(sessionId, row);
    if (found.kind === 'watching') this.#keep(sessionId, { at: 'watching', wish, row, until: found.until });
    else if (this.#end(sessionId, found)) await this.#env.start(wish);
  }

  /** Stops watching, or takes away what the user has read. What has ended already is no error. */
  cancel(sessionId: SessionId): void {
    this.#drop(sessionId, 'user');
  }
  /** The user asks for a compression by another click: this one is not wished for any more. */
  replaced(sessionId: SessionId): void {
    this.#drop(sessionId, 'newer');
  }
  /** Nothing starts afterwards. */
  quit(): void {
    this.#quitting = true;
    for (const sessionId of [...this.#watches.keys()]) this.#drop(sessionId, 'quit');
  }

  /** One look at every lease that is watched: on the beat. */
  look(): void {
    for (const [sessionId, watch] of [...this.#watches]) {
      if (this.#isDeleted(sessionId)) this.#drop(sessionId, 'deleted');
      else if (watch.at === 'watching') this.#lookAt(sessionId, watch);
      // "at work" is said as long as it is true: not of one that let go, died or stands still by now
      else if (watch.at === 'alive' && this.#env.leases.mayTake(keyOf(sessionId))) this.#forget(sessionId);
    }
  }

  #lookAt(sessionId: SessionId, watch: Extract<Watch, { at: 'watching' }>): void {
    const found = this.#judge(sessionId, watch.row);
    if (found.kind !== 'watching') {
      if (this.#end(sessionId, found)) this.#startUnasked(watch.wish);
    } else if (Math.abs(found.until - watch.until) > OFF_MS) this.#keep(sessionId, { ...watch, until: found.until });
  }

  #judge(sessionId: SessionId, before: LeaseRow): RecoverEnd | { readonly kind: 'watching'; readonly until: number } {
    const { db, clock, leases, me } = this.#env;
    const key = keyOf(sessionId);
    const row = readLease(db, key);
    if (row === null || row.instanceId === null) return { kind: 'free' };
    if (row.instanceId === me) return { kind: 'joined' };
    if (row.epoch !== before.epoch || row.renewals !== before.renewals) return { kind: 'alive' };
    const leftMs = leases.mayTakeIn(key);
    return leftMs === 0 ? { kind: 'taken' } : { kind: 'watching', until: clock.wall() + leftMs };
  }

  /** Answers whether what was wished for is to be started now. */
  #end(sessionId: SessionId, end: RecoverEnd): boolean {
    if (end.kind === 'alive') this.#keep(sessionId, { at: 'alive' });
    else this.#forget(sessionId);
    this.#env.ended(sessionId, end);
    return end.kind === 'taken' || end.kind === 'free';
  }

  /** Nobody waits for this answer any more: a refusal is told where the countdown stood. */
  #startUnasked(wish: StartByHand): void {
    this.#env.start(wish).catch((thrown: unknown) => {
      if (this.#quitting) return;
      const error = thrown instanceof AppError ? thrown : new AppError('internal', { message: String(thrown) }, thrown);
      this.#keep(wish.sessionId, { at: 'refused', error });
    });
  }

  #drop(sessionId: SessionId, by: Extract<RecoverEnd, { kind: 'cancelled' }>['by']): void {
    const watch = this.#watches.get(sessionId);
    if (!watch) return;
    this.#forget(sessionId);
    if (watch.at === 'watching') this.#env.ended(sessionId, { kind: 'cancelled', by });
  }
  #keep(sessionId: SessionId, watch: Watch): void {
    this.#watches.set(sessionId, watch);
    this.#env.changed(sessionId);
  }
  #forget(sessionId: SessionId): void {
    if (this.#watches.delete(sessionId)) this.#env.changed(sessionId);
  }
  #isDeleted(sessionId: SessionId): boolean {
    const session = getSession(this.#env.db, sessionId);
    return session === null || session.deletedAt !== null;
  }
}

const keyOf = (session: SessionId): LeaseKey => ({ session, kind: 'compression' });
