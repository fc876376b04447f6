/** I6: system prompt and pins are byte-equal in every request. */
import { createHash } from 'node:crypto';
import type { BranchId } from '../../../shared/model/ids';
import { all, one, type ReadDb } from '../../db/database';
import { pinsOnPath } from '../../db/pins-table';
import { requestBody } from '../../turns/context';
import type { SimulatedStream } from '../simulated-host';
import { type Memory, must } from './memory';
import { SYSTEM_PROMPT } from './template';
import type { WorldView } from './world-view';

const lifeOf = ({ id, version }: { readonly id: string; readonly version: number }): string => `${id}@${version}`;

/** A request carries the system prompt, and every pin that stood when it was put together and stands still. */
export function keepsWhatStays(db: ReadDb, stream: SimulatedStream, memory: Memory): void {
  if (stream.job.kind !== 'chat') return;
  const { messages, tools = [] } = stream.job;
  const [first] = messages;
  must(
    first?.role === 'system' && first.content === SYSTEM_PROMPT,
    'I6 a request does not begin with its system prompt',
  );
  const row = one<{ turn: number; branch: BranchId }>(
    db,
    `SELECT t.id AS turn, t.branch_id AS branch FROM requests r JOIN turns t ON t.id = r.turn_id
     WHERE r.sha256 = :hash ORDER BY r.id DESC LIMIT 1`,
    { hash: createHash('sha256').update(requestBody(messages, tools)).digest() },
  );
  must(row !== null, 'I6 a request left that is not written down as it was sent');
  if (!row) return;
  const put = memory.measured.get(row.turn) ?? memory.step;
  const sent = messages.map((message) => message.content).join('\n\n');
  for (const pin of pinsOnPath(db, row.branch)) {
    const since = memory.pins.get(lifeOf(pin)) ?? memory.step;
    must(since >= put || sent.includes(pin.text), `I6 a request without the pin of message ${pin.seq}`);
  }
}

/** Takes note of what stands at the end of a step, and of requests that were put together but have not left. */
export function rememberPins(world: WorldView, db: ReadDb, memory: Memory): void {
  const standing = new Set<string>();
  for (const pin of all<{ id: string; version: number }>(db, 'SELECT id, version FROM pins WHERE removed_at IS NULL'))
    standing.add(lifeOf(pin));
  for (const life of memory.pins.keys()) if (!standing.has(life)) memory.pins.delete(life);
  for (const life of standing) if (!memory.pins.has(life)) memory.pins.set(life, memory.step);
  const turns = world.living.flatMap(({ engine }) => engine.turns.all());
  const waiting = new Set(turns.filter(({ machine }) => machine.at === 'requesting').map(({ spec }) => spec.id));
  for (const turn of memory.measured.keys()) if (!waiting.has(turn as never)) memory.measured.delete(turn);
  for (const turn of waiting) if (!memory.measured.has(turn)) memory.measured.set(turn, memory.step);
  memory.step++;
}
