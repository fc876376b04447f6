/** Measures what the next request would be: by estimate, replaced by the runtime's own count where it is close. */
import type { ContextUse } from '../../shared/model/context';
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import type { PinPrice } from '../../shared/model/pin';
import { protectedMessages } from '../compression/plan';
import { type Marks, marksOf, summaryBudget } from '../compression/policy';
import { BULKY_TOKENS } from '../compression/prune';
import type { ReadDb } from '../db/database';
import type { MessageSize } from '../db/messages-table';
import { getSession } from '../db/sessions-table';
import type { ChatMessage, ToolSpec } from '../hosts/protocol';
import type { ModelFacts, Models, TokenRates } from '../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../providers/token-estimate';
import type { Tool, Toolbox, ToolScope } from '../tools/tool';
import { assembleRequest, partsOf, requestBody, scaleParts, shareOut, totalOf } from './context';
import { countedSoFar } from './counted-start';
import { type LoadedContext, loadContext, loadSizes } from './load-context';
import type { Measure } from './machine';
import { coveredPins, entryTokens, pinTokens } from './pin-block';
import { resultBudget } from './tool-result';
import { toolsChanged } from './tools-changed';

/** What the next request would be, without its text. */
export interface Estimate {
  readonly measure: Omit<Measure, 'bytes'>;
  readonly marks: Marks | null;
  /** A bulky tool result is among the messages, which pruning would shorten. */
  readonly bulkyResults: boolean;
  /** What stays whatever is compressed: system prompt, tools, pins. */
  readonly fixedTokens: number;
  /** Tokens estimated of what came after the server's last count; null = no count of it stands for the beginning. */
  readonly sinceCount: number | null;
  readonly use: ContextUse;
}
/** The same with the request itself. */
export interface Measured extends Estimate {
  readonly measure: Measure;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Tool[];
  /** The tools as the model is told of them. */
  readonly specs: readonly ToolSpec[];
  readonly loaded: LoadedContext;
}

type Path = Pick<ToolScope, 'sessionId' | 'branchId'>;

/** Tokens read at most where the window is unknown. */
const UNKNOWN_WINDOW = 200_000;

/** Marks of a session with this model; null = its window is unknown. */
export function marksFor(db: ReadDb, sessionId: SessionId, facts: ModelFacts): Marks | null {
  const { served } = facts.window;
  if (served === null) return null;
  const session = getSession(db, sessionId);
  const turns = Math.max(1, Math.floor((session?.messages ?? 0) / 2));
  const turnTokens = Math.ceil(((session?.chars ?? 0) / turns) * facts.rates.ascii);
  return marksOf(served, facts.outputCap, session && session.messages >= 2 ? turnTokens : 0);
}

/** For the meter: sizes alone are read, within the bounds of the window. `without` = as if those were undone. */
export function estimate(
  db: ReadDb,
  sessionId: SessionId,
  branch: BranchId,
  facts: ModelFacts,
  toolbox: Toolbox,
  openTurn: boolean,
  without?: ReadonlySet<SummaryId>,
): Estimate {
  const loaded = loadSizes(db, sessionId, branch, facts.rates, enough(facts), without);
  const path = { sessionId, branchId: branch };
  const specs = specsOf(facts.tools ? offered(db, toolbox, path, facts, loaded) : []);
  return judge(db, path, facts, loaded, specs, null, openTurn);
}

/**
 * For a request: with the runtime's own count where the estimate leaves it open whether it fits. `mayCall` false = no
 * tools are offered although the model could take them.
 */
export async function measureExactly(
  db: ReadDb,
  path: Path,
  facts: ModelFacts,
  models: Models,
  toolbox: Toolbox,
  mayCall: boolean,
): Promise<Measured> {
  const loaded = loadContext(db, path.sessionId, path.branchId, facts.rates, enough(facts));
  const tools = facts.tools && mayCall ? offered(db, toolbox, path, facts, loaded) : [];
  const specs = specsOf(tools);
  const messages = assembleRequest(loaded, tools.length > 0).map(facts.sees ? (message) => message : withoutImages);
  const bytes = Buffer.byteLength(requestBody(messages, specs));
  const rough = judge(db, path, facts, loaded, specs, null, true);
  const usable = rough.marks?.usable ?? null;
  const open = usable !== null && rough.measure.tokens > usable * 0.5 && rough.measure.tokens < usable * 2;
  const exact = open && facts.countsExactly ? await models.count(facts.ref, messages, specs) : null;
  const judged = exact === null ? rough : judge(db, path, facts, loaded, specs, exact, true);
  return { ...judged, measure: { ...judged.measure, bytes }, messages, tools, specs, loaded };
}

function offered(
  db: ReadDb,
  toolbox: Toolbox,
  path: Path,
  facts: ModelFacts,
  loaded: LoadedContext<MessageSize>,
): readonly Tool[] {
  const resultTokens = resultBudget(marksFor(db, path.sessionId, facts)?.usable ?? null);
  return toolbox.toolsFor({ ...path, covered: coveredBy(loaded), resultTokens, rates: facts.rates });
}

/** Ranges of the path that a summary, or a line, stands for. */
export function coveredBy(loaded: Pick<LoadedContext<MessageSize>, 'summaries' | 'stubbed'>): ToolScope['covered'] {
  return [
    ...loaded.summaries.map((one) => ({ from: one.coversFrom, to: one.coversTo })),
    ...loaded.stubbed.map((seq) => ({ from: seq, to: seq })),
  ];
}

const specsOf = (tools: readonly Tool[]): ToolSpec[] =>
  tools.map(({ name, description, schema }) => ({ name, description, schema }));

const enough = (facts: ModelFacts) => (facts.window.served ?? UNKNOWN_WINDOW) * 2;

/** `counted` = tokens of the whole by the runtime's own count, or null. */
function judge(
  db: ReadDb,
  path: Path,
  facts: ModelFacts,
  loaded: LoadedContext<MessageSize>,
  specs: readonly ToolSpec[],
  counted: number | null,
  openTurn: boolean,
): Estimate {
  const { sessionId } = path;
  const marks = marksFor(db, sessionId, facts);
  const estimated = partsOf(loaded, specs, facts.rates);
  const soFar = counted === null ? countedSoFar(db, path, facts, loaded, specs, totalOf(estimated)) : null;
  const exact = counted ?? soFar?.tokens ?? null;
  const parts = exact === null ? estimated : scaleParts(estimated, exact);
  const unread = tokensOf(loaded.unread, facts.rates);
  const total = totalOf(parts) + unread;
  // one scale for all: what is protected is compared with what was counted
  const scale = exact === null ? 1 : exact / Math.max(1, totalOf(estimated));
  const keepTurns = getSession(db, sessionId)?.keepTurns ?? 2;
  const live = loaded.tail.map((message) => ({
    seq: message.seq,
    role: message.role,
    tokens: (tokensOf(message, facts.rates) + MESSAGE_OVERHEAD) * scale,
  }));
  const least = marks === null ? 0 : Math.min(200, summaryBudget(marks.usable));
  const kept = protectedMessages({ live, keepTurns, openTurn });
  // what may be covered leaves its pins in the block; those of the kept turns stand where they are
  const inPlace = new Set(kept.map((message) => message.seq));
  const pinned = loaded.pins.filter((pin) => !inPlace.has(pin.seq));
  const protectedTokens =
    parts.system +
    parts.tools +
    least +
    (kept.reduce((sum, one) => sum + one.tokens, 0) + pinTokens(pinned, facts.rates) * scale);
  const window = facts.window.served;
  return {
    marks,
    bulkyResults: loaded.tail.some((one) => one.role === 'tool' && tokensOf(one, facts.rates) >= BULKY_TOKENS),
    fixedTokens: parts.system + parts.tools + parts.pins,
    sinceCount: soFar?.after ?? null,
    measure: {
      tokens: total,
      marks,
      windowTokens: window ?? 0,
      truncated: unread > 0,
      protectedTokens: Math.ceil(protectedTokens),
    },
    use: {
      parts: { ...parts, tail: parts.tail + unread },
      total,
      pins: pinPrices(loaded, parts.pins, facts.rates),
      reserve: marks?.reserve ?? 0,
      window,
      trained: facts.window.trained,
      source: facts.window.source,
      softMark: marks?.soft ?? null,
      hardMark: marks?.hard ?? null,
      exact: exact !== null,
      toolsChanged: toolsChanged(db, sessionId, facts, specs),
    },
  };
}

/** Prices of the covered pins add up to the part; the others say what they will cost. */
function pinPrices({ pins, summaries }: LoadedContext<MessageSize>, part: number, rates: TokenRates): PinPrice[] {
  const covered = coveredPins(pins, summaries);
  const shares = shareOut(
    part,
    covered.map((pin) => entryTokens(pin, rates)),
  );
  return pins.map((pin) => {
    const index = covered.indexOf(pin);
    return { id: pin.id, tokens: shares[index] ?? entryTokens(pin, rates), covered: index >= 0 };
  });
}

/** For a model that sees none: that there was a picture, and its name, stays in the text. */
function withoutImages({ images: _, ...message }: ChatMessage): ChatMessage {
  return message;
}
