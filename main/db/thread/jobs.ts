/** What the data thread can be asked: long reads and pure work over them. Each job is a function of a read connection. */
import type { Receipt, Strategy, SummarySection } from '../../../shared/model/compression';
import type { BranchId, SessionId, SummaryId } from '../../../shared/model/ids';
import type { SearchHit } from '../../../shared/model/session';
import { anchorsOf, chooseAnchors } from '../../compression/anchors';
import { type Chunk, chunksOf, type SourceMessage } from '../../compression/chunks';
import { extractSections } from '../../compression/extract';
import { type Plan, planRange, type SizedMessage } from '../../compression/plan';
import { coarseRates } from '../../compression/policy';
import { restoreAnchors } from '../../compression/receipt';
import { parseSections, renderSections } from '../../compression/sections';
import { linkSources } from '../../compression/sources';
import { stripForSummary, stripSecrets } from '../../compression/strip';
import { type Verdict, verify } from '../../compression/verify';
import { coveringSummary } from '../../compression/view';
import { countChars } from '../../lib/char-counts';
import type { TokenRates } from '../../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../../providers/token-estimate';
import type { ReadDb } from '../database';
import { exportMarkdown } from '../export-text';
import { lastSeq, type MessageSize, messagesBetween, sizesBetween } from '../messages-table';
import { excerptOf } from '../search-excerpt';
import { searchMessages } from '../search-index';
import { getSummary, shownOnPath } from '../summaries-table';
import { openTurn } from '../turns-table';

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
  readonly rates: TokenRates;
}
export interface PlanAnswer {
  readonly plan: Plan;
  /** Tokens of the covered originals. */
  readonly tokensBefore: number;
  /** Tokens that the view shows for the covered range now. */
  readonly tokensShown: number;
  /** Tokens that the view shows in all. */
  readonly tokensInView: number;
}

function plan(db: ReadDb, job: PlanJob): PlanAnswer {
  const base = coveringSummary(shownOnPath(db, job.branch), 1);
  const sizes = sizesBetween(db, job.branch, 1, lastSeq(db, job.branch)).map((size) => sized(size, job.rates));
  const live = sizes.filter((size) => size.seq > (base?.coversTo ?? 0));
  const baseTokens = base ? counter(job.rates)(base.text) : 0;
  const answer = planRange(
    {
      live,
      usable: job.usable,
      keepTurns: job.keepTurns,
      // asked now, not when it was wished for: a question that waits stays byte for byte
      openTurn: openTurn(db, job.sessionId) !== null,
      base: base && {
        id: base.id,
        coversTo: base.coversTo,
        tokens: baseTokens,
        builtUpon: base.author !== 'extract' || !job.readsAgain,
      },
    },
    job.target,
  );
  if (answer.kind === 'nothing') return { plan: answer, tokensBefore: 0, tokensShown: 0, tokensInView: 0 };
  const sum = (some: readonly SizedMessage[]) => some.reduce((total, one) => total + one.tokens, 0);
  return {
    plan: answer,
    tokensBefore: sum(sizes.filter((size) => size.seq >= answer.from && size.seq <= answer.cutoff)),
    tokensShown: baseTokens + sum(live.filter((size) => size.seq <= answer.cutoff)),
    tokensInView: baseTokens + sum(live),
  };
}

export interface ChunksJob {
  readonly branch: BranchId;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly rates: TokenRates;
}
function chunks(db: ReadDb, job: ChunksJob): Chunk[] {
  const messages = messagesBetween(db, job.branch, job.from, job.to);
  const count = counter(job.rates);
  return chunksOf(messages, job.limit, counter(coarseRates(job.rates))).map((chunk) => ({
    ...chunk,
    tokens: count(chunk.text),
  }));
}

export interface ExtractJob {
  readonly branch: BranchId;
  readonly from: number;
  readonly to: number;
  /** Summary whose lines go first; null = none, or one that was itself an extract. */
  readonly base: SummaryId | null;
  readonly budget: number;
  readonly rates: TokenRates;
}
function extract(db: ReadDb, job: ExtractJob): SummarySection[] {
  const base = job.base === null ? null : getSummary(db, job.base);
  const messages = messagesBetween(db, job.branch, job.from, job.to);
  const own = base && base.author !== 'extract' ? base.sections : [];
  // half of the budget is for anchors, which are added by the check
  return extractSections(messages, Math.floor(job.budget / 2), counter(job.rates), own);
}

export interface CheckJob {
  readonly branch: BranchId;
  readonly from: number;
  readonly to: number;
  readonly base: SummaryId | null;
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
  const base = job.base === null ? null : getSummary(db, job.base);
  const tokensBefore = messages.reduce((sum, one) => sum + tokensOf(one, job.rates) + MESSAGE_OVERHEAD, 0);
  const text =
    'text' in job.candidate ? stripForSummary(job.candidate.text, 'model') : renderSections(job.candidate.sections);
  const sections = 'text' in job.candidate ? parseSections(text) : job.candidate.sections;
  const verdict = verify(
    { text, sections, finish: 'text' in job.candidate ? job.candidate.finish : 'stop', tokens: count(text) },
    {
      source: `${base?.text ?? ''}\n${sourceText(messages)}`,
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

export const threadJobs = { plan, chunks, extract, check, search, export: exportSession, quickCheck };
export type ThreadJobs = typeof threadJobs;
export type ThreadJob = keyof ThreadJobs;
export type ThreadInput<J extends ThreadJob> = Parameters<ThreadJobs[J]>[1];
export type ThreadOutput<J extends ThreadJob> = ReturnType<ThreadJobs[J]>;
