/** The text of a document, read in a process of its own. */
import { AppError } from '../../shared/errors';
import { ATTACHED_CHARS_MAX } from '../../shared/model/attachment';
import type { DocumentJob } from '../hosts/protocol';
import { isRefusal, type OpenRefusal, type StreamEnd, type StreamHandle } from '../hosts/stream-handle';
import type { Clock } from '../lib/clock';

/** Milliseconds without a sign of life after which its reader is given up. */
const SILENCE_MS = 60_000;

export interface DocumentHost {
  read(job: DocumentJob): StreamHandle | OpenRefusal;
}

/** @throws AppError `attachment-locked`, `-damaged`, `-no-text`, `-too-long`, `busy`. */
export async function documentText(
  host: DocumentHost,
  clock: Clock,
  document: { readonly path: string; readonly format: DocumentJob['format']; readonly name: string },
): Promise<string> {
  const { path, format, name: file } = document;
  const stream = host.read({ kind: 'document', path, format, maxChars: ATTACHED_CHARS_MAX });
  if (isRefusal(stream)) throw new AppError('busy');
  let text = '';
  let disarm = clock.after(SILENCE_MS, () => stream.kill());
  const end = await new Promise<StreamEnd>((resolve) => {
    stream.on((event) => {
      disarm();
      if (event.t === 'settled') return resolve(event.end);
      disarm = clock.after(SILENCE_MS, () => stream.kill());
      if (event.t === 'text') text += event.text;
    });
  });
  if (end.t === 'failed' && end.kind === 'too-large')
    throw new AppError('attachment-too-long', { file, limit: ATTACHED_CHARS_MAX });
  if (end.t === 'failed' && end.name === 'PasswordException') throw new AppError('attachment-locked', { file });
  if (end.t !== 'result') throw new AppError('attachment-damaged', { file });
  if (text.trim() === '') throw new AppError('attachment-no-text', { file });
  return text;
}
