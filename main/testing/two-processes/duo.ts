/** Two app processes on one profile that compress, cancel, talk, die and start again; what is left after each round. */
import { join } from 'node:path';
import { AppError } from '../../../shared/errors';
import type { Attempt } from '../../../shared/model/compression';
import type { MessageId, SessionId } from '../../../shared/model/ids';
import { LEASE } from '../../compression/policy';
import { all } from '../../db/database';
import { systemClock } from '../../lib/clock';
import { systemIds } from '../../lib/ids';
import { Account } from '../processes/account';
import { type CoreEntries, CoreProcess, Died } from '../processes/core-process';
import { Broken, fileHolds, messagesHold, must, nothingIsLeft, summariesHold } from '../processes/profile-holds';
import type { Random } from '../processes/random';
import { StoredProfile } from '../processes/stored-profile';
import type { Behavior } from '../scripted-behavior';
import type { ScriptedServer } from '../scripted-server';

/**
 * By then every stream is stopped or killed, every dead process recovered, every lease let go: the grace, a beat, and what a
 * machine that is busy with other tests takes to start a host.
 */
const SETTLED_MS = 90_000;
const LOOK_MS = 25;
const COMPRESSORS = 2;

const deeds = ['compress', 'cancel', 'talk', 'die', 'quit', 'stand still'] as const;
export type Deed = (typeof deeds)[number];
const WEIGHTED: readonly Deed[] = [
  ...Array<Deed>(8).fill('compress'),
  ...Array<Deed>(3).fill('cancel'),
  ...Array<Deed>(2).fill('talk'),
  ...Array<Deed>(2).fill('die'),
  'quit',
  'stand still',
];

/** How the model server takes a round's requests: mostly well. */
const MOODS: readonly ((n: number) => Behavior)[] = [
  ...Array.from({ length: 5 }, () => () => ({})),
  (n) => ({ stallAfter: n }),
  (n) => ({ dieAfter: n }),
  (n) => ({ errorAfter: { pieces: n, body: '{"error":{"message":"out of memory"}}' } }),
  () => ({ error: { status: 500, body: '{"error":"internal"}' } }),
];

interface Summary {
  readonly id: number;
  readonly session: SessionId;
  readonly parent: number | null;
  readonly state: string;
}

export class Duo {
  readonly done = new Map<string, number>();
  readonly #entries: CoreEntries;
  readonly #folder: string;
  readonly #random: Random;
  readonly #server: ScriptedServer;
  readonly #stored: StoredProfile;
  /** What each process was told: between two of them no order is promised. */
  readonly #accounts: readonly Account[] = Array.from({ length: COMPRESSORS }, () => new Account());
  readonly #sessions: readonly SessionId[];
  readonly #cores: CoreProcess[] = [];
  /** Attempts that were seen to run, by process. */
  readonly #running = new Map<CoreProcess, Attempt>();
  #lastSummary = 0;

  constructor(entries: CoreEntries, folder: string, random: Random, server: ScriptedServer) {
    this.#server = server;
    this.#entries = entries;
    this.#folder = folder;
    this.#random = random;
    this.#stored = new StoredProfile(join(folder, 'palimpsest.db'));
    this.#sessions = this.#stored.sessions();
    for (let i = 0; i < COMPRESSORS; i++) this.#start(i);
  }

  async end(): Promise<void> {
    for (const core of this.#cores) await core.kill();
    const sql = `SELECT coalesce(failure, outcome, 'open') AS end, count(*) AS times FROM attempts GROUP BY 1`;
    for (const { end, times } of all<{ end: string; times: number }>(this.#stored.db, sql)) this.done.set(end, times);
    this.#stored.close();
  }

  /** @throws Broken */
  async round(): Promise<void> {
    await Promise.all(this.#cores.map((core) => core.ready));
    for (const core of this.#cores) must(core.alive, `a process did not start: ${core.log.join('\n')}`);
    await this.#undoSome();
    this.#server.behave(this.#random.pick(MOODS)(this.#random.int(0, 40)));
    const count = this.#random.int(2, 5);
    await Promise.all(
      Array.from({ length: count }, async () => {
        const deed = this.#random.pick(WEIGHTED);
        const which = this.#random.int(0, COMPRESSORS - 1);
        const sessionId = this.#random.pick(this.#sessions);
        await this.#wait(this.#random.int(0, 400));
        await this.#do(deed, which, sessionId);
      }),
    );
    await Promise.all(this.#cores.map((core) => core.ready));
    this.#server.behave({});
    this.#server.release();
    await this.#settled();
  }

  /**
   * One process stands still in the middle of a summary for longer than a lease lasts: the other takes it over after one
   * TTL and not before, and what the first has when it wakes is refused. Takes about a minute. @throws Broken
   */
  async standstill(): Promise<void> {
    const [hung, other] = [this.#core(0), this.#core(1)];
    const [sessionId] = this.#sessions;
    if (!sessionId) throw new Error('no session');
    await Promise.all([hung.ready, other.ready]);
    for (const { id, session, state } of this.#summaries())
      if (state === 'active') await other.ask('compression.undo', { sessionId: session, summaryId: id as never });
    const start = { sessionId, branchId: this.#stored.branchOf(sessionId), strategies: ['summarize' as const] };
    this.#server.behave({ stallAfter: 5 });
    const writing = hung.next((event) => event.type === 'attempt.changed' && event.attempt?.phase === 'writing');
    this.#stored.forgetCheckpoints();
    await hung.ask('compression.start', start);
    await this.#within(writing, 'an attempt that is to stand still does not write');
    hung.stop();
    this.#server.behave({});
    const stopped = systemClock.monotonic();
    const before = this.#summaries().length;
    while (this.#summaries().length === before) {
      must(
        systemClock.monotonic() - stopped < LEASE.ttlMs + SETTLED_MS,
        'I5 a lease that nobody renews is not taken over',
      );
      const ended = other.next((event) => event.type === 'attempt.changed' && Boolean(event.attempt?.outcome));
      await other.ask('compression.start', start);
      await this.#within(ended, 'the attempt of the other process does not end');
      await this.#wait(1_000);
    }
    must(systemClock.monotonic() - stopped >= LEASE.ttlMs, 'I4 a lease was taken from a living holder too early');
    this.#server.release();
    hung.goOn();
    await this.#settled();
    must(this.#summaries().length === before + 1, 'I3 both have committed');
  }

  /** What was summarized in earlier rounds is to be summarized again. */
  async #undoSome(): Promise<void> {
    for (const { id, session, state } of this.#summaries()) {
      if (state !== 'active' || this.#random.share() < 0.3) continue;
      await this.#heard(this.#core(0).ask('compression.undo', { sessionId: session, summaryId: id as never }));
    }
  }

  async #do(deed: Deed, which: number, sessionId: SessionId): Promise<void> {
    const core = this.#core(which);
    this.done.set(deed, (this.done.get(deed) ?? 0) + 1);
    switch (deed) {
      case 'compress': {
        const branchId = this.#stored.branchOf(sessionId);
        return this.#heard(core.ask('compression.start', { sessionId, branchId, strategies: ['summarize'] }));
      }
      case 'cancel': {
        const attempt = this.#running.get(core);
        if (!attempt) return;
        return this.#heard(core.ask('compression.cancel', { sessionId: attempt.sessionId, attemptId: attempt.id }));
      }
      case 'talk':
        return this.#talk(core, this.#accounts[which] as Account, sessionId);
      case 'die':
        await core.kill();
        return this.#startAfter(which, core);
      case 'quit':
        await core.quit();
        return this.#startAfter(which, core);
      case 'stand still':
        core.stop();
        await this.#wait(this.#random.int(50, 600));
        core.goOn();
    }
  }

  async #talk(core: CoreProcess, account: Account, sessionId: SessionId): Promise<void> {
    const id = systemIds.uuid() as MessageId;
    const branchId = this.#stored.branchOf(sessionId);
    const sent = account.send(sessionId, id, `What about message ${id}?`);
    await this.#heard(
      core.ask('messages.send', { sessionId, branchId, id, text: sent.text }).then(() => {
        sent.accepted = true;
      }),
    );
  }

  /** A refusal in the app's own words is an answer, a fault of the app is not. */
  async #heard(asked: Promise<unknown>): Promise<void> {
    try {
      await asked;
    } catch (error) {
      if (error instanceof Died) return;
      if (!(error instanceof AppError)) throw error;
      must(error.code !== 'internal', `the app failed: ${error.message}`);
      this.done.set(error.code, (this.done.get(error.code) ?? 0) + 1);
    }
  }

  /** Waits until nobody works, and checks all in the very snapshot that shows it. */
  async #settled(): Promise<void> {
    const { db } = this.#stored;
    const deadline = systemClock.monotonic() + SETTLED_MS;
    for (;;) {
      db.exec('BEGIN');
      try {
        nothingIsLeft(this.#stored, COMPRESSORS);
        this.#holds();
        return;
      } catch (error) {
        if (!(error instanceof Broken) || !error.passes || systemClock.monotonic() > deadline) throw error;
      } finally {
        db.exec('COMMIT');
      }
      await this.#wait(LOOK_MS);
    }
  }

  #holds(): void {
    fileHolds(this.#stored);
    summariesHold(this.#stored);
    for (const account of this.#accounts) {
      messagesHold(this.#stored, account);
      account.settle((sessionId) => this.#stored.ofUser(sessionId));
    }
    // of two commits of one round on one session the second stands on the first
    const last = new Map<SessionId, number>();
    for (const { id, session, parent } of this.#summaries()) {
      if (id <= this.#lastSummary) continue;
      const before = last.get(session);
      must(before === undefined || parent === before, `I3 summary ${id} stands on ${parent}, not on ${before}`);
      last.set(session, id);
    }
    this.#lastSummary = Math.max(this.#lastSummary, ...last.values());
    for (const core of this.#cores)
      must(!core.log.some((line) => /request failed|listener failed/.test(line)), core.log.join('\n'));
  }

  #summaries(): Summary[] {
    const sql = 'SELECT id, session_id AS session, parent_id AS parent, state FROM summaries ORDER BY id';
    return all<Summary>(this.#stored.db, sql);
  }

  #core(which: number): CoreProcess {
    const core = this.#cores[which];
    if (!core) throw new Error(`no process ${which}`);
    return core;
  }

  /** Two deeds may have ended the same process: one of them starts the next. */
  #startAfter(which: number, ended: CoreProcess): void {
    if (this.#cores[which] === ended) this.#start(which);
  }
  #start(which: number): void {
    const core = new CoreProcess(this.#entries, this.#folder);
    core.onEvent = (event) => {
      if (event.type !== 'attempt.changed' || event.attempt === null || event.attempt.elsewhere) return;
      if (event.attempt.outcome === null) this.#running.set(core, event.attempt);
      else this.#running.delete(core);
    };
    this.#cores[which] = core;
  }

  /** @throws Broken where it takes longer than everything may take. */
  async #within(event: Promise<unknown>, why: string): Promise<void> {
    const late = Symbol();
    let disarm = () => {};
    const limit = new Promise((resolve) => {
      disarm = systemClock.after(SETTLED_MS, () => resolve(late));
    });
    const first = await Promise.race([event, limit]);
    disarm();
    must(first !== late, why);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => systemClock.after(ms, resolve));
  }
}
