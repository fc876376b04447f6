import type { AttemptOutcome, Need, Strategy } from '../../shared/model/compression';
import type { BranchId, InstanceId, MessageId, SessionId } from '../../shared/model/ids';
import type { MessageRole } from '../../shared/model/message';
import { Ahead } from '../compression/ahead';
import { aheadView, causeEnded } from '../compression/ahead-view';
import type { AttemptRun } from '../compression/attempt';
import { Coordinator, type Started } from '../compression/coordinator';
import { Leases } from '../compression/lease';
import type { Range } from '../compression/plan';
import { LEASE } from '../compression/policy';
import { Recover, type RecoverEnd } from '../compression/recover';
import { Review } from '../compression/review';
import { Compression } from '../compression/service';
import { Summaries } from '../compression/summaries';
import type { Wish } from '../compression/wish';
import { writersOf } from '../compression/writers';
import { attemptsOf } from '../db/attempts-table';
import { getBackoff } from '../db/backoffs-table';
import { all, type ReadDb, type WriteDb } from '../db/database';
import { type HeldLock, lockOwnInstance } from '../db/instance-lock';
import { insertInstance } from '../db/instances-table';
import { readLease } from '../db/leases-table';
import { insertMessage, messagesBetween } from '../db/messages-table';
import { openForReading, openForWriting } from '../db/open';
import { recoverDead, recoverIfDead } from '../db/recovery';
import { changeSession, getSession, insertSession } from '../db/sessions-table';
import { proposalOf, shownOnPath } from '../db/summaries-table';
import { localDataThread } from '../db/thread/client';
import { lastTurn } from '../db/turns-table';
import { WriteSeam } from '../db/write-seam';
import type { StreamOpener } from '../hosts/stream-handle';
import type { ModelFacts } from '../providers/registry-types';
import type { PinsEnv } from '../sessions/pins';
import { Approvals } from '../tools/approvals';
import { chatTools } from '../tools/chat-tools';
import { joined } from '../tools/joined';
import type { Tool, Toolbox } from '../tools/tool';
import { marksFor } from '../turns/measure';
import { TurnRunner } from '../turns/runner';
import { FixedModels, TEST_MODEL } from './fixed-models';
import { GOOD_SUMMARY } from './good-summary';
import { ManualClock } from './manual-clock';
import type { TempProfile } from './profile';
import { SimulatedHost } from './simulated-host';

export { GOOD_SUMMARY };

let serial = 0;
const uuid = () => `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}`;

/**
 * The product's own engine on a real file database: coordinator, leases, fence, turns. Only the clock, the models and
 * the processes that run them are in the test's hands. One Engine is one app process on a profile.
 */
export class Engine {
  readonly clock: ManualClock;
  readonly host: SimulatedHost;
  readonly models = new FixedModels();
  readonly me = uuid() as InstanceId;
  readonly log: string[] = [];
  readonly ended: AttemptOutcome[] = [];
  /** Called with each outcome in the step in which it is told. */
  onEnded: (outcome: AttemptOutcome) => void = () => {};
  readonly published: string[] = [];
  /** Called in the step in which a window is told of a message. */
  onMessage: (id: MessageId, what: 'added' | 'changed' | 'removed') => void = () => {};
  /** Called in the step in which a window is told that a request was counted. */
  onCounted: (sessionId: SessionId) => void = () => {};
  readonly db: WriteDb;
  readonly seam: WriteSeam;
  readonly leases: Leases;
  readonly coordinator: Coordinator;
  readonly turns: TurnRunner;
  readonly ahead: Ahead;
  onPower = true;
  readonly pins: PinsEnv;
  readonly summaries: Summaries;
  readonly review: Review;
  readonly compression: Compression;
  readonly recover: Recover;
  /** How each Recover ended. */
  readonly recovered: RecoverEnd[] = [];
  /** Tools of this test beside the app's own; offered to every request. */
  tools: readonly Tool[] = [];
  readonly toolbox: Toolbox;
  readonly approvals: Approvals;
  automatic: 'on' | 'off' | 'breaker' = 'on';
  extractAllowed = true;
  secondModel: ModelFacts | null = null;
  readonly #profile: TempProfile;
  readonly #reader: ReadDb;
  readonly #lock: HeldLock;
  #closed = false;
  #successor: Engine | null = null;

  constructor(
    profile: TempProfile,
    clock = new ManualClock(),
    makeSeam = (db: WriteDb): WriteSeam => new WriteSeam(db, clock),
    slots = 2,
    streams: StreamOpener | null = null,
  ) {
    this.#profile = profile;
    this.host = new SimulatedHost(slots);
    this.clock = clock;
    this.db = openForWriting(profile.database);
    this.seam = makeSeam(this.db);
    this.#reader = openForReading(profile.database);
    this.#lock = lockOwnInstance(profile.locks, this.me);
    const row = { id: this.me, pid: process.pid, bootId: '', version: 'test', startedAt: clock.wall() };
    this.seam.tryWrite((tx) => insertInstance(tx, row));
    recoverDead(this.seam, profile.locks, this.me, clock.wall());
    this.toolbox = joined([
      chatTools(localDataThread(this.#reader)),
      { needed: () => this.published.push('tools needed'), toolsFor: () => this.tools },
    ]);
    this.approvals = new Approvals({
      seam: this.seam,
      clock,
      changed: () => this.published.push('tool question'),
      granted: () => {},
      failed: (error) => this.log.push(String(error)),
    });
    this.leases = new Leases({
      seam: this.seam,
      clock,
      me: this.me,
      times: LEASE,
      recoverIfDead: (id) => recoverIfDead(this.seam, profile.locks, id, clock.wall()) !== null,
    });
    this.coordinator = new Coordinator({
      seam: this.seam,
      clock,
      data: localDataThread(this.#reader),
      leases: this.leases,
      streams: streams ?? this.host,
      me: this.me,
      extractAllowed: () => this.extractAllowed,
      modelFree: () => this.ahead.lookAgain(),
      writers: (own) => writersOf(own, null, this.secondModel),
      changed: () => this.published.push('attempt'),
      ended: (attempt, outcome) => {
        this.ended.push(outcome);
        this.onEnded(outcome);
        this.turns.wake(attempt.spec.sessionId);
        this.ahead.ended(attempt, outcome);
      },
      log: (line) => this.log.push(line),
    });
    const automatic = (id: SessionId) =>
      this.automatic === 'on' ? (this.stored(id)?.automatic ?? 'on') : this.automatic;
    const { db, leases, coordinator, models, toolbox } = this;
    const facts = { db, leases, coordinator, models, toolbox, automatic };
    this.ahead = new Ahead({
      clock,
      view: (id) => aheadView(facts, id),
      causeEnded: (id, outcome) => causeEnded(facts, id, outcome),
      chatWants: (wish) => coordinator.chatFirst.wants(wish.model),
      onPower: () => this.onPower,
      start: (wish) => coordinator.start(wish),
      log: (line) => this.log.push(line),
    });
    this.review = new Review({
      seam: this.seam,
      clock,
      data: localDataThread(this.#reader),
      models: this.models,
      coordinator: this.coordinator,
      changed: (sessionId) => {
        this.published.push('proposal');
        this.turns.reviewed(sessionId);
      },
    });
    this.compression = new Compression({
      seam: this.seam,
      models: this.models,
      data: localDataThread(this.#reader),
      coordinator: this.coordinator,
      notices: (id) => this.turns.wake(id),
      wished: (id) => this.recover.replaced(id),
    });
    this.recover = new Recover({
      ...{ db, clock, leases, me: this.me },
      start: (wish) => this.compression.start(wish),
      changed: () => this.published.push('notices'),
      ended: (_session, end) => this.recovered.push(end),
    });
    this.summaries = new Summaries({
      seam: this.seam,
      clock,
      data: localDataThread(this.#reader),
      models: this.models,
      toolbox: this.toolbox,
      changed: (sessionId, by) => {
        this.coordinator.groundChanged(sessionId, by);
        this.published.push('summaries');
        this.turns.wake(sessionId);
      },
    });
    this.turns = new TurnRunner({
      imagePath: (hash) => `/pictures/${hash}`,
      seam: this.seam,
      clock,
      ids: { uuid },
      me: this.me,
      leases: this.leases,
      models: this.models,
      streams: streams ?? this.host,
      coordinator: this.coordinator,
      automatic,
      toolbox: this.toolbox,
      approvals: this.approvals,
      data: localDataThread(this.#reader),
      log: (line) => this.log.push(line),
      outbox: () => this.published.push('outbox'),
      takenOver: () => this.published.push('taken over'),
      session: (id) => {
        this.published.push('session');
        this.ahead.turned(id);
      },
      events: {
        turn: () => this.published.push('turn'),
        message: (_session, id, what) => {
          this.published.push(`message ${what}`);
          this.onMessage(id, what);
        },
        delta: () => {},
        context: () => {},
        counted: (sessionId) => this.onCounted(sessionId),
        toolProgress: (_session, _call, line) => this.published.push(`tool ${line}`),
        away: () => this.published.push('away'),
        cut: () => this.published.push('cut'),
        learned: (_sessionId, served) => this.published.push(`learned ${served}`),
      },
    });
    this.pins = { seam: this.seam, clock, ids: { uuid }, changed: () => this.published.push('pins') };
  }

  /** A session with `turns` answered turns of about `chars` characters each. */
  session(turns = 0, chars = 400): { sessionId: SessionId; branchId: BranchId } {
    const sessionId = uuid() as SessionId;
    const branchId = this.write((tx) => insertSession(tx, { id: sessionId, title: 'Test', model: TEST_MODEL, now: 1 }));
    this.fill(sessionId, branchId, turns, chars);
    return { sessionId, branchId };
  }

  fill(sessionId: SessionId, branchId: BranchId, turns: number, chars = 400): void {
    this.write((tx) => {
      for (let i = 0; i < turns; i++)
        for (const role of ['user', 'assistant'] as const) {
          const words = `${role} words number ${i} `;
          const text = words.repeat(Math.ceil(chars / words.length)).trim();
          const row = { id: uuid() as MessageId, sessionId, branchId, turnId: null, now: 1 };
          insertMessage(tx, { ...row, role, text, status: 'complete' });
        }
    });
  }

  /** One message at the end of the path, as it was said. */
  say(session: { sessionId: SessionId; branchId: BranchId }, role: MessageRole, text: string): void {
    const row = { ...session, id: uuid() as MessageId, turnId: null, now: 1 };
    this.write((tx) => insertMessage(tx, { ...row, role, text, status: 'complete' }));
  }

  write<T>(fn: Parameters<WriteSeam['tryWrite']>[0] extends (tx: infer X) => unknown ? (tx: X) => T : never): T {
    const value = this.seam.tryWrite(fn);
    if (typeof value === 'symbol') throw new Error('database busy');
    return value as T;
  }

  /** Starts an attempt as the turn machine or the user's button would. */
  async compress(
    session: { sessionId: SessionId; branchId: BranchId },
    need: Need = 'must',
    chosen: readonly Strategy[] | null = null,
    range: Range | null = null,
  ): Promise<Started> {
    const model = this.models.facts();
    const marks = marksFor(this.db, session.sessionId, model);
    if (!marks) throw new Error('the window is unknown');
    const trigger = range ? 'range' : need === 'manual' ? 'button' : need === 'must' ? 'does-not-fit' : 'hard-mark';
    const wish: Wish = {
      ...session,
      need,
      trigger,
      turnId: null,
      chosen,
      range,
      accepts: null,
      model,
      marks,
      bulkyResults: false,
      fixedTokens: 0,
      bypass: false,
    };
    const started = await this.coordinator.start(wish);
    await this.settle();
    return started;
  }
  /** The same, where an attempt must have begun. */
  async attempt(
    session: { sessionId: SessionId; branchId: BranchId },
    need: Need = 'must',
    chosen: readonly Strategy[] | null = null,
    range: Range | null = null,
  ): Promise<AttemptRun> {
    const started = await this.compress(session, need, chosen, range);
    if (started.kind !== 'running') throw new Error(`not started: ${JSON.stringify(started)}`);
    return started.attempt;
  }

  send(session: { sessionId: SessionId; branchId: BranchId }, text: string, id = uuid() as MessageId) {
    return this.turns.send({ ...session, id, text });
  }

  /** Lets everything that has arrived be handled: promises, later turns of the loop. No time passes. */
  async settle(): Promise<void> {
    for (let round = 0; round < 12; round++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      this.clock.turn();
    }
  }
  /** Time passes, in steps, with everything handled in between. */
  async pass(ms: number, step = 1_000): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      this.clock.advance(Math.min(step, left));
      await this.settle();
    }
  }

  /** Answers every stream that is open with a text, until no new one opens. */
  async answerAll(text = GOOD_SUMMARY): Promise<void> {
    for (let i = 0; i < 50 && this.host.running.length > 0; i++) {
      for (const stream of this.host.running) stream.answer(text);
      await this.settle();
    }
  }

  texts(branchId: BranchId): string[] {
    return messagesBetween(this.db, branchId, 1, 1_000_000).map((message) => message.text);
  }
  shown(branchId: BranchId) {
    return shownOnPath(this.db, branchId);
  }
  proposal(sessionId: SessionId) {
    return proposalOf(this.db, sessionId);
  }
  /** What the user set: summaries wait for a word. */
  setReview(sessionId: SessionId, review: boolean): void {
    this.write((tx) => changeSession(tx, sessionId, { review }));
  }
  lease(sessionId: SessionId, kind: 'turn' | 'compression' = 'compression') {
    const row = readLease(this.db, { session: sessionId, kind });
    if (!row) throw new Error('no lease row');
    return row;
  }
  backoff(sessionId: SessionId) {
    return getBackoff(this.db, sessionId, 'summarize');
  }
  attempts(sessionId: SessionId) {
    return attemptsOf(this.db, sessionId, 100);
  }
  turn(sessionId: SessionId) {
    return lastTurn(this.db, sessionId);
  }
  stored(sessionId: SessionId) {
    return getSession(this.db, sessionId);
  }
  /** Chat requests that left, in order. */
  requests() {
    return this.host.streams.filter((stream) => stream.job.kind === 'chat');
  }

  /** The process dies: its connections close without a word, its lock goes free, its row and leases stay. */
  die(): void {
    this.#close(false);
  }
  /** A clean end: of this process, or of the one that took its place. */
  close(): void {
    if (this.#successor) this.#successor.close();
    else this.#close(true);
  }
  #close(clean: boolean): void {
    if (this.#closed) return;
    this.#closed = true;
    this.ahead.end();
    if (clean) this.write((tx) => all(tx, 'DELETE FROM instances WHERE id = :id RETURNING id', { id: this.me }));
    this.#reader.close();
    this.db.close();
    this.#lock.release(clean);
  }

  /** Opens the same profile again, as a new process would. */
  restart(): Engine {
    this.die();
    this.#successor = new Engine(this.#profile, this.clock);
    return this.#successor;
  }
}
