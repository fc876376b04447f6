import type { ReadFileJob } from '../../tool-protocol';
import { FileRefusal } from './file-refusal';
import { grantedPath } from './granted-path';
import { cutResult } from './result-text';
import { readTextFile } from './text-file';

/** Lines of one text file, each as it is, under a head that says which and how many there are. */
export async function readFile(job: ReadFileJob, signal: AbortSignal): Promise<string> {
  const place = await grantedPath(job, job.path);
  const { shown } = place;
  const lines = (await readTextFile(place, signal)).split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop(); // what ends with a line break has no line after it
  if (lines.length === 0) return `${shown} is empty.`;
  if (job.from > lines.length) throw new FileRefusal(`${shown} has ${lines.length} lines, none from ${job.from} on`);
  const part = lines.slice(job.from - 1, job.from - 1 + job.lines);
  const to = job.from + part.length - 1;
  return cutResult(`[${shown}, lines ${job.from} to ${to} of ${lines.length}]\n${part.join('\n')}`);
}
