/** What the data thread can be asked: long reads and pure work over them. Each job is a function of a read connection. */
import type { Receipt, Strategy, SummarySection } from '../../../shared/model/compression';
import type { BranchId, SessionId, SummaryId } from '../../../shared/model/ids';
import type { SearchHit } from '../../../shared/model/session';
import { anchorsOf, chooseAnchors } from '../../compression/anchors';
import { type Chunk, chunksOf, type SourceMessage, type SourceSummary } from '../../compression/chunks';
import { extractSections } from '../../compression/extract';
import { groupsOf, type Plan, planRange, type Range, type SizedMessage } from '../../compression/plan';
import { coarseRates } from '../../compression/policy';
import { restoreAnchors } from '../../compression/receipt';
import { joinSections, parseSections, renderSections } from '../../compression/sections';
import { linkSources } from '../../compression/sources';
import { stripForSummary, stripSecrets } from '../../compression/strip';
import { type Verdict, verify } from '../../compression/verify';
import { coveringSummary } from '../../compression/view';
import { countChars } from '../../lib/char-counts';
import type { TokenRates } from '../../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../../providers/token-estimate';
import { coveredPins, entryTokens, pinTokens } from '../../turns/pin-block';
import type { ReadDb } from '../database';
import { exportMarkdown } from '../export-text';
import { lastSeq, type MessageSize, messagesBetween, sizesBetween } from '../messages-table';
import { pinsOnPath } from '../pins-table';
import { excerptOf } from '../search-excerpt';
import { searchMessages } from '../search-index';
import { getSummary, type StoredSummary, shownOnPath } from '../summaries-table';
import { openTurn } from '../turns-table';
import { edit } from './edit-job';

const sized = (size: MessageSize, rates: TokenRates): SizedMessage => ({
  seq: size.seq,
  role: size.role,
  tokens: tokensOf(size, rates) + MESSAGE_OVERHEAD,
});
const counter = (rates: TokenRates) => (text: string) => tokensOf(countChars(text), rates);
const sourceText = (messages: readonly SourceMessage[]) => messages.map((message) => message.text).join('\n');

export interface PlanJob {
  readonly sessionId: SessionId;
  readonly branch: BranchId;
  readonly usable: number;
  readonly target: number;
  readonly keepTurns: number;
  /** True where a model may read again what only an extract covers. */
  readonly readsAgain: boolean;
  /** What the user chose to cover; null = what the rules say. */
  readonly chosen: Range | null;
  readonly rates: TokenRates;
}
export interface PlanAnswer {
  readonly plan: Plan;
  /** Tokens of the covered originals. */
  readonly tokensBefore: number;
  /** Tokens that the view shows for the covered range now, less what its pins will still cost in their block. */
  readonly tokensShown: number;
  /** Tokens that the view shows in all. */
  readonly tokensInView: number;
}

function plan(db: ReadDb, job: PlanJob): PlanAnswer {
  const shown = shownOnPath(db, job.branch).map((row) => ({
    id: row.id,
    coversFrom: row.coversFrom,
    coversTo: row.coversTo,
    tokens: counter(job.rates)(row.text),
    builtUpon: row.author !== 'extract' || !job.readsAgain,
  }));
  const messages = sizesBetween(db, job.branch, 1, lastSeq(db, job.branch)).map((size) => sized(size, job.rates));
  const { usable, keepTurns, chosen } = job;
  // asked now, not when it was wished for: a question that waits stays byte for byte
  const waits = openTurn(db, job.sessionId) !== null;
  const standing = pinsOnPath(db, job.branch);
  const pins = standing.map((pin) => ({ seq: pin.seq, tokens: entryTokens(pin, job.rates) }));
  const answer = planRange({ messages, shown, pins, usable, keepTurns, openTurn: waits, chosen }, job.target);
  if (answer.kind === 'nothing') return { plan: answer, tokensBefore: 0, tokensShown: 0, tokensInView: 0 };
  const sum = (some: readonly { readonly tokens: number }[]) => some.reduce((total, one) => total + one.tokens, 0);
  const groups = groupsOf(messages, shown);
  const block = (covered: Parameters<typeof coveredPins>[1]) => pinTokens(coveredPins(standing, covered), job.rates);
  const pinsGrow = block([...shown, { coversFrom: answer.from, coversTo: answer.cutoff }]) - block(shown);
  return {
    plan: answer,
    tokensBefore: sum(messages.filter(({ seq }) => seq >= answer.from && seq <= answer.cutoff)),
    tokensShown: sum(groups.filter(({ from, to }) => from >= answer.from && to <= answer.cutoff)) - pinsGrow,
    tokensInView: sum(groups),
  };
}

export interface ChunksJob {
  readonly branch: BranchId;
  readonly from: number;
  readonly to: number;
  /** Summaries that are read in the place of what they cover. */
  readonly readAsText: readonly SummaryId[];
  readonly limit: number;
  readonly rates: TokenRates;
}
function chunks(db: ReadDb, job: ChunksJob): Chunk[] {
  const messages = withSummaries(
    messagesBetween(db, job.branch, job.from, job.to),
    job.readAsText.flatMap((id) => getSummary(db, id) ?? []),
  );
  const count = counter(job.rates);
  return chunksOf(messages, job.limit, counter(coarseRates(job.rates))).map((chunk) => ({
    ...chunk,
    tokens: count(chunk.text),
  }));
}

function withSummaries(messages: readonly SourceMessage[], summaries: readonly StoredSummary[]) {
  const sources: (SourceMessage | SourceSummary)[] = [];
  for (const message of messages) {
    const over = coveringSummary(summaries, message.seq);
    if (!over) sources.push(message);
    else if (sources.at(-1)?.seq !== over.coversFrom || sources.at(-1)?.role !== 'summary')
      sources.push({ seq: over.coversFrom, to: over.coversTo, role: 'summary', text: over.text });
  }
  return sources;
}

export interface ExtractJob {
  readonly branch: BranchId;
  readonly from: number;
  readonly to: number;
  /** Summaries in the range whose lines go first, as far as they are no extracts themselves. */
  readonly bases: readonly SummaryId[];
  readonly budget: number;
  readonly rates: TokenRates;
}
function extract(db: ReadDb, job: ExtractJob): SummarySection[] {
  const bases = job.bases.flatMap((id) => getSummary(db, id) ?? []);
  const messages = messagesBetween(db, job.branch, job.from, job.to);
  const own = joinSections(bases.filter((base) => base.author !== 'extract').map((base) => base.sections));
  // half of the budget is for anchors, which are added by the check
  return extractSections(messages, Math.floor(job.budget / 2), counter(job.rates), own);
}

export interface CheckJob {
  readonly branch: BranchId;
  readonly from: number;
  readonly to: number;
  /** Summaries in the range: what they say needs no other source. */
  readonly bases: readonly SummaryId[];
  readonly strategy: Strategy;
  /** A model's answer, or sections that were extracted. */
  readonly candidate:
    | { readonly text: string; readonly finish: 'stop' | 'length' }
    | { readonly sections: SummarySection[] };
  readonly budget: number;
  readonly aboveTarget: boolean;
  readonly rates: TokenRates;
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
function check(db: ReadDb, job: CheckJob): CheckAnswer {
  const count = counter(job.rates);
  const messages = messagesBetween(db, job.branch, job.from, job.to);
  const bases = job.bases.flatMap((id) => getSummary(db, id)?.text ?? []);
  const tokensBefore = messages.reduce((sum, one) => sum + tokensOf(one, job.rates) + MESSAGE_OVERHEAD, 0);
  const text =
    'text' in job.candidate ? stripForSummary(job.candidate.text, 'model') : renderSections(job.candidate.sections);
  const sections = 'text' in job.candidate ? parseSections(text) : job.candidate.sections;
  const verdict = verify(
    { text, sections, finish: 'text' in job.candidate ? job.candidate.finish : 'stop', tokens: count(text) },
    {
      source: [...bases, sourceText(messages)].join('\n'),
      tokens: tokensBefore,
      lastReply: messages.findLast((message) => message.role === 'assistant')?.text ?? '',
    },
  );
  if (!verdict.ok) return verdict;
  const clean = messages.map((message) => ({ seq: message.seq, role: message.role, text: stripSecrets(message.text) }));
  const anchors = chooseAnchors(anchorsOf(clean), Math.floor(job.budget / 2), count);
  const checked = restoreAnchors(verdict.sections, anchors, {
    budget: Math.max(job.budget, count(renderSections(verdict.sections)) + Math.floor(job.budget / 2)),
    struckLines: verdict.struckLines,
    aboveTarget: job.aboveTarget,
    count,
  });
  const linked = linkSources(checked.sections, messages, { from: job.from, to: job.to });
  const rendered = renderSections(linked);
  return {
    ok: true,
    text: rendered,
    sections: linked,
    receipt: checked.receipt,
    tokensBefore,
    tokensAfter: count(rendered) + MESSAGE_OVERHEAD,
  };
}

export interface SearchJob {
  readonly query: string;
  readonly sessionId: SessionId | null;
  readonly limit: number;
}
function search(db: ReadDb, job: SearchJob): SearchHit[] {
  return searchMessages(db, job).map(({ text, ...hit }) => ({ ...hit, ...excerptOf(text, job.query) }));
}

function exportSession(db: ReadDb, job: { sessionId: SessionId; branch: BranchId }): string {
  return exportMarkdown(db, job.sessionId, job.branch);
}

function quickCheck(db: ReadDb, _job: Record<string, never>): string {
  return db.pragma('quick_check(1)', { simple: true }) as string;
}

export const threadJobs = { plan, chunks, extract, check, edit, search, export: exportSession, quickCheck };
export type ThreadJobs = typeof threadJobs;
export type ThreadJob = keyof ThreadJobs;
export type ThreadInput<J extends ThreadJob> = Parameters<ThreadJobs[J]>[1];
export type ThreadOutput<J extends ThreadJob> = ReturnType<ThreadJobs[J]>;
