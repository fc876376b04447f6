import { createHash } from 'node:crypto';
import type { SummaryId } from '../../../shared/model/ids';
import { type Chunk, ChunkCutter, type ChunkPlace, chunkText, type Source } from '../../compression/chunks';
import { coarseRates } from '../../compression/policy';
import type { SourceMessage } from '../../compression/read-message';
import { coveringSummary } from '../../compression/view';
import type { TokenRates } from '../../providers/registry-types';
import type { ReadDb } from '../database';
import { PathReader } from '../path-reader';
import { getSummary, type StoredSummary, type Stub, stubsOnPath } from '../summaries-table';
import { counter } from './counter';
import { type RangeJob, readRange, type Steps } from './read-range';

/** What decides where the cuts lie: the same in each job on one range. */
export interface ChunkCut {
  /** Summaries that are read in the place of what they cover. */
  readonly readAsText: readonly SummaryId[];
  /** Lines that are read in the place of bulky messages, besides those that stand already. */
  readonly stubs: readonly Stub[];
  /** Tokens of one chunk. */
  readonly limit: number;
  readonly rates: TokenRates;
}
export interface ChunksJob extends RangeJob, ChunkCut {}
/** A chunk without its text: a long range has thousands, and they must not cross threads all at once. */
export interface PlacedChunk extends ChunkPlace {
  readonly tokens: number;
  /** sha256 of its text, by which its checkpoint is found. */
  readonly hash: Uint8Array;
}

/** Where the chunks of a range lie. */
export function* chunks(db: ReadDb, job: ChunksJob): Steps<PlacedChunk[]> {
  const count = counter(job.rates);
  const cutter = new ChunkCutter(job.limit, counter(coarseRates(job.rates)));
  const placed: PlacedChunk[] = [];
  const place = ({ from, to, piece, text }: Chunk) =>
    placed.push({ from, to, piece, tokens: count(text), hash: createHash('sha256').update(text).digest() });
  const sources = new Sources(summariesOf(db, job), stubsOf(db, job), (source) => cutter.add(source).forEach(place));
  yield* readRange(new PathReader(db, job.branch), job, (message) => sources.add(message));
  cutter.end().forEach(place);
  return placed;
}

export interface ChunkTextJob extends ChunkCut {
  readonly branch: ChunksJob['branch'];
  readonly place: ChunkPlace;
}
/** The text of one chunk, when it is asked for. */
export function chunkTextAt(db: ReadDb, job: ChunkTextJob): string {
  const { from, to } = job.place.piece ?? job.place;
  const found: Source[] = [];
  const sources = new Sources(summariesOf(db, job), stubsOf(db, job), (source) => found.push(source));
  for (const page of new PathReader(db, job.branch).pages(from, to)) for (const row of page) sources.add(row);
  return chunkText(job.place, found, job.limit, counter(coarseRates(job.rates)));
}

const summariesOf = (db: ReadDb, job: ChunkCut) => job.readAsText.flatMap((id) => getSummary(db, id) ?? []);
const stubsOf = (db: ReadDb, job: ChunkCut & Pick<RangeJob, 'branch'>) =>
  new Map<number, Stub>([...stubsOnPath(db, job.branch), ...job.stubs.map((stub) => [stub.seq, stub] as const)]);

/** Puts each summary in the place of the messages that it covers, and each stub in the place of its own. */
class Sources {
  readonly #summaries: readonly StoredSummary[];
  readonly #stubs: ReadonlyMap<number, Stub>;
  readonly #give: (source: Source) => void;
  #last: StoredSummary | null = null;

  constructor(summaries: readonly StoredSummary[], stubs: ReadonlyMap<number, Stub>, give: (source: Source) => void) {
    this.#summaries = summaries;
    this.#stubs = stubs;
    this.#give = give;
  }

  add(message: SourceMessage): void {
    const over = coveringSummary(this.#summaries, message.seq);
    const stub = this.#stubs.get(message.seq);
    if (!over) this.#give(stub ? { ...message, text: stub.text } : message);
    else if (over !== this.#last)
      this.#give({ seq: over.coversFrom, to: over.coversTo, role: 'summary', text: over.text });
    this.#last = over;
  }
}
