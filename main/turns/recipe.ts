/** Which stored things a request is made of, by name. Pure. */
import { createHash } from 'node:crypto';
import type { MessageSize } from '../db/messages-table';
import type { Recipe } from '../db/requests-table';
import type { ToolSpec } from '../hosts/protocol';
import { SERIALIZER } from './context';
import type { LoadedContext } from './load-context';
import { coveredPins } from './pin-block';

/** Of the whole of what was loaded, or of its beginning, as far as an `earlier` request went. */
export function recipeOf(
  loaded: LoadedContext<MessageSize>,
  specs: readonly ToolSpec[],
  earlier?: Pick<Recipe, 'to' | 'recalled'>,
): Recipe {
  const to = earlier?.to ?? Number.POSITIVE_INFINITY;
  const tail = loaded.tail.filter(({ seq }) => seq <= to);
  return {
    serializer: SERIALIZER,
    system: loaded.systemHash,
    pins: coveredPins(loaded.pins, loaded.summaries).map((pin) => [pin.id, pin.version]),
    tools: specs.length === 0 ? null : createHash('sha256').update(JSON.stringify(specs)).digest('hex'),
    // parts recalled since stand before later messages
    recalled: loaded.recalledHashes.slice(0, earlier?.recalled.length),
    summaries: loaded.summaries.map(({ id }) => id),
    from: tail[0]?.seq ?? 0,
    to: tail.at(-1)?.seq ?? 0,
    messages: tail.length,
    stubbed: loaded.stubbed.filter((seq) => seq <= to),
  };
}
