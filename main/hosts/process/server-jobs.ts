import { assertNever } from '../../../shared/exhaustive';
import type { Job, Target } from '../protocol';
import type { JobContext, JobEnd, RunJob } from './job';
import { JobFailure } from './job-failure';
import { ollamaLoad, ollamaTalk, ollamaUnload } from './ollama-client';
import { openAiCount, openAiTalk } from './openai-client';

/** Runs the jobs of models behind servers: roles `summarizer` and `chat`. */
export const runServerJob: RunJob = (job: Job, context: JobContext): Promise<JobEnd> => {
  const { target } = job;
  if (target.kind === 'embedded') throw wrongHost(job, target);
  switch (job.kind) {
    case 'chat':
    case 'summary':
      return target.kind === 'ollama' ? ollamaTalk(job, target, context) : openAiTalk(job, target, context);
    case 'count':
      if (target.kind === 'ollama') throw wrongHost(job, target);
      return openAiCount(job, target, context);
    case 'load':
      if (target.kind === 'openai') throw wrongHost(job, target);
      return ollamaLoad(target, context);
    case 'unload':
      if (target.kind === 'openai') throw wrongHost(job, target);
      return ollamaUnload(target, context);
    default:
      return assertNever(job);
  }
};

function wrongHost(job: Job, target: Target): JobFailure {
  return new JobFailure('refused', 'internal', `${target.kind} cannot ${job.kind}`);
}
