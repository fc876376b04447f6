import type { Receipt, SummarySection } from '../../../shared/model/compression';
import type { SummaryId } from '../../../shared/model/ids';
import { AnchorBook } from '../../compression/anchors';
import { placeAnchors } from '../../compression/carriers';
import { Picker } from '../../compression/extract';
import { Corrections } from '../../compression/newer-wins';
import { type ReadMessage, readMessage } from '../../compression/read-message';
import { restoreAnchors } from '../../compression/receipt';
import { joinSections, parseSections, renderSections } from '../../compression/sections';
import { SourceFinder } from '../../compression/sources';
import { stripForSummary } from '../../compression/strip';
import { type Candidate, type Covered, type Verdict, verify } from '../../compression/verify';
import type { TokenRates } from '../../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../../providers/token-estimate';
import type { ReadDb } from '../database';
import { PathReader } from '../path-reader';
import { getSummary } from '../summaries-table';
import { counter } from './counter';
import { type RangeJob, readRange, type Steps } from './read-range';

/** What both jobs are told. */
export interface ExtractJob extends RangeJob {
  /** Summaries that stand in the range now: what they say needs no other source. */
  readonly bases: readonly SummaryId[];
  /** Tokens that the summary may have; half of them are for anchors. */
  readonly budget: number;
  readonly aboveTarget: boolean;
  readonly rates: TokenRates;
}
export interface CheckJob extends ExtractJob {
  /** A model's answer. */
  readonly candidate: { readonly text: string; readonly finish: 'stop' | 'length' };
  /** Last message that the model had before it: more than it covers, where the whole chat was read. */
  readonly readTo: number;
}
export type CheckAnswer =
  | Extract<Verdict, { ok: false }>
  | {
      readonly ok: true;
      readonly text: string;
      readonly sections: readonly SummarySection[];
      readonly receipt: Receipt;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    };

/** Anchors that are looked at again in their messages: many times what any budget holds. */
const LOOKED_AT = 600;

/** A summary without a model, checked like any other: the originals are read once. */
export function* extract(db: ReadDb, job: ExtractJob): Steps<CheckAnswer> {
  const bases = basesOf(db, job);
  const picker = new Picker(job);
  const reading = new Reading(db, job);
  yield* reading.read((message) => picker.add(message));
  const count = counter(job.rates);
  // what an extract covers is read again; the lines of a model, a person or an import go first
  const built = joinSections(bases.filter((base) => base.author !== 'extract').map((base) => base.sections));
  const sections = picker.sections(Math.floor(job.budget / 2), count, reading.corrections, built);
  const text = renderSections(sections);
  // its lines come from the originals: nothing can be invented, nor an echo
  return reading.checked(
    { text, sections, finish: 'stop', tokens: count(text) },
    { lastReplies: [], holds: () => true },
  );
}

/** Whether a model's answer may become the summary of the range, with its lines linked and its lost anchors put back. */
export function* check(db: ReadDb, job: CheckJob): Steps<CheckAnswer> {
  const bases = basesOf(db, job);
  const text = stripForSummary(job.candidate.text, 'model');
  const finder = new SourceFinder(parseSections(text));
  const reading = new Reading(db, job);
  yield* reading.read((message, original) => finder.add(message, original));
  const missing = finder.missing;
  if (missing.length > 0) {
    for (const base of bases) finder.searchIn(base.text, missing);
    const read = { ...job, to: Math.max(job.to, job.readTo) };
    yield* readRange(reading.path, read, (message) => finder.searchIn(message.text, missing));
  }
  const lastReplies = [job.to, Number.MAX_SAFE_INTEGER].flatMap((to) => reading.path.lastAnswer(to) ?? []);
  return reading.checked(
    { text, sections: finder.linked(job), finish: job.candidate.finish, tokens: counter(job.rates)(text) },
    { lastReplies, holds: finder.holds },
  );
}

const basesOf = (db: ReadDb, job: ExtractJob) => job.bases.flatMap((id) => getSummary(db, id) ?? []);

/** One reading of a range: its size, its anchors, and what the caller looks for besides. */
class Reading {
  readonly path: PathReader;
  readonly #job: ExtractJob;
  readonly #book: AnchorBook;
  #tokens = 0;

  constructor(db: ReadDb, job: ExtractJob) {
    this.path = new PathReader(db, job.branch);
    this.#job = job;
    this.#book = new AnchorBook(job);
  }

  *read(visit: (message: ReadMessage, original: string) => void): Steps<void> {
    yield* readRange(this.path, this.#job, (row) => {
      this.#tokens += tokensOf(row, this.#job.rates) + MESSAGE_OVERHEAD;
      const message = readMessage(row);
      this.#book.add(message);
      visit(message, row.text);
    });
  }

  /** What the user corrected in the range. */
  get corrections(): Corrections {
    return new Corrections(this.#book.corrections());
  }

  checked(candidate: Candidate, covered: Omit<Covered, 'tokens'>): CheckAnswer {
    const { budget, aboveTarget, rates } = this.#job;
    const count = counter(rates);
    const verdict = verify(candidate, { ...covered, tokens: this.#tokens });
    if (!verdict.ok) return verdict;
    const anchors = placeAnchors(this.#book.ranked(LOOKED_AT), (seq) => this.path.at(seq), this.corrections);
    const size = count(renderSections(verdict.sections));
    // half of the budget, and what the summary itself leaves of the other half
    const listBudget = Math.max(Math.floor(budget / 2), budget - size);
    const { sections, receipt } = restoreAnchors(verdict.sections, anchors, {
      listBudget,
      budget: Math.max(budget, size + listBudget),
      struckLines: verdict.struckLines,
      aboveTarget,
      count,
    });
    const text = renderSections(sections);
    return {
      ok: true,
      text,
      sections,
      receipt,
      tokensBefore: this.#tokens,
      tokensAfter: count(text) + MESSAGE_OVERHEAD,
    };
  }
}
