/** Measures what the next request would be: by estimate, replaced by the runtime's own count where it is close. */
import type { ContextUse } from '../../shared/model/context';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { protectedTokens } from '../compression/plan';
import { type Marks, marksOf, summaryBudget } from '../compression/policy';
import type { ReadDb } from '../db/database';
import { getSession } from '../db/sessions-table';
import type { ModelFacts, Models } from '../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../providers/token-estimate';
import { assemble, type Context, scaleParts } from './context';
import { type LoadedContext, loadContext } from './load-context';
import type { Measure } from './machine';

export interface Measured {
  readonly context: Context;
  readonly loaded: LoadedContext;
  readonly measure: Measure;
  readonly marks: Marks | null;
  readonly use: ContextUse;
}

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

/** By estimate alone: for the meter, at no cost but a bounded read. */
export function estimate(
  db: ReadDb,
  sessionId: SessionId,
  branch: BranchId,
  facts: ModelFacts,
  openTurn: boolean,
): Measured {
  const marks = marksFor(db, sessionId, facts);
  const window = facts.window.served;
  const loaded = loadContext(db, sessionId, branch, facts.rates, (window ?? UNKNOWN_WINDOW) * 2);
  const context = assemble(loaded.source, facts.rates);
  return measured(db, sessionId, facts, loaded, context, marks, openTurn, false);
}

/** With the runtime's own count where the estimate leaves it open whether the request fits. */
export async function measureExactly(
  db: ReadDb,
  sessionId: SessionId,
  branch: BranchId,
  facts: ModelFacts,
  models: Models,
): Promise<Measured> {
  const rough = estimate(db, sessionId, branch, facts, true);
  const usable = rough.marks?.usable ?? null;
  const open = usable !== null && rough.measure.tokens > usable * 0.5 && rough.measure.tokens < usable * 2;
  if (!open || !facts.countsExactly) return rough;
  const exact = await models.count(facts.ref, rough.context.messages);
  if (exact === null) return rough;
  const context = { ...rough.context, parts: scaleParts(rough.context.parts, exact), total: exact };
  return measured(db, sessionId, facts, rough.loaded, context, rough.marks, true, true);
}

function measured(
  db: ReadDb,
  sessionId: SessionId,
  facts: ModelFacts,
  loaded: LoadedContext,
  context: Context,
  marks: Marks | null,
  openTurn: boolean,
  exact: boolean,
): Measured {
  const keepTurns = getSession(db, sessionId)?.keepTurns ?? 2;
  const live = loaded.tail.map((message) => ({
    seq: message.seq,
    role: message.role,
    tokens: tokensOf(message, facts.rates) + MESSAGE_OVERHEAD,
  }));
  const tail = context.parts.tail + loaded.unreadTokens;
  const tokens = context.total + loaded.unreadTokens;
  const least = marks === null ? 0 : Math.min(200, summaryBudget(marks.usable));
  const window = facts.window.served;
  return {
    context,
    loaded,
    marks,
    measure: {
      tokens,
      marks,
      windowTokens: window ?? 0,
      protectedTokens:
        context.parts.system + context.parts.pins + least + protectedTokens({ live, keepTurns, openTurn }),
    },
    use: {
      parts: { ...context.parts, tail },
      total: tokens,
      reserve: marks?.reserve ?? 0,
      window,
      trained: facts.window.trained,
      source: facts.window.source,
      softMark: marks?.soft ?? null,
      hardMark: marks?.hard ?? null,
      exact: exact || facts.rates.calibrated,
    },
  };
}
