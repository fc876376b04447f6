import { assertNever } from '../../../../shared/exhaustive';
import type { Clock } from '../../../lib/clock';
import { type HostJob, isModelJob } from '../../protocol';
import type { JobContext, JobEnd, RunJob } from '../job';
import { JobFailure } from '../job-failure';
import { chatHistory } from './chat-history';
import { talk } from './generate';
import { type EmbeddedTarget, LoadedModel } from './loaded-model';

/** The summaries' context is given back this long after its last use. */
const SUMMARY_LANE_MS = 60_000;

/** Runs the jobs of the one GGUF file that this process holds. */
export function embeddedRunner(): RunJob {
  const shelf = new Shelf();
  return async (job: HostJob, context: JobContext): Promise<JobEnd> => {
    if (!isModelJob(job)) throw new JobFailure('refused', 'internal', `${job.kind} in an embedded host`);
    const { target } = job;
    if (target.kind !== 'embedded') throw new JobFailure('refused', 'internal', `${target.kind} in an embedded host`);
    switch (job.kind) {
      case 'chat':
      case 'summary': {
        const loaded = await shelf.loaded(target, context);
        try {
          return await talk(job, target, loaded, context);
        } finally {
          if (job.kind === 'summary') shelf.summaryEnded(loaded, context);
        }
      }
      case 'count': {
        const loaded = await shelf.loaded(target, context);
        const tokens = loaded.promptTokens(chatHistory(job.messages)).length;
        return { value: { tokens }, finish: 'stop' };
      }
      case 'load': {
        const loaded = await shelf.loaded(target, context);
        return { value: { served: loaded.window, trained: loaded.trained || null }, finish: 'stop' };
      }
      case 'unload':
        await shelf.clear();
        return { value: null, finish: 'stop' };
      default:
        return assertNever(job);
    }
  };
}

/** Holds the loaded model; a request for another window or thread count loads it anew. */
class Shelf {
  #key = '';
  #model: Promise<LoadedModel> | null = null;
  #progress = new Set<(percent: number) => void>();
  #disarm: (() => void) | null = null;

  async loaded(target: EmbeddedTarget, { sink, signal, clock }: JobContext): Promise<LoadedModel> {
    const key = JSON.stringify([target.path, target.askWindow, target.threads]);
    if (key !== this.#key) {
      await this.clear();
      this.#key = key;
    }
    const tell = (percent: number) => sink.phase('loading', percent, 100);
    this.#progress.add(tell);
    try {
      this.#model ??= this.#load(target, clock, tell);
      return await firstOf(this.#model, signal);
    } finally {
      this.#progress.delete(tell);
    }
  }

  summaryEnded(loaded: LoadedModel, { clock }: JobContext): void {
    this.#disarm?.();
    this.#disarm = clock.after(SUMMARY_LANE_MS, () => void loaded.dropSummaryLane());
  }

  async clear(): Promise<void> {
    this.#disarm?.();
    this.#disarm = null;
    const model = this.#model;
    this.#model = null;
    this.#key = '';
    await model?.then((loaded) => loaded.dispose()).catch(() => undefined);
  }

  #load(target: EmbeddedTarget, clock: Clock, tell: (percent: number) => void): Promise<LoadedModel> {
    tell(0);
    const loading = LoadedModel.load(target, clock, (percent) => {
      for (const listener of this.#progress) listener(percent);
    });
    loading.catch(() => {
      if (this.#model === loading) this.#model = null; // the next request tries again
    });
    return loading;
  }
}

/** A cancelled stream does not wait for a load that others may want, and that evaluates nothing. */
function firstOf<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
