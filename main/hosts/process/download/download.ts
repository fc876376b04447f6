import type http from 'node:http';
import type { DownloadJob, DownloadTry, HostJob } from '../../protocol';
import type { JobContext, JobEnd, RunJob } from '../job';
import { JobFailure } from '../job-failure';
import { askForFile, bytesOf, type Fetching } from './download-request';
import { outcomeOfError, outcomeOfStatus } from './download-try';
import { PartFile } from './part-file';
import { Progress } from './progress';

/** Brings files here: role `downloads`. Writing and the checksum are its work, so that main does neither. */
export const runDownload: RunJob = async (job: HostJob, context: JobContext): Promise<JobEnd> => {
  if (job.kind !== 'download') throw new JobFailure('refused', 'internal', `${job.kind} in a download host`);
  const part = new PartFile(job.path);
  try {
    return { value: await oneTry(job, part, context), finish: 'stop' };
  } catch (error) {
    if (context.signal.aborted) throw error;
    const outcome = outcomeOfError(error, new URL(job.url).host);
    if (!outcome) throw error;
    return { value: outcome, finish: 'stop' };
  } finally {
    await part.close();
  }
};

async function oneTry(job: DownloadJob, part: PartFile, context: JobContext): Promise<DownloadTry> {
  const { signal, sink } = context;
  sink.phase('connecting');
  const reading = new Progress(context, 'reading');
  try {
    await part.take(job.bytes, signal, reading.heard);
  } finally {
    reading.end();
  }
  let kept = part.size;
  if (part.size < job.bytes) {
    const ended = await fetchRest(job, part, context, (bytes) => {
      kept = bytes;
    });
    if (ended) return ended;
  }
  if (part.digest() !== job.sha256) {
    await part.remove();
    return { kind: 'wrong-hash', whole: kept === 0 };
  }
  await part.note({ ...job.record, etag: null });
  await part.finish();
  return { kind: 'done' };
}

/** null = every byte is here. `keeps` hears how many bytes of an earlier try the server lets us go on from. */
async function fetchRest(
  job: DownloadJob,
  part: PartFile,
  context: JobContext,
  keeps: (bytes: number) => void,
): Promise<DownloadTry | null> {
  const etag = await part.etag();
  let answer = await ask(job, part.size, etag, context);
  if (answer.statusCode === 416 || isOther(answer, part.size, etag)) {
    // what is here belongs to another file, or the server cannot go on from it
    answer.destroy();
    await part.startOver();
    answer = await ask(job, 0, null, context);
  }
  const status = answer.statusCode ?? 0;
  if (status !== 200 && status !== 206) {
    answer.destroy();
    return outcomeOfStatus(status, answer.headers['retry-after']);
  }
  if (status === 200) await part.startOver(); // it ignored the range, or has a newer file
  keeps(part.size);
  const length = lengthOf(answer, part.size);
  if (length !== null && length !== job.bytes) return otherFile(part, answer, length);
  await part.note({ ...job.record, etag: strongTag(answer) });
  const loading = new Progress(context, 'loading');
  loading.heard(part.size, job.bytes);
  try {
    for await (const bytes of bytesOf(answer, fetching(job, context, {}))) {
      context.signal.throwIfAborted();
      if (part.size + bytes.length > job.bytes) return await otherFile(part, answer, part.size + bytes.length);
      await part.append(bytes);
      loading.heard(part.size, job.bytes);
    }
  } finally {
    loading.end();
  }
  if (part.size === job.bytes) return null;
  // an end that is too early: the server meant it so where it sent all it has and named no length
  return status === 200 && length === null ? otherFile(part, answer, part.size) : { kind: 'cut' };
}

async function otherFile(part: PartFile, answer: http.IncomingMessage, got: number): Promise<DownloadTry> {
  answer.destroy();
  await part.remove();
  return { kind: 'wrong-length', got };
}

function ask(job: DownloadJob, from: number, etag: string | null, context: JobContext): Promise<http.IncomingMessage> {
  const headers = {
    'user-agent': 'Palimpsest',
    accept: '*/*',
    'accept-encoding': 'identity', // the checksum is of the file, not of what a server makes of it
    ...(from > 0 ? { range: `bytes=${from}-`, ...(etag === null ? {} : { 'if-range': etag }) } : {}),
  };
  return askForFile(job.url, fetching(job, context, headers));
}

function fetching(job: DownloadJob, { signal, clock }: JobContext, headers: Fetching['headers']): Fetching {
  return { signal, clock, patienceMs: job.patienceMs, headers, proxy: job.proxy };
}

/** True where a part of the file came that does not go on from what is here. */
function isOther(answer: http.IncomingMessage, have: number, etag: string | null): boolean {
  if (answer.statusCode !== 206) return false;
  const now = strongTag(answer);
  if (etag !== null && now !== null && now !== etag) return true;
  return rangeOf(answer)?.from !== have;
}

/** Bytes of the whole file by the server's word; null = it does not say. */
function lengthOf(answer: http.IncomingMessage, have: number): number | null {
  if (answer.statusCode === 206) return rangeOf(answer)?.of ?? null;
  const length = Number(answer.headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? have + length : null;
}

function rangeOf(answer: http.IncomingMessage): { readonly from: number; readonly of: number | null } | null {
  const found = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(answer.headers['content-range'] ?? '');
  if (!found) return null;
  return { from: Number(found[1]), of: found[2] === '*' ? null : Number(found[2]) };
}

/** A weak tag promises nothing about bytes. */
function strongTag(answer: http.IncomingMessage): string | null {
  const { etag } = answer.headers;
  return etag === undefined || etag.startsWith('W/') ? null : etag;
}
