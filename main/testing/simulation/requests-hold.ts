/** I6, I8: requests carry the newest message byte for byte, fit, and none runs that no turn waits for. */
import type { ReadDb } from '../../db/database';
import type { SimulatedStream } from '../simulated-host';
import { pairsHold } from './calls-hold';
import { type Memory, must } from './memory';
import { keepsWhatStays } from './pins-hold';
import type { WorldView } from './world-view';

/** Characters of what a test's model takes besides its answer: a token is four characters. */
const FITS = 6_144 * 4;

export function requestsHold(world: WorldView, db: ReadDb, memory: Memory): void {
  for (const process of world.living) {
    const requests = process.engine.requests();
    for (const stream of requests)
      if (!memory.requests.has(stream)) {
        faithful(world, stream);
        keepsWhatStays(db, stream, memory);
        memory.requests.add(stream);
      }
    const running = requests.filter((stream) => stream.end === null && stream.cancels.length === 0);
    const waiting = process.engine.turns
      .all()
      .filter(({ machine }) => machine.at === 'requesting' || machine.at === 'streaming');
    must(running.length <= waiting.length, 'I8 a request runs that no turn waits for');
  }
}

function faithful(world: WorldView, stream: SimulatedStream): void {
  if (stream.job.kind !== 'chat') return;
  const { messages } = stream.job;
  pairsHold(messages);
  const last = messages.at(-1);
  must(last?.role === 'user' || last?.role === 'tool', 'I6 a request does not end with the user or a result');
  const told = last?.role === 'user' && last.content.endsWith('[End of the result]'); // to a model without tools
  const text = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const minted = /10000000-0000-4000-8000-\d{12} (words |edited)/.test(text);
  const known = [...world.accepted.values()].some((sent) => text.endsWith(sent.text));
  // a message is accepted when its send resolves, which may be a step after its request
  must(
    told || known || minted || /words number|Continue your last answer/.test(text),
    `I6 a request ends with ${text.slice(-60)}`,
  );
  const size = messages.reduce((sum, message) => sum + message.content.length, 0);
  must(size <= FITS, `I8 a request of ${size} characters left, ${FITS} fit`);
}
