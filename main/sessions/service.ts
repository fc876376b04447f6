/** Verbs on sessions: each writes, then publishes. */
import { AppError } from '../../shared/errors';
import type { AppSnapshot, SessionPage } from '../../shared/ipc/contract';
import type { AppEvent } from '../../shared/ipc/events';
import type { BranchId, InstanceId, MessageId, ModelRef, SessionId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import type { SessionRow, SessionView } from '../../shared/model/session';
import { setAutomatic } from '../compression/breaker-store';
import { clearBackoffs } from '../db/backoffs-table';
import { getBranch } from '../db/branches-table';
import { emptySession } from '../db/empty-bin';
import { getMessage, lastSeq, messagesBefore, messagesBetween } from '../db/messages-table';
import {
  changeSession,
  getSession,
  insertSession,
  listSessions,
  type StoredSession,
  sessionsBinnedBefore,
} from '../db/sessions-table';
import { fullResult } from '../db/tool-results';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import type { Emitter } from '../lib/emitter';
import type { Ids } from '../lib/ids';
import type { Publisher } from './publisher';
import {
  activityOf,
  shownFolds,
  shownLines,
  shownMessages,
  shownOutbox,
  shownPins,
  shownProposal,
  shownSession,
  shownTurn,
} from './shown';

/** Messages a window gets when it opens a session: a screen and what lies just above it. */
const FIRST_PAGE = 60;
/** Messages one page may have. */
const PAGE_MAX = 200;
const BIN_DAYS = 30;

export interface SessionsEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly me: InstanceId;
  readonly events: Emitter<AppEvent>;
  readonly publisher: Publisher;
  defaultModel(): ModelRef | null;
  /** Sessions went for good: their files go, unless another one names them. */
  swept(): Promise<void>;
}

export class Sessions {
  readonly #env: SessionsEnv;

  constructor(env: SessionsEnv) {
    this.#env = env;
  }

  /** @throws AppError `not-found`. */
  get(id: SessionId): StoredSession {
    const session = getSession(this.#env.seam.db, id);
    if (!session) throw new AppError('not-found', { what: 'session' });
    return session;
  }

  list(page: { before: number | null; limit: number; bin: boolean }): SessionPage {
    const { db } = this.#env.seam;
    const sessions = listSessions(db, page);
    const rows = sessions.map((session): SessionRow => shownSession(session, activityOf(db, session.id, null)));
    const last = sessions.findLast((session) => page.bin || session.pinnedAt === null);
    return { rows, next: sessions.length >= page.limit && last ? last.updatedAt : null };
  }

  async create(model: ModelRef | null): Promise<SessionView> {
    const { seam, clock, ids } = this.#env;
    const id = ids.uuid() as SessionId;
    const session = { id, title: '', model: model ?? this.#env.defaultModel(), now: clock.wall() };
    await seam.write(id, (tx) => insertSession(tx, session));
    this.#env.publisher.session(id);
    return this.open(id, null);
  }

  /** Everything a window shows of it. The branch that was opened is remembered. */
  open(id: SessionId, branch: BranchId | null): SessionView {
    const { seam, publisher, me } = this.#env;
    const { db } = seam;
    const session = this.get(id);
    const branchId = branch !== null && getBranch(db, branch)?.sessionId === id ? branch : session.lastBranch;
    if (branchId !== session.lastBranch)
      seam.write(id, (tx) => changeSession(tx, id, { lastBranch: branchId })).catch(() => {});
    const last = lastSeq(db, branchId);
    const rows = messagesBefore(db, branchId, last + 1, FIRST_PAGE).reverse();
    return {
      session: publisher.row(id) ?? shownSession(session, { kind: 'idle' }),
      branchId,
      messages: shownMessages(db, id, branchId, rows),
      lastSeq: last,
      summaries: shownFolds(db, id, branchId),
      proposal: shownProposal(db, id, branchId),
      pins: shownPins(db, branchId),
      stubs: shownLines(db, branchId),
      turn: shownTurn(db, id, me),
      toolQuestion: publisher.toolQuestionOf(id),
      attempt: publisher.attemptOf(id),
      outbox: shownOutbox(db, id),
      draft: session.draft,
      draftFiles: publisher.draftFilesOf(id),
      notices: publisher.noticesOf(id, branchId),
      context: publisher.contextOf(session, branchId),
      automatic: session.automatic,
      review: session.review,
      keepTurns: session.keepTurns,
    };
  }

  page(branchId: BranchId, from: number, to: number): Message[] {
    const { db } = this.#env.seam;
    const branch = getBranch(db, branchId);
    if (!branch) throw new AppError('not-found', { what: 'branch' });
    const rows = messagesBetween(db, branchId, from, Math.min(to, from + PAGE_MAX - 1));
    return shownMessages(db, branch.sessionId, branchId, rows);
  }

  /** @throws AppError `not-found`. */
  fullResult(sessionId: SessionId, id: MessageId): string {
    const { db } = this.#env.seam;
    const message = getMessage(db, id);
    const text = message && this.ownsBranch(sessionId, message.branchId) ? fullResult(db, id) : null;
    if (text === null) throw new AppError('not-found', { what: 'message' });
    return text;
  }

  async rename(id: SessionId, title: string): Promise<void> {
    await this.#change(id, { title: title.trim(), titleAuthor: 'user' });
  }
  async pin(id: SessionId, pinned: boolean): Promise<void> {
    await this.#change(id, { pinnedAt: pinned ? this.#env.clock.wall() : null });
  }
  /** An empty chat is taken for a new one: it has the model that a new one takes, unless something was begun in it. */
  async renew(id: SessionId): Promise<void> {
    const { draft, draftFiles } = this.get(id);
    const model = this.#env.defaultModel();
    if (draft === '' && draftFiles.length === 0 && model) await this.chooseModel(id, model);
  }
  async chooseModel(id: SessionId, model: ModelRef): Promise<void> {
    const { seam, publisher } = this.#env;
    this.get(id);
    await seam.write(id, (tx) => {
      changeSession(tx, id, { model });
      clearBackoffs(tx, id); // they were another model's
    });
    publisher.session(id);
    publisher.measured(id);
    publisher.draftFiles(id); // each model has its price
  }
  async setAutomatic(id: SessionId, automatic: 'on' | 'off'): Promise<void> {
    this.get(id);
    await this.#env.seam.write(id, (tx) => setAutomatic(tx, id, automatic));
    this.#env.publisher.sessionSettings(id);
    this.#env.publisher.notices(id);
  }
  async setKeepTurns(id: SessionId, keepTurns: number): Promise<void> {
    await this.#change(id, { keepTurns });
    this.#env.publisher.sessionSettings(id);
  }
  async setReview(id: SessionId, review: boolean): Promise<void> {
    await this.#change(id, { review });
    this.#env.publisher.sessionSettings(id);
  }
  async saveDraft(id: SessionId, draft: string): Promise<void> {
    this.get(id);
    await this.#env.seam.write(id, (tx) => changeSession(tx, id, { draft }));
  }

  /** Into the bin for 30 days; its row says so to every window. */
  async bin(id: SessionId): Promise<void> {
    await this.#change(id, { deletedAt: this.#env.clock.wall() });
  }
  async restore(id: SessionId): Promise<void> {
    await this.#change(id, { deletedAt: null });
  }
  /** Takes everything in the bin away for good; `olderThanDays` 0 = all of it. */
  async emptyBin(olderThanDays = 0): Promise<void> {
    const { seam, clock, events } = this.#env;
    const time = clock.wall() - olderThanDays * 86_400_000;
    const gone = sessionsBinnedBefore(seam.db, time);
    for (const id of gone) {
      await emptySession(seam, clock, id);
      events.emit({ type: 'session.removed', sessionId: id });
    }
    if (gone.length > 0) await this.#env.swept();
  }
  /** What lay in the bin for 30 days goes. */
  purgeBin(): Promise<void> {
    return this.emptyBin(BIN_DAYS);
  }

  /** Branches of a session, for checks of what the renderer names. */
  ownsBranch(id: SessionId, branch: BranchId): boolean {
    return getBranch(this.#env.seam.db, branch)?.sessionId === id;
  }

  async #change(id: SessionId, changes: Parameters<typeof changeSession>[2]): Promise<void> {
    this.get(id);
    await this.#env.seam.write(id, (tx) => changeSession(tx, id, changes));
    this.#env.publisher.session(id);
  }

  snapshotPage(): AppSnapshot['sessions'] {
    return this.list({ before: null, limit: 100, bin: false });
  }
}
