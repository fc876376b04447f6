import type { SessionId } from '../../shared/model/ids';
import type { ReadDb } from '../db/database';
import { lastRequestIn } from '../db/requests-table';
import { getText } from '../db/texts-table';
import type { ToolSpec } from '../hosts/protocol';
import type { ModelFacts } from '../providers/registry-types';
import { RECALL } from '../tools/recall';

/**
 * Whether a server's cache of the last request is of no use because of the tools: their list stands before everything
 * else. `recall` comes and goes with summaries, which say for themselves what they change.
 */
export function toolsChanged(db: ReadDb, sessionId: SessionId, facts: ModelFacts, specs: readonly ToolSpec[]): boolean {
  const last = lastRequestIn(db, sessionId);
  if (!last || last.model.providerId !== facts.ref.providerId || last.model.model !== facts.ref.model) return false;
  const { tools } = last.recipe;
  if (tools === null && specs.length === 0) return false;
  const before = tools === null ? '[]' : (getText(db, Buffer.from(tools, 'hex')) ?? '[]');
  return own(JSON.parse(before) as ToolSpec[]) !== own(specs);
}

const own = (specs: readonly ToolSpec[]) => JSON.stringify(specs.filter(({ name }) => name !== RECALL));
