import { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/errors';
import type { ReadDb } from '../database';
import { jobSteps, type ThreadInput, type ThreadJob, type ThreadOutput } from './jobs';

export type ToThread =
  | { readonly t: 'ask'; readonly id: number; readonly job: ThreadJob; readonly input: unknown }
  | { readonly t: 'checkpoint' }
  | { readonly t: 'close' };
export type FromThread =
  | { readonly t: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly t: 'failed'; readonly id: number; readonly message: string }
  | { readonly t: 'checkpointed'; readonly log: number; readonly done: number };

/** Main's side of the data thread: long reads without blocking main. */
export interface DataThread {
  /** @throws AppError `internal` where the job failed or the thread is gone. */
  ask<J extends ThreadJob>(job: J, input: ThreadInput<J>): Promise<ThreadOutput<J>>;
  /** Asks for one passive checkpoint; answers the frames of the log that are not yet in the database. */
  checkpoint(): Promise<number>;
  close(): Promise<void>;
}

/** Starts the worker on the first question. A thread that died is started again by the next one. */
export function startDataThread(entry: string, file: string): DataThread {
  let worker: Worker | null = null;
  let nextId = 1;
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const checkpoints: ((left: number) => void)[] = [];

  const fail = (error: unknown) => {
    worker = null;
    for (const one of waiting.values()) one.reject(new AppError('internal', { message: String(error) }, error));
    waiting.clear();
    for (const done of checkpoints.splice(0)) done(0);
  };
  const running = (): Worker => {
    if (worker) return worker;
    const started = new Worker(entry, { workerData: { file } });
    worker = started;
    started.on('message', (message: FromThread) => {
      if (message.t === 'checkpointed') {
        checkpoints.shift()?.(message.log - message.done);
        return;
      }
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.t === 'answer') one?.resolve(message.value);
      else one?.reject(new AppError('internal', { message: message.message }));
    });
    started.on('error', fail);
    started.on('exit', (code) => {
      if (worker === started) fail(`data thread ended with ${code}`);
    });
    return started;
  };
  return {
    ask: (job, input) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
        running().postMessage({ t: 'ask', id, job, input } satisfies ToThread);
      }),
    checkpoint: () =>
      new Promise((resolve) => {
        checkpoints.push(resolve);
        running().postMessage({ t: 'checkpoint' } satisfies ToThread);
      }),
    close: async () => {
      const ending = worker;
      if (!ending) return;
      const gone = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      ending.postMessage({ t: 'close' } satisfies ToThread);
      await gone;
    },
  };
}

/** The same jobs on a connection of the caller's own thread: for tests and command-line tools. */
export function localDataThread(db: ReadDb): DataThread {
  return {
    ask: async (job, input) => {
      const steps = jobSteps(db, job, input);
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value as never;
      }
    },
    checkpoint: async () => 0,
    close: async () => {},
  };
}
