/** What an attempt covers. Pure: sizes in, a range or a reason out. */
import type { NothingReason } from '../../shared/model/compression';
import type { SummaryId } from '../../shared/model/ids';
import type { MessageRole } from '../../shared/model/message';
import { summaryBudget, tailBudget } from './policy';

export interface SizedMessage {
  readonly seq: number;
  readonly role: MessageRole;
  readonly tokens: number;
}

/** A text summary that the view of the path shows. */
export interface ShownSummary {
  readonly id: SummaryId;
  readonly coversFrom: number;
  readonly coversTo: number;
  readonly tokens: number;
  /** False for `extract`: what only it covers is read again from the originals. */
  readonly builtUpon: boolean;
}

/** Messages by their numbers, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface PlanInput {
  /** Every message of the path, in order. */
  readonly messages: readonly SizedMessage[];
  /** The summaries that the view shows, in order. */
  readonly shown: readonly ShownSummary[];
  /** What each pin on the path adds to the pin block once its message is covered. */
  readonly pins: readonly { readonly seq: number; readonly tokens: number }[];
  readonly usable: number;
  readonly keepTurns: number;
  /** True while the newest user message waits for its answer: it stays byte for byte. */
  readonly openTurn: boolean;
  /** What the user chose to cover; null = from the start as far as the kept turns. */
  readonly chosen: Range | null;
}

export type Plan =
  | {
      readonly kind: 'range';
      readonly from: number;
      /** Sequence number of the last message that the summary will cover. */
      readonly cutoff: number;
      /** First message whose original is read. */
      readonly readFrom: number;
      /** What the view shows for `from` now. */
      readonly base: SummaryId | null;
      /** True where the base's text is folded in. */
      readonly buildsOnBase: boolean;
      /** Summaries after `readFrom` that are read in the place of what they cover. */
      readonly readAsText: readonly SummaryId[];
      /** All that the view shows in the range now, and must still show at the commit. */
      readonly shown: readonly SummaryId[];
      readonly aboveTarget: boolean;
    }
  | { readonly kind: 'nothing'; readonly reason: NothingReason };

/** What stays or goes together: a turn that no summary covers, or all that one summary covers. */
export interface Group extends Range {
  readonly tokens: number;
  readonly summary: ShownSummary | null;
}

/** Splits at user messages: a turn is one user message and all that answers it. */
export function turnsOf(messages: readonly SizedMessage[]): SizedMessage[][] {
  const turns: SizedMessage[][] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    // two user messages in a row (the second sent before any answer) are turns of their own
    if (message.role === 'user' || !last) turns.push([message]);
    else last.push(message);
  }
  return turns;
}

const sum = (some: readonly { readonly tokens: number }[]) => some.reduce((total, one) => total + one.tokens, 0);

/** The path as the model is sent it: uncovered turns and shown summaries, in order. */
export function groupsOf(messages: readonly SizedMessage[], shown: readonly ShownSummary[]): Group[] {
  const groups: Group[] = [];
  let at = 0;
  for (const { seq, role, tokens } of messages) {
    while ((shown[at]?.coversTo ?? seq) < seq) at++;
    const summary = shown[at];
    const last = groups.at(-1);
    if (summary && seq >= summary.coversFrom) {
      if (last?.summary !== summary)
        groups.push({ from: summary.coversFrom, to: summary.coversTo, tokens: summary.tokens, summary });
    } else if (role === 'user' || !last || last.summary) groups.push({ from: seq, to: seq, tokens, summary: null });
    else groups[groups.length - 1] = { ...last, to: seq, tokens: last.tokens + tokens };
  }
  return groups;
}

/** The newest groups that stay as they are: the kept turns, and what else fits the tail's budget. */
export function keptGroups(
  groups: readonly Group[],
  input: Pick<PlanInput, 'usable' | 'keepTurns' | 'openTurn'>,
): readonly Group[] {
  const least = Math.max(input.keepTurns, input.openTurn ? 1 : 0);
  // none to keep is the wish that all is folded: then nothing stays because there is room for it
  const budget = input.keepTurns === 0 ? 0 : tailBudget(input.usable);
  let first = groups.length;
  let turns = 0;
  let tokens = 0;
  for (const group of [...groups].reverse()) {
    tokens += group.tokens;
    if (turns >= least && tokens > budget) break;
    if (!group.summary) turns++;
    first--;
  }
  return groups.slice(first);
}

/** The newest turns that no compression may cover. */
export function protectedMessages(input: {
  live: readonly SizedMessage[];
  keepTurns: number;
  openTurn: boolean;
}): SizedMessage[] {
  const least = Math.max(input.keepTurns, input.openTurn ? 1 : 0);
  return least === 0 ? [] : turnsOf(input.live).slice(-least).flat();
}

/** Tokens that the pins of these turns add to the pin block when they are covered: what is pinned is sent in any case. */
function pinsIn(input: PlanInput, groups: readonly Group[]): number {
  return sum(
    input.pins.filter(({ seq }) => groups.some(({ from, to, summary }) => !summary && seq >= from && seq <= to)),
  );
}

export function planRange(input: PlanInput, targetTokens: number): Plan {
  const groups = groupsOf(input.messages, input.shown);
  return input.chosen ? planChosen(input, groups, input.chosen) : planFromStart(input, groups, targetTokens);
}

function planFromStart(input: PlanInput, groups: readonly Group[], targetTokens: number): Plan {
  const base = groups[0]?.summary ?? null;
  const rest = base ? groups.slice(1) : groups;
  const kept = keptGroups(rest, input);
  const covered = rest.slice(0, rest.length - kept.length);
  const rereads = base !== null && !base.builtUpon;
  // nothing new to cover, but an extract may still be read again by a model
  if (covered.length === 0 && !rereads) return { kind: 'nothing', reason: 'nothing-covered' };
  const least = Math.min(200, summaryBudget(input.usable));
  if (!rereads && sum(covered) - pinsIn(input, covered) + (base?.tokens ?? 0) <= least)
    return { kind: 'nothing', reason: 'nothing-to-gain' };
  const after = sum(kept) + sum(input.pins) - pinsIn(input, kept) + summaryBudget(input.usable);
  const all = base ? groups.slice(0, covered.length + 1) : covered;
  return rangeOf(all, 1, covered.length > 0 && after > targetTokens);
}

/** Whole turns and whole summaries: what the chosen ends touch is taken in, the turn that waits for its answer stays. */
function planChosen(input: PlanInput, groups: readonly Group[], chosen: Range): Plan {
  const free = input.openTurn
    ? groups.slice(
        0,
        groups.findLastIndex((group) => !group.summary),
      )
    : groups;
  const inside = free.filter((group) => group.to >= chosen.from && group.from <= chosen.to);
  const [first] = inside;
  if (!first) return { kind: 'nothing', reason: 'nothing-covered' };
  if (inside.length === 1 && first.summary) return { kind: 'nothing', reason: 'inside-summary' };
  if (sum(inside) - pinsIn(input, inside) <= Math.min(200, summaryBudget(input.usable)))
    return { kind: 'nothing', reason: 'nothing-to-gain' };
  return rangeOf(inside, first.from, false);
}

function rangeOf(groups: readonly Group[], from: number, aboveTarget: boolean): Plan {
  const summaries = groups.flatMap((group) => group.summary ?? []);
  const base = summaries.find((summary) => summary.coversFrom === from) ?? null;
  const buildsOnBase = base?.builtUpon ?? false;
  const read = summaries.filter((summary) => summary.builtUpon && summary !== base);
  return {
    kind: 'range',
    from,
    cutoff: groups.at(-1)?.to ?? from,
    readFrom: base && buildsOnBase ? base.coversTo + 1 : from,
    base: base?.id ?? null,
    buildsOnBase,
    readAsText: read.map((summary) => summary.id),
    shown: summaries.map((summary) => summary.id),
    aboveTarget,
  };
}
