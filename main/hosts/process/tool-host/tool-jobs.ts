import { assertNever } from '../../../../shared/exhaustive';
import { type HostJob, isModelJob } from '../../protocol';
import type { CallJob, ServerJob } from '../../tool-protocol';
import type { JobContext, JobEnd, RunJob } from '../job';
import { JobFailure } from '../job-failure';
import { goneFolders } from './gone-folders';
import { readFile } from './read-file';
import { searchFolder } from './search-folder';
import type { ServerRun } from './server-run';

/** UTF-16 units handed on at a time. */
const PIECE = 8_000;
/** Lines of progress are handed on at most this often, in milliseconds. */
const PROGRESS_MS = 100;

/** Runs what tools need: roles `tools` (servers and their calls) and `files`. */
export function toolRunner(): RunJob {
  const running = new Map<string, ServerRun>();
  return async (job: HostJob, context: JobContext): Promise<JobEnd> => {
    if (isModelJob(job) || job.kind === 'document' || job.kind === 'download')
      throw new JobFailure('refused', 'internal', `${job.kind} in a tool host`);
    switch (job.kind) {
      case 'tool-server':
        return serve(job, context);
      case 'tool-call': {
        const { text, failed } = await call(job, context);
        return say(text, failed, context);
      }
      case 'read-file':
        return say(await readFile(job, context.signal), false, context);
      case 'search-folder':
        return say(await searchFolder(job, context.signal, progressOf(context)), false, context);
      case 'gone-folders':
        return say((await goneFolders(job.folders, context.clock)).join('\n'), false, context);
      default:
        return assertNever(job);
    }
  };

  /** Ends with the server: by a fault of its own, or by the cancel, once nothing of it runs. */
  async function serve(job: ServerJob, { sink, signal, clock }: JobContext): Promise<JobEnd> {
    // the SDK is loaded with the first server: who only reads files has no use for it
    const { ServerRun } = await import('./server-run');
    if (running.has(job.server)) throw new JobFailure('refused', 'internal', 'it runs already');
    const run = new ServerRun({
      job,
      clock,
      tools: (list) => sink.tools(list),
      stderr: (lines) => sink.stderr(lines),
    });
    running.set(job.server, run);
    const cancelled = new Promise<null>((resolve) => {
      if (signal.aborted) resolve(null);
      else signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    const fault = await Promise.race([run.failed, cancelled]);
    running.delete(job.server); // no call begins any more
    await run.stop();
    throw fault ?? new JobFailure('died', 'internal', 'stopped');
  }

  async function call(job: CallJob, context: JobContext): Promise<{ text: string; failed: boolean }> {
    const run = running.get(job.server);
    if (!run) throw new JobFailure('refused', 'internal', 'the server does not run');
    return run.call(job, context.signal, progressOf(context));
  }
}

function progressOf({ sink, clock }: JobContext): (line: string) => void {
  let told = Number.NEGATIVE_INFINITY;
  return (line) => {
    if (clock.monotonic() - told < PROGRESS_MS) return;
    told = clock.monotonic();
    sink.progress(line);
  };
}

async function say(text: string, failed: boolean, { sink, signal }: JobContext): Promise<JobEnd> {
  for (let at = 0; at < text.length; at += PIECE) {
    signal.throwIfAborted();
    sink.text(text.slice(at, at + PIECE));
    await sink.room();
  }
  return { value: { failed }, finish: 'stop' };
}
