/** Tells windows what changed, after it was stored. Every method reads the truth anew and reports it. */
import type { AppEvent } from '../../shared/ipc/events';
import type { Attempt } from '../../shared/model/compression';
import type { ContextUse } from '../../shared/model/context';
import type { BranchId, InstanceId, MessageId, ModelRef, SessionId } from '../../shared/model/ids';
import type { Notice } from '../../shared/model/notice';
import type { Provider } from '../../shared/model/provider';
import type { DraftFiles, SessionRow } from '../../shared/model/session';
import type { Settings } from '../../shared/model/settings';
import type { ToolQuestion } from '../../shared/model/tools';
import type { RecoverState } from '../compression/recover';
import { lastEndedAttempt, openAttempt } from '../db/attempts-table';
import { backoffsOf } from '../db/backoffs-table';
import { ownerOf, pathOf } from '../db/branches-table';
import type { ReadDb } from '../db/database';
import { getMessage, lastSeq, messagesBefore, type StoredMessage } from '../db/messages-table';
import { noticesStanding } from '../db/notices-table';
import { outboxOf } from '../db/outbox-table';
import { getSession, type StoredSession } from '../db/sessions-table';
import { getSummary, lastReviewed, proposalOf } from '../db/summaries-table';
import { openTurn } from '../db/turns-table';
import type { Clock } from '../lib/clock';
import type { Emitter } from '../lib/emitter';
import { modelOf } from '../providers/model-of';
import type { Models } from '../providers/registry-types';
import { DEFAULT_RATES } from '../providers/token-rates';
import type { Toolbox } from '../tools/tool';
import { estimate } from '../turns/measure';
import { shownAttachment } from './attachments';
import { noticesOf } from './notices';
import {
  activityOf,
  shownAttempt,
  shownFolds,
  shownLines,
  shownMessages,
  shownOutbox,
  shownPins,
  shownProposal,
  shownSession,
  shownTurn,
} from './shown';

/** Messages among which the user's last one is looked for: an answer with its tool results is shorter. */
const RECENT = 50;

export interface PublisherEnv {
  readonly db: ReadDb;
  readonly clock: Clock;
  readonly me: InstanceId;
  readonly events: Emitter<AppEvent>;
  readonly models: Models;
  readonly toolbox: Toolbox;
  provider(ref: ModelRef): Provider | null;
  settings(): Settings;
  /** Paths of the session that windows show. */
  shownBranches(sessionId: SessionId): readonly BranchId[];
  /** Names of files that are being read for the draft. */
  filesReading(sessionId: SessionId): readonly string[];
  /** A call of the session that waits for the user here. */
  toolQuestion(sessionId: SessionId): ToolQuestion | null;
  /** The attempt that this instance runs on the session, as its card shows it. */
  runningAttempt(sessionId: SessionId): Attempt | null;
  /** What came of the user's Recover of the session so far. */
  recover(sessionId: SessionId): RecoverState | null;
}

export class Publisher {
  readonly #env: PublisherEnv;
  /** How far the end of a path was told when another process had written, and the answer that grew then. */
  readonly #told = new Map<BranchId, { readonly seq: number; readonly growing: MessageId | null }>();

  constructor(env: PublisherEnv) {
    this.#env = env;
  }

  row(sessionId: SessionId): SessionRow | null {
    const session = getSession(this.#env.db, sessionId);
    return session && shownSession(session, activityOf(this.#env.db, sessionId, this.#env.runningAttempt(sessionId)));
  }
  session(sessionId: SessionId): void {
    const session = this.row(sessionId);
    if (session) this.#env.events.emit({ type: 'session.changed', session });
  }
  sessionSettings(sessionId: SessionId): void {
    const session = getSession(this.#env.db, sessionId);
    if (!session) return;
    const { automatic, review, keepTurns } = session;
    this.#env.events.emit({ type: 'session.settings', sessionId, automatic, review, keepTurns });
    this.context(sessionId);
  }

  message(sessionId: SessionId, id: MessageId, what: 'added' | 'changed' | 'removed'): void {
    const { db, events } = this.#env;
    if (what === 'removed') {
      events.emit({ type: 'message.removed', sessionId, messageId: id });
      return;
    }
    const row = getMessage(db, id);
    const branchId = row && this.#pathOfTurn(sessionId, row);
    const message = branchId && shownMessages(db, sessionId, branchId, [row])[0];
    if (!message) return;
    if (what === 'added') events.emit({ type: 'message.added', sessionId, message });
    else events.emit({ type: 'message.changed', sessionId, branchId, message });
    if (what === 'added' && message.role === 'user') this.draftFiles(sessionId); // its files left the draft
    // the card of an attempt that ended stays until the next message of the user
    if (what === 'added' && message.role === 'user' && !this.#env.runningAttempt(sessionId))
      events.emit({ type: 'attempt.changed', sessionId, attempt: null });
    if (message.status !== 'streaming') this.context(sessionId);
  }
  /** The path of the turn that runs, where the message lies on it: its question may be shared with other paths. */
  #pathOfTurn(sessionId: SessionId, { branchId, seq }: StoredMessage): BranchId {
    const turn = openTurn(this.#env.db, sessionId);
    const shares = turn !== null && ownerOf(pathOf(this.#env.db, turn.branchId), seq) === branchId;
    return shares ? turn.branchId : branchId;
  }
  delta(sessionId: SessionId, messageId: MessageId, at: number, text: string): void {
    this.#env.events.emit({ type: 'message.delta', sessionId, messageId, at, text });
  }

  turn(sessionId: SessionId): void {
    const { db, me, events } = this.#env;
    const turn = shownTurn(db, sessionId, me);
    if (turn) events.emit({ type: 'turn.changed', sessionId, turn });
    // the card of another window's attempt says whether a message here waits for it
    const open = openAttempt(db, sessionId);
    if (open && open.instanceId !== me)
      events.emit({ type: 'attempt.changed', sessionId, attempt: shownAttempt(open, me, turn) });
    this.notices(sessionId);
    this.session(sessionId);
    if (turn?.endedAt) this.context(sessionId); // what moved while the request was in flight was not told
  }

  /** A call waits for the user, or no longer does: its line and the session's row say so. */
  toolQuestion(sessionId: SessionId): void {
    const question = this.#env.toolQuestion(sessionId);
    this.#env.events.emit({ type: 'tool.asks', sessionId, question });
    this.session(sessionId);
  }
  toolQuestionOf(sessionId: SessionId): ToolQuestion | null {
    return this.#env.toolQuestion(sessionId);
  }

  /** The running attempt, another window's, or the one that ended since the last message. */
  attemptOf(sessionId: SessionId): Attempt | null {
    const { db, me } = this.#env;
    const running = this.#env.runningAttempt(sessionId);
    if (running) return running;
    const open = openAttempt(db, sessionId);
    if (open) return shownAttempt(open, me, shownTurn(db, sessionId, me));
    const last = lastEndedAttempt(db, sessionId);
    const session = getSession(db, sessionId);
    if (!last?.endedAt || !session) return null;
    const recent = messagesBefore(db, session.lastBranch, lastSeq(db, session.lastBranch) + 1, RECENT);
    const asked = recent.find((message) => message.role === 'user')?.createdAt ?? 0;
    if (last.endedAt < asked) return null;
    const { outcome } = last;
    const stored = outcome?.kind === 'committed' || outcome?.kind === 'proposed';
    const summary = stored ? getSummary(db, outcome.summaryId) : null;
    const tokens = summary && { tokensBefore: summary.tokensBefore, tokensAfter: summary.tokensAfter };
    return { ...shownAttempt(last, me, null), ...tokens };
  }
  attempt(attempt: Attempt): void {
    this.#env.events.emit({ type: 'attempt.changed', sessionId: attempt.sessionId, attempt });
    this.session(attempt.sessionId);
  }

  /** One summary may show on several paths: each that a window shows is told. */
  summaries(sessionId: SessionId): void {
    for (const branchId of this.#branches(sessionId)) {
      const summaries = shownFolds(this.#env.db, sessionId, branchId);
      const stubs = shownLines(this.#env.db, branchId);
      this.#env.events.emit({ type: 'summaries.changed', sessionId, branchId, summaries });
      this.#env.events.emit({ type: 'stubs.changed', sessionId, branchId, stubs });
    }
    this.context(sessionId);
  }

  /** What waits for a review, on each shown path that it applies to. */
  proposal(sessionId: SessionId): void {
    const { db, events } = this.#env;
    for (const branchId of this.#branches(sessionId))
      events.emit({
        type: 'proposal.changed',
        sessionId,
        branchId,
        proposal: shownProposal(db, sessionId, branchId),
      });
    this.notices(sessionId);
  }

  /** The path that the session remembers, and those that windows show. */
  #branches(sessionId: SessionId): Set<BranchId> {
    const session = getSession(this.#env.db, sessionId);
    return new Set([...(session ? [session.lastBranch] : []), ...this.#env.shownBranches(sessionId)]);
  }

  pins(sessionId: SessionId): void {
    for (const branchId of this.#branches(sessionId)) {
      const pins = shownPins(this.#env.db, branchId);
      this.#env.events.emit({ type: 'pins.changed', sessionId, branchId, pins });
    }
    this.measured(sessionId);
  }

  /** The files of the draft, priced by the model that the session has now. */
  draftFiles(sessionId: SessionId): void {
    this.#env.events.emit({ type: 'draft.files', sessionId, draftFiles: this.draftFilesOf(sessionId) });
  }
  draftFilesOf(sessionId: SessionId): DraftFiles {
    const session = getSession(this.#env.db, sessionId);
    const rates = modelOf(this.#env.models, session)?.rates ?? DEFAULT_RATES;
    const files = session?.draftFiles.map((file) => shownAttachment(file, rates)) ?? [];
    return { files, reading: this.#env.filesReading(sessionId) };
  }

  outbox(sessionId: SessionId): void {
    this.#env.events.emit({ type: 'outbox.changed', sessionId, outbox: shownOutbox(this.#env.db, sessionId) });
    this.draftFiles(sessionId);
    this.notices(sessionId);
  }

  notices(sessionId: SessionId): void {
    this.#env.events.emit({ type: 'notices.changed', sessionId, notices: this.noticesOf(sessionId) });
  }

  /** @param shown the path that is about to be shown; else the one that the session remembers. */
  noticesOf(sessionId: SessionId, shown?: BranchId): Notice[] {
    const { db, clock, me } = this.#env;
    const session = getSession(db, sessionId);
    if (!session) return [];
    const path = shown ?? session.lastBranch;
    const ref = session.model ?? this.#env.models.defaultModel();
    const [last] = messagesBefore(db, path, lastSeq(db, path) + 1, 1);
    return noticesOf({
      session,
      path,
      turn: shownTurn(db, sessionId, me),
      endsWithAnswer: last?.role === 'assistant',
      outbox: outboxOf(db, sessionId).length,
      backoffs: backoffsOf(db, sessionId),
      recover: this.#env.recover(sessionId),
      proposal: proposalOf(db, sessionId)?.receipt?.plannedOn?.branchId ?? null,
      accepted: lastReviewed(db, sessionId) === 'active',
      stored: noticesStanding(db, sessionId),
      now: clock.wall(),
      automaticEverywhere: this.#env.settings().automaticCompression,
      provider: ref && this.#env.provider(ref),
      use: this.contextOf(session, path),
    });
  }

  context(sessionId: SessionId): void {
    const session = getSession(this.#env.db, sessionId);
    if (!session) return;
    for (const branchId of this.#branches(sessionId)) {
      const context = this.contextOf(session, branchId);
      this.#env.events.emit({ type: 'context.changed', sessionId, branchId, context });
    }
  }
  /** The size of the next request, and what is to be read because of it. */
  measured(sessionId: SessionId): void {
    this.context(sessionId);
    this.notices(sessionId);
  }
  /** The same, by what lies outside the session. What a request in flight was counted as stands until its end. */
  measuredAnew(sessionId: SessionId): void {
    const turn = openTurn(this.#env.db, sessionId);
    if (turn === null || turn.state === 'deferred') this.context(sessionId);
    this.notices(sessionId);
  }
  /** What the next request would send, by estimate. null = there is no model. */
  contextOf(session: StoredSession, branch: BranchId): ContextUse | null {
    const { db, models, toolbox } = this.#env;
    const facts = modelOf(models, session);
    return facts && estimate(db, session.id, branch, facts, toolbox, openTurn(db, session.id) !== null).use;
  }

  /** What another process wrote at the ends of the shown paths since it was last looked for. */
  #written(sessionId: SessionId): void {
    const { db, me, events } = this.#env;
    const own = openTurn(db, sessionId)?.instanceId === me; // what grows here is told piece by piece
    for (const branchId of this.#branches(sessionId)) {
      const told = this.#told.get(branchId);
      const seq = lastSeq(db, branchId);
      const gone = told?.growing && !getMessage(db, told.growing) ? told.growing : null;
      if (gone) this.message(sessionId, gone, 'removed');
      const last = told && (gone ? told.seq - 1 : told.seq); // in its place another may stand
      const rows = messagesBefore(db, branchId, seq + 1, RECENT)
        .filter((row) => last === undefined || row.seq > last || row.id === told?.growing)
        .reverse();
      const news = rows.filter((row) => !own || row.status !== 'streaming');
      for (const message of shownMessages(db, sessionId, branchId, news)) {
        events.emit({ type: 'message.added', sessionId, message });
        if (message.status !== 'streaming') events.emit({ type: 'message.changed', sessionId, branchId, message });
      }
      this.#told.set(branchId, { seq, growing: rows.find((row) => row.status === 'streaming')?.id ?? null });
    }
  }

  /** Everything of a session: another window changed it. */
  all(sessionId: SessionId): void {
    const session = getSession(this.#env.db, sessionId);
    if (!session) {
      this.#env.events.emit({ type: 'session.removed', sessionId });
      return;
    }
    this.#written(sessionId);
    this.turn(sessionId);
    this.outbox(sessionId);
    this.summaries(sessionId);
    this.proposal(sessionId);
    this.pins(sessionId);
    this.toolQuestion(sessionId);
    this.#env.events.emit({ type: 'attempt.changed', sessionId, attempt: this.attemptOf(sessionId) });
  }
}
