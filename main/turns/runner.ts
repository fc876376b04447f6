/**
 * Turns of all sessions of this instance: sending, the outbox, stopping, going on. At most one open turn a session over
 * all processes: the `turn` lease says whose, and an instance without it only adds to the outbox.
 */
import { AppError } from '../../shared/errors';
import type { AttachmentHash } from '../../shared/model/attachment';
import type { BranchId, InstanceId, MessageId, SessionId, TurnId } from '../../shared/model/ids';
import { endsByItself } from '../../shared/model/turn';
import type { HeldLease, Leases } from '../compression/lease';
import type { KeptFile } from '../db/attachments-table';
import type { WriteTx } from '../db/database';
import { readLease } from '../db/leases-table';
import { getMessage, insertMessage } from '../db/messages-table';
import { clearNotices } from '../db/notices-table';
import { addToOutbox, firstInOutbox, isWaiting, removeFromOutbox } from '../db/outbox-table';
import { changeSession, getSession } from '../db/sessions-table';
import { lastReviewed } from '../db/summaries-table';
import { adoptTurn, changeTurn, insertTurn, openTurn, openTurnsOf } from '../db/turns-table';
import type { WriteSeam } from '../db/write-seam';
import { takeFromDraft, withFiles } from '../sessions/draft-files';
import { titleFrom } from '../sessions/title';
import { fencedWrites } from './fenced-writes';
import { QUEUED, resumed, type TurnMachine } from './machine';
import { OtherTurns } from './other-turns';
import { type TurnEnv, TurnRun } from './turn-run';
import { newestOn, questionOn, undoneQuestion } from './undone';

export interface RunnerEnv extends Omit<TurnEnv, 'seam'> {
  readonly seam: WriteSeam;
  readonly me: InstanceId;
  readonly leases: Leases;
  outbox(sessionId: SessionId): void;
  session(sessionId: SessionId): void;
  /** The turn of another instance, which stands still, was ended here: all that is shown of the session may be another. */
  takenOver(sessionId: SessionId): void;
}

interface Begun {
  readonly turnId: TurnId;
  readonly epoch: number;
}

export class TurnRunner {
  readonly #env: RunnerEnv;
  readonly #running = new Map<SessionId, TurnRun>();
  /** Ends of turns whose leases are still being let go. */
  readonly #letting = new Map<SessionId, Promise<void>>();
  /** Sessions in which something was sent while their last turn was still letting go of its lease. */
  readonly #wanted = new Set<SessionId>();
  readonly #others: OtherTurns;
  #quitting = false;

  constructor(env: RunnerEnv) {
    this.#env = env;
    this.#others = new OtherTurns({
      ...env,
      mine: (sessionId) => this.#running.get(sessionId)?.lease ?? null,
      wanted: (sessionId) => this.#wanted.has(sessionId),
      drain: (sessionId) => this.drain(sessionId),
      resume: (sessionId, turnId) => this.#resume(sessionId, turnId),
    });
  }

  all(): TurnRun[] {
    return [...this.#running.values()];
  }

  /**
   * The message is durable when this resolves: as a message with its turn, or in the outbox while the session is busy,
   * here or in another window. A repeated id is a no-op.
   */
  async send(message: {
    sessionId: SessionId;
    branchId: BranchId;
    id: MessageId;
    text: string;
    /** Files of the session's draft that go with it. */
    attachments?: readonly AttachmentHash[];
  }): Promise<'sent' | 'waiting'> {
    const { seam, clock } = this.#env;
    const { sessionId } = message;
    if (this.#quitting) throw new AppError('busy');
    this.#others.holder(sessionId);
    const begun = await seam.write(
      sessionId,
      (tx): Begun | 'waiting' | 'known' => {
        if (getMessage(tx, message.id)) return 'known';
        if (isWaiting(tx, message.id)) return 'waiting';
        // only what the composer sent was its draft: an edit or a quick chat leaves it alone
        if (getSession(tx, sessionId)?.draft.trim() === message.text.trim())
          changeSession(tx, sessionId, { draft: '' });
        const item = { ...message, files: takeFromDraft(tx, sessionId, message.attachments ?? []) };
        const waiting = firstInOutbox(tx, sessionId) !== null;
        const turn = waiting ? null : this.#beginIn(tx, item);
        if (turn) return turn;
        const { branchId, id, text, files } = item;
        addToOutbox(tx, { sessionId, branchId, id, text, files, now: clock.wall() });
        return 'waiting';
      },
      { durable: true, first: true },
    );
    if (begun === 'known') return 'sent';
    if (begun === 'waiting') {
      this.#env.outbox(sessionId);
      // somebody's own words are a click: what waits goes first, in order
      if (!openTurn(seam.db, sessionId)) {
        this.#wanted.add(sessionId);
        await this.drain(sessionId);
      }
      this.#others.follow(sessionId);
      return 'waiting';
    }
    this.#start(sessionId, message.branchId, begun);
    this.#env.events.message(sessionId, message.id, 'added');
    return 'sent';
  }

  /** Inserts message and turn and takes the lease, all in the caller's transaction. null = not now: busy, or the app ends. */
  #beginIn(
    tx: WriteTx,
    message: { sessionId: SessionId; branchId: BranchId; id: MessageId; text: string; files: readonly KeptFile[] },
  ): Begun | null {
    if (this.#quitting) return null;
    const { me, clock } = this.#env;
    const { sessionId, branchId } = message;
    if (openTurn(tx, sessionId) || readLease(tx, { session: sessionId, kind: 'turn' })?.instanceId) return null;
    const now = clock.wall();
    const session = getSession(tx, sessionId);
    if (!session || session.deletedAt !== null) throw new AppError('not-found', { what: 'session' });
    const { rid } = insertMessage(tx, {
      ...{ id: message.id, sessionId, branchId, turnId: null, now },
      ...withFiles(tx, message.text, message.files),
      role: 'user',
      status: 'complete',
    });
    if (session.title === '')
      changeSession(tx, sessionId, { title: titleFrom(message.text || (message.files[0]?.name ?? '')) });
    return this.#turnIn(tx, { sessionId, branchId, messageRid: rid, instanceId: me, now });
  }

  #turnIn(tx: WriteTx, turn: Parameters<typeof insertTurn>[1]): Begun {
    const turnId = insertTurn(tx, turn);
    const epoch = this.#env.leases.claim(tx, { session: turn.sessionId, kind: 'turn' }, turnId);
    if (epoch === null) throw new AppError('held-elsewhere'); // rolls the transaction back
    changeSession(tx, turn.sessionId, { lastBranch: turn.branchId });
    clearNotices(tx, turn.sessionId, 'answer-cut', turn.now); // it ends when the answer is continued or the next message sent
    return { turnId, epoch };
  }

  #start(sessionId: SessionId, branchId: BranchId, begun: Begun, machine = QUEUED): TurnRun {
    const lease = this.#env.leases.hold({ session: sessionId, kind: 'turn' }, begun.turnId, begun.epoch);
    const env = { ...this.#env, seam: fencedWrites(this.#env.seam, lease) };
    const run = new TurnRun(env, { id: begun.turnId, sessionId, branchId }, lease, machine);
    this.#running.set(sessionId, run);
    lease.onLost(() => run.dispatch({ in: 'stop' }));
    const letting = run.over
      .then((end) => this.#over(run, lease, end))
      .catch((error: unknown) => this.#env.log(`what waits after turn ${run.spec.id} was not sent: ${String(error)}`))
      .then(() => run.leaveModel()); // what waited in the outbox wants it by now
    this.#letting.set(sessionId, letting);
    run.dispatch({ in: 'begin' });
    this.#env.session(sessionId);
    return run;
  }

  async #over(run: TurnRun, lease: HeldLease, end: TurnMachine): Promise<void> {
    const { sessionId } = run.spec;
    await lease.release();
    if (this.#running.get(sessionId) === run) this.#running.delete(sessionId);
    this.#env.events.turn(sessionId);
    this.#env.session(sessionId);
    if (run.left) {
      this.#others.follow(sessionId);
      this.reviewed(sessionId); // it may have been before this was stored
    }
    // who releases looks into the outbox once more; after a stop or a failure what waits is the user's to send
    if (end.at === 'completed' || this.#wanted.has(sessionId)) await this.drain(sessionId);
  }

  /** Sends the first waiting message, if the session is free. The rest follows when its turn is completed. */
  async drain(sessionId: SessionId): Promise<void> {
    const { seam } = this.#env;
    if (this.#quitting) return;
    this.#others.holder(sessionId);
    const begun = await seam.write(
      sessionId,
      (tx) => {
        const item = firstInOutbox(tx, sessionId);
        const turn = item && this.#beginIn(tx, item);
        if (!turn) return null;
        removeFromOutbox(tx, sessionId, item.id);
        return { turn, item };
      },
      { durable: true, first: true },
    );
    if (!begun) return;
    this.#wanted.delete(sessionId);
    this.#start(sessionId, begun.item.branchId, begun.turn);
    this.#env.outbox(sessionId);
    this.#env.events.message(sessionId, begun.item.id, 'added');
  }

  /**
   * A new turn; what it stands on is made, or found, in the same durable transaction. Answers its branch.
   * @throws AppError `turn-running`, `held-elsewhere`: nothing was changed then.
   */
  async begin(
    sessionId: SessionId,
    place: (tx: WriteTx) => { readonly branchId: BranchId; readonly messageRid: number },
  ): Promise<BranchId> {
    const { seam, me, clock } = this.#env;
    if (this.#quitting) throw new AppError('busy');
    this.#running.get(sessionId)?.lease.look(); // one that was taken over is not waited for as one that runs
    if (!openTurn(seam.db, sessionId)) await this.#letting.get(sessionId);
    this.#others.holder(sessionId);
    const begun = await seam.write(
      sessionId,
      (tx) => {
        if (this.#quitting) throw new AppError('busy');
        if (openTurn(tx, sessionId)) throw new AppError('turn-running');
        const at = place(tx);
        return { ...at, ...this.#turnIn(tx, { ...at, sessionId, instanceId: me, now: clock.wall() }) };
      },
      { durable: true, first: true },
    );
    this.#start(sessionId, begun.branchId, begun);
    return begun.branchId;
  }

  /** What was left undone is done: a turn that waits goes on, or an answer that is due is asked for; then what waits. */
  async sendAgain(sessionId: SessionId, branchId: BranchId): Promise<void> {
    const { db } = this.#env.seam;
    this.#others.holder(sessionId); // what it ends waits for no click any more
    const turn = openTurn(db, sessionId);
    if (turn) return this.#resume(sessionId, turn.id);
    const question = undoneQuestion(db, sessionId, branchId);
    if (question) await this.begin(sessionId, () => ({ branchId, messageRid: question.rid }));
    else await this.drain(sessionId);
  }

  /** A deferred turn that runs nowhere goes on here. */
  async #resume(sessionId: SessionId, turnId: TurnId): Promise<void> {
    if (this.#quitting) throw new AppError('busy');
    const own = this.#running.get(sessionId);
    if (own?.left) {
      await this.#letting.get(sessionId);
      return this.#resume(sessionId, turnId);
    }
    if (own?.lease.state === 'held') return own.dispatch({ in: 'wake', cause: 'free' });
    const { seam, me, leases } = this.#env;
    const holder = this.#others.holder(sessionId);
    if (holder !== null && holder !== me) throw new AppError('held-elsewhere');
    const begun = await seam.write(
      sessionId,
      (tx) => {
        const turn = openTurn(tx, sessionId);
        const key = { session: sessionId, kind: 'turn' } as const;
        if (turn?.id !== turnId || readLease(tx, key)?.instanceId === me) return null; // an earlier click was first
        if (this.#quitting) throw new AppError('busy');
        if (getSession(tx, sessionId)?.deletedAt !== null) throw new AppError('not-found', { what: 'session' });
        adoptTurn(tx, turnId, me);
        const epoch = leases.claim(tx, key, turnId);
        if (epoch === null) throw new AppError('held-elsewhere');
        return { turn, turnId, epoch };
      },
      { first: true },
    );
    if (begun) this.#start(sessionId, begun.turn.branchId, begun, resumed(begun.turn));
  }

  /** Goes on with the answer at the end of the path. */
  async continueAnswer(sessionId: SessionId, branchId: BranchId): Promise<void> {
    const { db } = this.#env.seam;
    if (newestOn(db, branchId)?.role !== 'assistant') throw new AppError('not-found', { what: 'answer' });
    const question = questionOn(db, branchId);
    if (!question) throw new AppError('not-found', { what: 'message' });
    await this.begin(sessionId, () => ({ branchId, messageRid: question.rid }));
  }

  /** Stops the open turn. One that waits for a click and runs nowhere is ended where it lies. */
  async stop(sessionId: SessionId): Promise<void> {
    const run = this.#running.get(sessionId);
    if (run?.left) {
      await this.#letting.get(sessionId);
      return this.stop(sessionId);
    }
    if (run) return run.dispatch({ in: 'stop' });
    const { seam, clock, me } = this.#env;
    const turn = openTurn(seam.db, sessionId);
    if (!turn) throw new AppError('already-ended');
    const holder = this.#others.holder(sessionId);
    if (holder !== null && holder !== me) throw new AppError('held-elsewhere');
    const runs = await seam.write(sessionId, (tx) => {
      const holder = readLease(tx, { session: sessionId, kind: 'turn' })?.instanceId;
      if (holder === me) return true; // an earlier click took it
      if (holder) throw new AppError('held-elsewhere');
      changeTurn(tx, turn.id, { ...turn, state: 'stopped', reason: null, retryAt: null, endedAt: clock.wall() });
      return false;
    });
    if (runs) return this.#running.get(sessionId)?.dispatch({ in: 'stop' });
    this.#env.events.turn(sessionId);
    this.#env.session(sessionId);
  }

  sendNow(sessionId: SessionId): void {
    const run = this.#running.get(sessionId);
    if (!run) throw new AppError('already-ended');
    run.dispatch({ in: 'send-now' });
  }

  /** On the beat: turns and messages that wait for another instance's lease look at it. */
  lookAtLeases(): void {
    this.#others.look();
    for (const { sessionId } of openTurnsOf(this.#env.seam.db, this.#env.me)) this.reviewed(sessionId);
    for (const [sessionId, run] of this.#running) {
      const { reason } = run.machine;
      if (reason?.state !== 'deferred' || reason.why.kind !== 'lease-held') continue;
      if (this.#env.leases.mayTake({ session: sessionId, kind: 'compression' }))
        run.dispatch({ in: 'wake', cause: 'free' });
    }
  }

  /**
   * Another process wrote: a turn that pauses measures itself again where its path shows other summaries than it was
   * measured by, since it may fit now, or where the pause was taken back.
   */
  moved(): void {
    for (const [sessionId, run] of this.#running) {
      const { reason } = run.machine;
      if (reason?.state !== 'deferred') continue;
      const goesOn = reason.why.kind === 'backoff' && this.#env.coordinator.pausedForMs(sessionId) === 0;
      if (goesOn || run.outdated) this.wake(sessionId);
    }
  }

  /** A summary was accepted, here or in another window: the turn that waited for it goes on. A rejection is no answer. */
  reviewed(sessionId: SessionId): void {
    const { db } = this.#env.seam;
    const turn = openTurn(db, sessionId);
    if (turn?.reason?.state !== 'deferred' || turn.reason.why.kind !== 'review-pending') return;
    if (lastReviewed(db, sessionId) !== 'active') return;
    this.#resume(sessionId, turn.id).catch((error: unknown) =>
      this.#env.log(`turn ${turn.id} does not go on here: ${String(error)}`),
    );
  }

  /** After sleep, or a jump of the wall clock: a wait by the clock may be over. */
  slept(): void {
    for (const [sessionId, run] of this.#running) {
      run.lease.look();
      this.wake(sessionId, true);
    }
  }

  /**
   * What a self-ending deferral of this session waits for may have ended: it looks again. `anew` = its model or the clock is
   * another; else a server that asked to be left alone is.
   */
  wake(sessionId: SessionId, anew = false): void {
    const run = this.#running.get(sessionId);
    const reason = run?.machine.reason;
    if (reason?.state !== 'deferred' || reason.why.kind === 'lease-held' || !endsByItself(reason.why)) return;
    if (anew || reason.why.kind !== 'server-busy' || reason.why.by === 'chat')
      run?.dispatch({ in: 'wake', cause: anew ? 'anew' : 'free' });
  }

  /** Nothing starts afterwards; running answers are cut and kept as `partial`, their turns `interrupted`. */
  async quit(): Promise<void> {
    this.#quitting = true;
    const open = [...this.#running.values()];
    for (const run of open) {
      run.flushNow();
      if (run.machine.at === 'deferred') run.freeze();
      else run.interrupt();
    }
    await Promise.all(open.filter((run) => run.machine.at !== 'deferred').map((run) => run.over));
  }
}
