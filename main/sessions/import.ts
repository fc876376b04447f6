/** Imports conversations in small transactions, so that no other write waits for them. */
import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { AppError } from '../../shared/errors';
import type { MessageId, ModelRef, SessionId } from '../../shared/model/ids';
import { insertMessage } from '../db/messages-table';
import { changeSession, insertSession } from '../db/sessions-table';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import type { Ids } from '../lib/ids';
import { type ImportedMessage, parseConversation } from './import-text';

/** One transaction of an import holds at most this many rows and characters. */
const BATCH = { rows: 200, chars: 128_000 } as const;
/** Bytes of a file that is read: beyond that it is no conversation. */
const FILE_MAX = 200_000_000;
const ENDINGS = new Set(['.txt', '.md', '.markdown', '.text', '']);

export interface ImportEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly ids: Ids;
  defaultModel(): ModelRef | null;
}

/**
 * Makes one session of one file. The session shows up only when all of it is there: until then it lies in the bin's
 * shadow (deleted), and an import that fails or is cut off leaves nothing to see.
 * @throws AppError `unsupported-file`, `file-unreadable`.
 */
export async function importFile(env: ImportEnv, file: string): Promise<SessionId> {
  const name = basename(file);
  if (!ENDINGS.has(extname(file).toLowerCase())) throw new AppError('unsupported-file', { file: name });
  const text = await readText(file, name);
  const parsed = parseConversation(text, basename(file, extname(file)));
  if (!parsed) throw new AppError('unsupported-file', { file: name });
  const { seam, clock, ids } = env;
  const id = ids.uuid() as SessionId;
  const now = clock.wall();
  const branchId = await seam.write(id, (tx) => {
    const branch = insertSession(tx, { id, title: parsed.title, model: env.defaultModel(), now });
    changeSession(tx, id, { deletedAt: now });
    return branch;
  });
  for (const batch of batchesOf(parsed.messages)) {
    await seam.write(id, (tx) => {
      for (const message of batch) {
        const row = { id: ids.uuid() as MessageId, sessionId: id, branchId, turnId: null, now: clock.wall() };
        insertMessage(tx, { ...row, role: message.role, text: message.text, status: 'complete' });
      }
    });
    await new Promise<void>((resolve) => clock.nextTurn(resolve)); // others' turn
  }
  await seam.write(id, (tx) => changeSession(tx, id, { deletedAt: null, updatedAt: clock.wall() }), { durable: true });
  return id;
}

async function readText(file: string, name: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > FILE_MAX) throw new Error(`${size} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw new AppError('file-unreadable', {
      file: name,
      reason: error instanceof Error ? error.message : String(error),
    });
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
