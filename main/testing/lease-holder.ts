/**
 * A second app process on a profile, as far as leases know: its own lock file and `instances` row, the product's own
 * lease code, the rows that other windows read. It takes the `compression` lease of a session, or begins a turn and half
 * of its answer, and lets go or finishes as it is told, one word a line on standard input; each is answered with one JSON
 * line. It ends when that input ends.
 *   arguments: PROFILE SESSION      words: take, let-go, answer, finish
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AttemptId, InstanceId, MessageId, SessionId } from '../../shared/model/ids';
import { type HeldLease, Leases } from '../compression/lease';
import { LEASE } from '../compression/policy';
import { endAttempt, insertAttempt, progressAttempt } from '../db/attempts-table';
import { lockOwnInstance } from '../db/instance-lock';
import { insertInstance } from '../db/instances-table';
import { appendPart, finishMessage, insertMessage } from '../db/messages-table';
import { openForWriting } from '../db/open';
import { recoverIfDead, retireInstance } from '../db/recovery';
import { getSession } from '../db/sessions-table';
import { insertTurn } from '../db/turns-table';
import { WriteSeam } from '../db/write-seam';
import { systemClock } from '../lib/clock';
import { systemIds } from '../lib/ids';
import { fencedWrites, TurnTaken } from '../turns/fenced-writes';

const [profile, session] = process.argv.slice(2);
if (!profile || !session) throw new Error('arguments: PROFILE SESSION');
const sessionId = session as SessionId;
const clock = systemClock;
const locks = join(profile, 'instances');
const me = systemIds.uuid() as InstanceId;

const db = openForWriting(join(profile, 'palimpsest.db'));
const seam = new WriteSeam(db, clock);
const lock = lockOwnInstance(locks, me);
await seam.write('app', (tx) =>
  insertInstance(tx, { id: me, pid: process.pid, bootId: '', version: 'test', startedAt: clock.wall() }),
);
const leases = new Leases({
  seam,
  clock,
  me,
  times: LEASE,
  recoverIfDead: (id) => recoverIfDead(seam, locks, id, clock.wall()) !== null,
});

/** What other windows see of it. It asks no model, so its death arms no backoff. */
const READING = {
  need: 'manual',
  strategy: null,
  phase: 'reading',
  chunksDone: 2,
  chunks: 7,
  tokensRead: 0,
  tokensWritten: 0,
} as const;

interface Held {
  readonly lease: HeldLease;
  readonly attempt: AttemptId;
}
let held: Held | null = null;

/** Waits for its turn as every other challenger does, and answers the epoch. */
async function take(): Promise<number> {
  const branchId = getSession(db, sessionId)?.lastBranch;
  if (branchId === undefined) throw new Error('no such session');
  const columns = { sessionId, branchId, turnId: null, need: 'manual', trigger: 'button', instanceId: me } as const;
  const attempt = await seam.write(sessionId, (tx) => insertAttempt(tx, { ...columns, now: clock.wall() }));
  for (;;) {
    const answer = leases.tryAcquire({ session: sessionId, kind: 'compression' }, attempt, () => {});
    if (answer.kind === 'acquired') {
      const { epoch } = answer.lease.holding;
      held = { lease: answer.lease, attempt };
      await seam.write(sessionId, (tx) => progressAttempt(tx, attempt, { ...READING, epoch }));
      return epoch;
    }
    if (answer.kind !== 'busy') throw new Error(`not taken: ${answer.kind}`);
    await new Promise<void>((resolve) => clock.after(10, resolve));
  }
}

async function letGo(): Promise<void> {
  if (!held) return;
  const { lease, attempt } = held;
  held = null;
  const end = { now: clock.wall(), error: null, strategy: null };
  await seam.write(sessionId, (tx) => endAttempt(tx, attempt, { kind: 'cancelled', by: 'user' }, end));
  await lease.release();
}

interface Answering {
  readonly lease: HeldLease;
  readonly rid: number;
}
const answers: Answering[] = [];

/** A question of its own, and the first half of the answer to it. */
async function beginAnswer(): Promise<void> {
  const branchId = getSession(db, sessionId)?.lastBranch;
  if (branchId === undefined) throw new Error('no such session');
  const now = clock.wall();
  const message = (role: 'user' | 'assistant', text: string) =>
    ({ id: systemIds.uuid() as MessageId, sessionId, branchId, turnId: null, role, text, now }) as const;
  const begun = await seam.write(sessionId, (tx) => {
    const question = insertMessage(tx, { ...message('user', 'Asked in the other window.'), status: 'complete' });
    const turnId = insertTurn(tx, { sessionId, branchId, messageRid: question.rid, instanceId: me, now });
    const epoch = leases.claim(tx, { session: sessionId, kind: 'turn' }, turnId);
    if (epoch === null) throw new Error('not claimed');
    const { rid } = insertMessage(tx, { ...message('assistant', ''), turnId, status: 'streaming' });
    appendPart(tx, rid, 0, 'Half of the answer');
    return { turnId, epoch, rid };
  });
  const lease = leases.hold({ session: sessionId, kind: 'turn' }, begun.turnId, begun.epoch);
  answers.push({ lease, rid: begun.rid });
}

/** Answers whether the rest of the answer was stored. */
async function finishAnswer(): Promise<boolean> {
  const begun = answers.at(-1);
  if (!begun) throw new Error('no answer was begun');
  const { lease, rid } = begun;
  const end = { status: 'complete', text: 'Half of the answer and the rest', usage: null, now: clock.wall() } as const;
  try {
    await fencedWrites(seam, lease).write(sessionId, (tx) => finishMessage(tx, sessionId, rid, end));
    return true;
  } catch (error) {
    if (error instanceof TurnTaken) return false;
    throw error;
  }
}

const say = (answer: object) => void process.stdout.write(`${JSON.stringify(answer)}\n`);
say({ instance: me });
for await (const word of createInterface({ input: process.stdin })) {
  if (word === 'take') say({ epoch: await take() });
  else if (word === 'let-go') {
    await letGo();
    say({ free: true });
  } else if (word === 'answer') {
    await beginAnswer();
    say({ began: true });
  } else if (word === 'finish') say({ stored: await finishAnswer() });
  else throw new Error(`not a word of this process: ${word}`);
}
await letGo();
for (const { lease } of answers) await lease.release();
await seam.write('app', (tx) => retireInstance(tx, me, clock.wall()), { durable: true });
db.close();
lock.release(true);
