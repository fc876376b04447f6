/**
 * What the server counted of the last answered request, where the next one begins with it: only what came after is
 * estimated (design, section 6).
 */
import type { BranchId, SessionId } from '../../shared/model/ids';
import { sameUpTo } from '../db/branches-table';
import type { ReadDb } from '../db/database';
import type { MessageSize } from '../db/messages-table';
import { lastReportedIn, type Recipe } from '../db/requests-table';
import type { ToolSpec } from '../hosts/protocol';
import { type CharCounts, countChars } from '../lib/char-counts';
import type { ModelFacts } from '../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../providers/token-estimate';
import { CUT_SHARE, GUESSED_SHARE } from '../providers/token-rates';
import type { LoadedContext } from './load-context';
import { recipeOf } from './recipe';

/**
 * Shares of our own estimate between which a count is believed. Fewer tokens: a server may leave out what it had cached;
 * rates that nothing was measured of count too many by themselves. More is what the template adds, or what our rates
 * miss; beyond all measure it is of something else.
 */
const BELIEVABLE = { least: CUT_SHARE, guessed: GUESSED_SHARE, most: 4 } as const;

/**
 * Tokens of the next request: the server's count of the last one and an estimate of what came `after`, which is told too.
 * null = no request of this path and model was counted, or the next one does not begin with the same things. `estimate` =
 * tokens of the whole by our own counter.
 */
export function countedSoFar(
  db: ReadDb,
  path: { readonly sessionId: SessionId; readonly branchId: BranchId },
  { ref, rates }: ModelFacts,
  loaded: LoadedContext<MessageSize>,
  specs: readonly ToolSpec[],
  estimate: number,
): { readonly tokens: number; readonly after: number } | null {
  const last = lastReportedIn(db, path.sessionId);
  if (last?.model.providerId !== ref.providerId || last.model.model !== ref.model) return null;
  const { recipe, reported } = last;
  if (!sameUpTo(db, path.branchId, last.branchId, recipe.to) || !isSame(recipe, recipeOf(loaded, specs, recipe)))
    return null;
  const count = (chars: CharCounts) => tokensOf(chars, rates) + MESSAGE_OVERHEAD;
  const after = loaded.tail
    .filter(({ seq }) => seq > recipe.to)
    .reduce((sum, message) => {
      const recalled = loaded.recalled.get(message.rid);
      return sum + count(message) + (recalled === undefined ? 0 : count(countChars(recalled)));
    }, 0);
  const share = reported / Math.max(1, estimate - after);
  const least = rates.calibrated ? BELIEVABLE.least : BELIEVABLE.guessed;
  return share < least || share > BELIEVABLE.most ? null : { tokens: reported + after, after };
}

const NAMES = [
  'serializer',
  'system',
  'pins',
  'tools',
  'recalled',
  'summaries',
  'from',
  'to',
  'messages',
  'stubbed',
] as const satisfies readonly (keyof Recipe)[];

function isSame(one: Recipe, other: Recipe): boolean {
  return NAMES.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
