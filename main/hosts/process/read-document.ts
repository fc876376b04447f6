import { readFile } from 'node:fs/promises';
import type { DocumentJob, HostJob } from '../protocol';
import type { JobContext, JobEnd, RunJob } from './job';
import { JobFailure } from './job-failure';

/** UTF-16 units handed on at a time. */
const PIECE = 8_000;
/** Pages between two signs of life. */
const TELL_EACH = 10;

/** Reads the text of PDF and Word files: role `documents`. What a file cannot be read for is told by its error's name. */
export const readDocument: RunJob = async (job: HostJob, context: JobContext): Promise<JobEnd> => {
  if (job.kind !== 'document') throw new JobFailure('refused', 'internal', `${job.kind} in a document host`);
  const out = new Out(job, context);
  context.sink.phase('reading');
  const bytes = await readFile(job.path, { signal: context.signal });
  if (job.format === 'pdf') await readPdf(bytes, out, context);
  else await readDocx(bytes, out);
  return { value: null, finish: 'stop' };
};

/** Page by page, so that a long one can be stopped and shows how far it is. */
async function readPdf(bytes: Buffer, out: Out, context: JobContext): Promise<void> {
  const { getDocumentProxy } = await import('unpdf');
  // scripts in a file are never run, and what is damaged is told instead of printed
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, verbosity: 0 });
  try {
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const words = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
      await out.say(number === 1 || words.trim() === '' ? words : `\n\n${words}`);
      if (number % TELL_EACH === 0) context.sink.phase('reading', number, pdf.numPages);
      page.cleanup();
    }
  } finally {
    await pdf.destroy();
  }
}

async function readDocx(bytes: Buffer, out: Out): Promise<void> {
  const { default: mammoth } = await import('mammoth');
  const { value } = await mammoth.extractRawText({ buffer: bytes });
  await out.say(value.replace(/\n{3,}/g, '\n\n').trim());
}

class Out {
  readonly #job: DocumentJob;
  readonly #context: JobContext;
  #said = 0;

  constructor(job: DocumentJob, context: JobContext) {
    this.#job = job;
    this.#context = context;
  }

  async say(text: string): Promise<void> {
    const { sink, signal } = this.#context;
    this.#said += text.length;
    if (this.#said > this.#job.maxChars)
      throw new JobFailure('too-large', 'internal', 'more text than is taken', { chars: this.#job.maxChars });
    for (let at = 0; at < text.length; at += PIECE) {
      signal.throwIfAborted();
      sink.text(text.slice(at, at + PIECE));
      await sink.room();
    }
  }
}
