/**
 * Leases: durable permission for one holder to compress one session, or to run its turns (holds I3, I4, I5).
 * Every statement is qualified by holder and epoch; the epoch rises on acquire only and never falls. A living holder is
 * taken over only after this process itself saw the same epoch and renewal count for one whole TTL of its own clock.
 */
import type { InstanceId } from '../../shared/model/ids';
import type { WriteTx } from '../db/database';
import {
  acquireLease,
  type Holding,
  holdsLease,
  type LeaseKey,
  type LeaseRow,
  readLease,
  releaseLease,
  renewLease,
} from '../db/leases-table';
import { BUSY, type WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';

export interface LeaseTimes {
  readonly ttlMs: number;
  readonly renewMs: number;
}

export interface LeaseEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly me: InstanceId;
  readonly times: LeaseTimes;
  /** Where that instance is proved dead: ends all it left running, frees its leases and answers true. */
  recoverIfDead(id: InstanceId): boolean;
}

export type Acquired =
  | { readonly kind: 'acquired'; readonly lease: HeldLease }
  /** Another instance holds it. */
  | { readonly kind: 'held'; readonly holder: InstanceId }
  /** An earlier run of this instance holds it still: its worker is not proved stopped. */
  | { readonly kind: 'kept'; readonly run: number }
  | { readonly kind: 'busy' };

/** A transient failure of a renewal is tried again this soon. */
const RENEW_AGAIN_MS = 1_000;

export class Leases {
  readonly #env: LeaseEnv;
  readonly #seen = new Map<string, { row: LeaseRow; since: number }>();

  /** @throws Error where the times do not leave room for one missed renewal. */
  constructor(env: LeaseEnv) {
    if (env.times.renewMs * 2 >= env.times.ttlMs) throw new Error('a lease must be renewed well within half its TTL');
    this.#env = env;
  }

  /**
   * One try. On success `arm` runs in the same synchronous step as the durable write: no cancel can land between
   * holding the lease and having the way to release it.
   */
  tryAcquire(key: LeaseKey, run: number, arm: (lease: HeldLease) => void): Acquired {
    const { seam, clock, me } = this.#env;
    const row = readLease(seam.db, key);
    if (row === null) throw new Error(`no lease row for ${key.kind} of ${key.session}`);
    if (row.instanceId === me) return { kind: 'kept', run: row.runId ?? 0 };
    let seen: LeaseRow | null = null;
    if (row.instanceId !== null && !this.#env.recoverIfDead(row.instanceId)) {
      if (!this.#watchedStill(key, row)) return { kind: 'held', holder: row.instanceId };
      seen = row;
    }
    const epoch = seam.tryWrite((tx) => acquireLease(tx, { ...key, instance: me, run, now: clock.wall() }, seen), {
      durable: true,
    });
    if (epoch === BUSY) return { kind: 'busy' };
    if (epoch === null) {
      const now = readLease(seam.db, key)?.instanceId;
      return now && now !== me ? { kind: 'held', holder: now } : { kind: 'busy' };
    }
    this.#seen.delete(nameOf(key));
    const lease = new HeldLease(this.#env, { ...key, instance: me, run, epoch });
    arm(lease);
    lease.startRenewal();
    return { kind: 'acquired', lease };
  }

  /** Takes a free lease inside a transaction of the caller; `hold` after its commit. null = it is not free. */
  claim(tx: WriteTx, key: LeaseKey, run: number): number | null {
    return acquireLease(tx, { ...key, instance: this.#env.me, run, now: this.#env.clock.wall() }, null);
  }
  /** The lease of a claim that was committed: call in the same synchronous step. */
  hold(key: LeaseKey, run: number, epoch: number): HeldLease {
    const lease = new HeldLease(this.#env, { ...key, instance: this.#env.me, run, epoch });
    lease.startRenewal();
    return lease;
  }
  /** Who holds it, after a dead holder was recovered; null = free. */
  holderOf(key: LeaseKey): InstanceId | null {
    const holder = readLease(this.#env.seam.db, key)?.instanceId ?? null;
    if (holder === null || holder === this.#env.me) return holder;
    return this.#env.recoverIfDead(holder) ? null : holder;
  }

  /** True where a try to acquire would succeed now: free, its holder dead, or watched still for one TTL. */
  mayTake(key: LeaseKey): boolean {
    const row = readLease(this.#env.seam.db, key);
    if (row === null || row.instanceId === null || row.instanceId === this.#env.me) return true;
    return this.#env.recoverIfDead(row.instanceId) || this.#watchedStill(key, row);
  }
  /** Milliseconds for which this process has yet to see it still before it may be taken; 0 = `mayTake`. */
  mayTakeIn(key: LeaseKey): number {
    if (this.mayTake(key)) return 0;
    const since = this.#seen.get(nameOf(key))?.since ?? this.#env.clock.monotonic();
    return Math.max(0, since + this.ttlMs - this.#env.clock.monotonic());
  }
  /** For so long a living holder must be seen still before it is taken over; milliseconds. */
  get ttlMs(): number {
    return this.#env.times.ttlMs;
  }

  /**
   * Frees a lease that a living holder has kept still for one whole TTL: it is acquired and let go, so that its epoch
   * rises, and `end` ends what ran under it, in the same transaction. False = it may not be taken, or not now.
   */
  freeStill(key: LeaseKey, end: (tx: WriteTx) => void): boolean {
    const { seam, clock, me } = this.#env;
    const row = readLease(seam.db, key);
    if (!row || row.runId === null || row.instanceId === me || !this.#watchedStill(key, row)) return false;
    const mine = { ...key, instance: me, run: row.runId };
    const freed = seam.tryWrite(
      (tx) => {
        const epoch = acquireLease(tx, { ...mine, now: clock.wall() }, row);
        if (epoch === null) return false;
        end(tx);
        return releaseLease(tx, { ...mine, epoch });
      },
      { durable: true },
    );
    return freed === true;
  }

  /** After sleep: time that passed unseen proves nothing. */
  restartObservations(): void {
    this.#seen.clear();
  }

  #watchedStill(key: LeaseKey, row: LeaseRow): boolean {
    const now = this.#env.clock.monotonic();
    const seen = this.#seen.get(nameOf(key));
    // whoever else has it now raised the epoch
    if (seen && seen.row.epoch === row.epoch && seen.row.renewals === row.renewals)
      return now - seen.since >= this.#env.times.ttlMs;
    this.#seen.set(nameOf(key), { row, since: now });
    return false;
  }
}

const nameOf = (key: LeaseKey) => `${key.kind} ${key.session}`;

/** A lease that this instance holds. It renews itself until it is released or proved lost. */
export class HeldLease {
  readonly holding: Holding;
  readonly #env: LeaseEnv;
  #cancelTimer: (() => void) | null = null;
  #state: 'held' | 'releasing' | 'released' | 'lost' = 'held';
  #onLost: (() => void) | null = null;

  constructor(env: LeaseEnv, holding: Holding) {
    this.#env = env;
    this.holding = holding;
  }

  get state(): 'held' | 'releasing' | 'released' | 'lost' {
    return this.#state;
  }

  /** Called once, when a renewal or a look finds another holder or epoch. */
  onLost(fn: () => void): void {
    this.#onLost = fn;
  }

  startRenewal(): void {
    this.#arm(this.#env.times.renewMs);
  }

  #arm(ms: number): void {
    if (this.#state !== 'held') return;
    this.#cancelTimer = this.#env.clock.after(ms, () => {
      this.#cancelTimer = null;
      this.renew();
    });
  }

  /** One renewal now. A failing database is tried again for ever: only a row of another proves loss. */
  renew(): void {
    if (this.#state !== 'held') return;
    this.#stopRenewal();
    let mine: boolean | typeof BUSY;
    try {
      mine = this.#env.seam.tryWrite((tx) => renewLease(tx, this.holding, this.#env.clock.wall()));
    } catch {
      mine = BUSY; // a full disk or an I/O error says nothing about who holds the lease
    }
    if (mine === false) return this.#lose();
    this.#arm(mine === BUSY ? RENEW_AGAIN_MS : this.#env.times.renewMs);
  }

  /** Looks at its row without a write: one that another holder has is lost at once, not at its next renewal. */
  look(): void {
    if (this.#state === 'held' && !holdsLease(this.#env.seam.db, this.holding)) this.#lose();
  }

  #lose(): void {
    this.#stopRenewal();
    this.#state = 'lost';
    this.#onLost?.();
  }

  #stopRenewal(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** Part of a commit transaction. Call `released` after it committed. */
  releaseIn(tx: WriteTx): void {
    releaseLease(tx, this.holding);
  }
  /** The commit that released it is through. */
  released(): void {
    this.#stopRenewal();
    this.#state = 'released';
  }

  /**
   * Lets go. Renewal stops in this synchronous step and cannot start again; the release touches nothing but this very
   * holding. Tried again while the database is busy.
   */
  async release(): Promise<void> {
    if (this.#state !== 'held') return;
    this.#stopRenewal();
    this.#state = 'releasing';
    // rejected only where the app has closed its database: its end frees the lease
    await this.#env.seam
      .persist(this.holding.session, (tx) => releaseLease(tx, this.holding), { first: true })
      .catch(() => {});
    this.#state = 'released';
  }
}
