import { assertNever } from '../../../shared/exhaustive';
import { type HostJob, isModelJob } from '../protocol';
import type { JobContext, JobEnd, RunJob } from './job';
import { JobFailure } from './job-failure';
import { ollamaLoad, ollamaTalk, ollamaUnload } from './ollama-client';
import { openAiCount, openAiTalk } from './openai-client';

/** Runs the jobs of models behind servers: roles `summarizer` and `chat`. */
export const runServerJob: RunJob = (job: HostJob, context: JobContext): Promise<JobEnd> => {
  if (!isModelJob(job)) throw wrongHost(job, 'a model host');
  const { target } = job;
  if (target.kind === 'embedded') throw wrongHost(job, target.kind);
  switch (job.kind) {
    case 'chat':
    case 'summary':
      return target.kind === 'ollama' ? ollamaTalk(job, target, context) : openAiTalk(job, target, context);
    case 'count':
      if (target.kind === 'ollama') throw wrongHost(job, target.kind);
      return openAiCount(job, target, context);
    case 'load':
      if (target.kind === 'openai') throw wrongHost(job, target.kind);
      return ollamaLoad(target, context);
    case 'unload':
      if (target.kind === 'openai') throw wrongHost(job, target.kind);
      return ollamaUnload(target, context);
    default:
      return assertNever(job);
  }
};

function wrongHost(job: HostJob, host: string): JobFailure {
  return new JobFailure('refused', 'internal', `${host} cannot ${job.kind}`);
}
