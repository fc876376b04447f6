/** Imports conversations: read and parsed by the data thread, written in small transactions that no other write waits for. */
import { basename, extname } from 'node:path';
import { AppError } from '../../shared/errors';
import type { BranchId, MessageId, ModelRef, SessionId } from '../../shared/model/ids';
import { emptySession } from '../db/empty-bin';
import { insertMessage } from '../db/messages-table';
import { changeSession, insertSession } from '../db/sessions-table';
import type { DataThread } from '../db/thread/client';
import type { ImportAnswer } from '../db/thread/import-job';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import type { Ids } from '../lib/ids';
import type { ImportedMessage } from './import-text';

/** One transaction of an import holds at most this many rows and characters. */
const BATCH = { rows: 200, chars: 128_000 } as const;
const ENDINGS = new Set(['.txt', '.md', '.markdown', '.text', '']);

export interface ImportEnv {
  readonly seam: WriteSeam;
  readonly data: DataThread;
  readonly clock: Clock;
  readonly ids: Ids;
  defaultModel(): ModelRef | null;
  /** Resolves once the log has room for more: a long import must not outrun the checkpoints. */
  room(): Promise<void>;
}

/**
 * Makes one session of one file. The session shows up only when all of it is there: until then it lies in the bin's
 * shadow (deleted), and an import that fails or is cut off leaves nothing to see.
 * @throws AppError `unsupported-file`, `file-unreadable`.
 */
export async function importFile(env: ImportEnv, file: string): Promise<SessionId> {
  const name = basename(file);
  if (!ENDINGS.has(extname(file).toLowerCase())) throw new AppError('unsupported-file', { file: name });
  const { seam, clock, ids } = env;
  const id = ids.uuid() as SessionId;
  const now = clock.wall();
  const branchId = await seam.write(id, (tx) => {
    const branch = insertSession(tx, { id, title: '', model: env.defaultModel(), now });
    changeSession(tx, id, { deletedAt: now });
    return branch;
  });
  try {
    const title = await readInto(env, { file, name }, id, branchId);
    const shown = { deletedAt: null, updatedAt: clock.wall(), title: title || basename(file, extname(file)) };
    await seam.write(id, (tx) => changeSession(tx, id, shown), { durable: true });
    return id;
  } catch (error) {
    await emptySession(seam, clock, id).catch(() => {}); // what cannot be taken away now goes with the bin
    throw error;
  }
}

/** Answers the title that the file names, '' = none. */
async function readInto(
  env: ImportEnv,
  { file, name }: { readonly file: string; readonly name: string },
  sessionId: SessionId,
  branchId: BranchId,
): Promise<string> {
  let title = '';
  let asked = false;
  for (let from: number | null = 0; from !== null; ) {
    const slice: ImportAnswer = await env.data.ask('importSlice', { file, from });
    if (slice.kind === 'no-text') throw new AppError('unsupported-file', { file: name });
    if (slice.kind === 'unreadable') throw new AppError('file-unreadable', { file: name, reason: slice.reason });
    title ||= slice.title;
    asked ||= slice.messages.some((message) => message.role === 'user');
    await writeAll(env, sessionId, branchId, slice.messages);
    from = slice.next;
  }
  if (!asked) throw new AppError('unsupported-file', { file: name }); // the text names no speakers
  return title;
}

async function writeAll(
  { seam, clock, ids, room }: ImportEnv,
  sessionId: SessionId,
  branchId: BranchId,
  messages: readonly ImportedMessage[],
): Promise<void> {
  for (const batch of batchesOf(messages)) {
    await seam.write(sessionId, (tx) => {
      for (const { role, text } of batch) {
        const row = { id: ids.uuid() as MessageId, sessionId, branchId, turnId: null, now: clock.wall() };
        insertMessage(tx, { ...row, role, text, status: 'complete' });
      }
    });
    await room();
    await new Promise<void>((resolve) => clock.nextTurn(resolve)); // others' turn
  }
}

function* batchesOf(messages: readonly ImportedMessage[]): Generator<ImportedMessage[]> {
  let batch: ImportedMessage[] = [];
  let chars = 0;
  for (const message of messages) {
    if (batch.length > 0 && (batch.length >= BATCH.rows || chars + message.text.length > BATCH.chars)) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(message);
    chars += message.text.length;
  }
  if (batch.length > 0) yield batch;
}
