/** The user's hand on committed summaries: editing, undo and redo, rolling back. No message is ever touched. */
import { AppError } from '../../shared/errors';
import type { EarlierSummary, RollBackPreview } from '../../shared/model/compression';
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { branchesOf, pathsWith } from '../db/branches-table';
import type { ReadDb, WriteTx } from '../db/database';
import { getSession } from '../db/sessions-table';
import {
  activeRanges,
  changeSummaryState,
  getSummary,
  insertSummary,
  recordsOnPath,
  type StoredSummary,
} from '../db/summaries-table';
import type { DataThread } from '../db/thread/client';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import { modelOf } from '../providers/model-of';
import type { ModelFacts, Models } from '../providers/registry-types';
import { DEFAULT_RATES } from '../providers/token-rates';
import type { Toolbox } from '../tools/tool';
import { type Estimate, estimate } from '../turns/measure';
import { BY_USER, editedOrThrow } from './edited';
import { crosses, shownSummaries } from './view';

export interface SummariesEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly data: DataThread;
  readonly models: Models;
  readonly toolbox: Toolbox;
  /** The folds of the session changed, by the user's undo (or redo) or by an edit. */
  changed(sessionId: SessionId, by: 'undo' | 'edit'): void;
}

/** A summary as the window that asks shows it. */
export interface SummaryPlace {
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly summaryId: SummaryId;
}

/** Earlier summaries that the context panel lists. */
const LISTED = 50;

export class Summaries {
  readonly #env: SummariesEnv;

  constructor(env: SummariesEnv) {
    this.#env = env;
  }

  /**
   * A newer row of the same range, whose parent is the edited one: an undo brings the old text back.
   * @throws AppError `summary-empty`, `summary-too-large`, `summary-changed`: nothing was written then.
   */
  async edit(edit: SummaryPlace & { readonly text: string }): Promise<SummaryId> {
    const { seam, clock, data } = this.#env;
    const { sessionId, branchId, summaryId } = edit;
    const old = this.#own(sessionId, summaryId);
    const rates = this.#facts(sessionId)?.rates ?? DEFAULT_RATES;
    const text = editedOrThrow(await data.ask('edit', { summary: summaryId, text: edit.text, rates }));
    const id = await seam.write(
      sessionId,
      (tx) => {
        // another window may have edited it, or taken it out, while this one was typed
        if (!isShown(tx, branchId, summaryId)) throw new AppError('summary-changed');
        return insertSummary(tx, {
          ...{ ...old, ...text, ...BY_USER },
          parentId: old.id,
          state: 'active',
          now: clock.wall(),
        });
      },
      { durable: true },
    );
    this.#env.changed(sessionId, 'edit');
    return id;
  }

  /** What the summary contained shows again, on every path it applies to; a change of state, nothing else. */
  async undo(sessionId: SessionId, id: SummaryId): Promise<void> {
    this.#own(sessionId, id);
    const { seam, clock } = this.#env;
    const change = { from: 'active', to: 'undone', now: clock.wall() } as const;
    const done = await seam.write(sessionId, (tx) => changeSummaryState(tx, id, change), { durable: true });
    if (!done) throw new AppError('already-ended');
    this.#env.changed(sessionId, 'undo');
  }

  /** Undoes every summary of the path that is newer. Answers those that it undid, newest first. */
  async rollBack({ sessionId, branchId, summaryId }: SummaryPlace): Promise<SummaryId[]> {
    this.#own(sessionId, summaryId);
    const { seam, clock } = this.#env;
    const undone = await seam.write(
      sessionId,
      (tx) => {
        const newer = newerThan(tx, branchId, summaryId);
        for (const id of newer) changeSummaryState(tx, id, { from: 'active', to: 'undone', now: clock.wall() });
        return newer;
      },
      { durable: true },
    );
    if (undone.length === 0) throw new AppError('already-ended');
    this.#env.changed(sessionId, 'undo');
    return undone;
  }

  /**
   * Uses what was undone again.
   * @throws AppError `summaries-cross` where one would overlap another that is used: nothing was changed then.
   */
  async redo(sessionId: SessionId, ids: readonly SummaryId[]): Promise<void> {
    const rows = ids.map((id) => this.#own(sessionId, id));
    const { seam, clock } = this.#env;
    const done = await seam.write(
      sessionId,
      (tx) => {
        const branches = branchesOf(tx, sessionId);
        const change = { from: 'undone', to: 'active', now: clock.wall() } as const;
        let any = false;
        for (const row of rows) {
          for (const path of pathsWith(branches, row.branchId, row.coversTo))
            if (activeRanges(tx, path).some((other) => other.kind === 'text' && crosses(other, row)))
              throw new AppError('summaries-cross');
          // before the next one is looked at: it may overlap this one
          if (changeSummaryState(tx, row.id, change)) any = true;
        }
        return any;
      },
      { durable: true },
    );
    if (!done) throw new AppError('already-ended');
    this.#env.changed(sessionId, 'undo');
  }

  /** What the next request would be without that summary, or without all that are newer; nothing is changed. */
  preview({ sessionId, branchId, summaryId, how }: SummaryPlace & { how: 'undo' | 'roll-back' }): RollBackPreview {
    const { db } = this.#env.seam;
    const row = this.#own(sessionId, summaryId);
    const undoes = how === 'undo' ? [summaryId] : newerThan(db, branchId, summaryId);
    const without = new Set(undoes);
    const ranges = activeRanges(db, branchId);
    const gone = shownSummaries(ranges).filter((one) => without.has(one.id));
    const shown = shownSummaries(ranges.filter((one) => !without.has(one.id)));
    const inside = shown.filter((one) => gone.some((outer) => contains(outer, one)));
    const facts = this.#facts(sessionId);
    const now = facts && this.#estimate(sessionId, branchId, facts, new Set());
    const after = facts && this.#estimate(sessionId, branchId, facts, without);
    const paths = undoes
      .map((id) => this.#own(sessionId, id))
      .map((one) => pathsWith(branchesOf(db, sessionId), one.branchId, one.coversTo).length);
    return {
      undoes,
      whole: messagesOf(gone) - messagesOf(inside),
      older: inside.length,
      tokensNow: now?.use.total ?? null,
      tokensAfter: after?.use.total ?? null,
      usable: after?.marks?.usable ?? null,
      fits: after ? fitOf(after) : 'unknown',
      paths: Math.max(1, ...paths),
      editedByUser: how === 'undo' && row.author === 'user',
    };
  }

  /** Every summary of the path, newest first: what is used, what newer ones contain, what was undone. */
  list(branchId: BranchId): EarlierSummary[] {
    const { db } = this.#env.seam;
    const records = recordsOnPath(db, branchId);
    const shown = new Set(shownSummaries(activeRanges(db, branchId)).map((one) => one.id));
    let newer = 0;
    const listed = records.map(({ branchId: _, state, ...record }): EarlierSummary => {
      const place = state === 'undone' ? 'undone' : shown.has(record.id) ? 'shown' : 'contained';
      return { ...record, place, newer: state === 'active' ? newer++ : newer };
    });
    return listed.slice(0, LISTED);
  }

  /** @throws AppError `not-found`: a summary of another session, or none. */
  #own(sessionId: SessionId, id: SummaryId): StoredSummary {
    const row = getSummary(this.#env.seam.db, id);
    if (row?.sessionId !== sessionId) throw new AppError('not-found', { what: 'summary' });
    return row;
  }

  #facts(sessionId: SessionId): ModelFacts | null {
    return modelOf(this.#env.models, getSession(this.#env.seam.db, sessionId));
  }

  #estimate(sessionId: SessionId, branchId: BranchId, facts: ModelFacts, without: ReadonlySet<SummaryId>): Estimate {
    const { seam, toolbox } = this.#env;
    // an open turn only says what is protected from a compression, and none is asked for
    return estimate(seam.db, sessionId, branchId, facts, toolbox, false, without);
  }
}

function isShown(db: ReadDb | WriteTx, branch: BranchId, id: SummaryId): boolean {
  return shownSummaries(activeRanges(db, branch)).some((one) => one.id === id);
}

function newerThan(db: ReadDb | WriteTx, branch: BranchId, id: SummaryId): SummaryId[] {
  const newer = activeRanges(db, branch).filter((one) => one.kind === 'text' && one.id > id);
  return newer.map((one) => one.id).reverse();
}

type Covers = { readonly coversFrom: number; readonly coversTo: number };
const contains = (outer: Covers, inner: Covers) =>
  inner.coversFrom >= outer.coversFrom && inner.coversTo <= outer.coversTo;
const messagesOf = (rows: readonly Covers[]) => rows.reduce((sum, row) => sum + row.coversTo - row.coversFrom + 1, 0);

function fitOf({ use, marks }: Estimate): RollBackPreview['fits'] {
  if (marks === null) return 'unknown';
  if (use.total > marks.usable) return 'too-large';
  return use.total >= marks.hard ? 'past-hard-mark' : 'fits';
}
