/** Entry of main's worker thread: a read-only connection for whatever may be long, and the passive checkpoints. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadDb, WriteDb } from '../database';
import { openForCheckpoints, openForReading } from '../open';
import type { ToThread } from './client';
import { type ThreadJob, threadJobs } from './jobs';

const file = (workerData as { file: string }).file;
let reader: ReadDb | null = null;
let checkpointer: WriteDb | null = null;

parentPort?.on('message', (message: ToThread) => {
  if (message.t === 'close') {
    reader?.close();
    checkpointer?.close();
    process.exit(0);
  }
  if (message.t === 'checkpoint') {
    checkpointer ??= openForCheckpoints(file);
    const [result] = checkpointer.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
    parentPort?.postMessage({ t: 'checkpointed', log: result?.log ?? 0, done: result?.checkpointed ?? 0 });
    return;
  }
  try {
    reader ??= openForReading(file);
    const job = threadJobs[message.job as ThreadJob] as (db: ReadDb, input: unknown) => unknown;
    parentPort?.postMessage({ t: 'answer', id: message.id, value: job(reader, message.input) });
  } catch (error) {
    parentPort?.postMessage({
      t: 'failed',
      id: message.id,
      message: error instanceof Error ? error.message : String(error),
    });
  }
});
