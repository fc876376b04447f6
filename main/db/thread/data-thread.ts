/** Entry of main's worker thread: a read-only connection for whatever may be long, and the passive checkpoints. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadDb, WriteDb } from '../database';
import { openForCheckpoints, openForReading } from '../open';
import type { ToThread } from './client';
import { jobSteps } from './jobs';
import type { Steps } from './read-range';

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
    go(message.id, jobSteps(reader, message.job, message.input));
  } catch (error) {
    fail(message.id, error);
  }
});

/** One step of a job, and the next after whatever else was asked meanwhile. */
function go(id: number, steps: Steps<unknown>): void {
  try {
    const step = steps.next();
    if (step.done) parentPort?.postMessage({ t: 'answer', id, value: step.value });
    else setImmediate(() => go(id, steps));
  } catch (error) {
    fail(id, error);
  }
}

function fail(id: number, error: unknown): void {
  parentPort?.postMessage({ t: 'failed', id, message: error instanceof Error ? error.message : String(error) });
}
