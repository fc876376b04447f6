import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JobContext } from '../hosts/process/job';
import { readDocument } from '../hosts/process/read-document';
import type { DocumentJob, FailedFrame, StreamId } from '../hosts/protocol';
import type { StreamHandle } from '../hosts/stream-handle';
import { makePdf } from '../testing/documents';
import { ManualClock } from '../testing/manual-clock';
import { SimulatedStream } from '../testing/simulated-host';
import { documentText } from './document-text';

const document = { path: '/a.pdf', format: 'pdf', name: 'a.pdf' } as const;
const failed = (change: Partial<FailedFrame>): FailedFrame => ({
  t: 'failed',
  kind: 'died',
  cause: 'internal',
  name: 'Error',
  message: '',
  fields: {},
  ...change,
});

describe('the text of a document', () => {
  const reading = () => {
    const clock = new ManualClock();
    const stream = new SimulatedStream(1 as StreamId, { kind: 'load', target: {} as never });
    const text = documentText({ read: () => stream as StreamHandle }, clock, document);
    text.catch(() => {});
    return { clock, stream, text };
  };

  test('is put together of its pieces', async () => {
    const { stream, text } = reading();
    stream.emit({ t: 'text', text: 'one ' });
    stream.answer('two');
    expect(await text).toBe('one two');
  });

  test.each([
    ['attachment-locked', failed({ name: 'PasswordException' })],
    ['attachment-too-long', failed({ kind: 'too-large' })],
    ['attachment-damaged', failed({ name: 'InvalidPDFException' })],
    ['attachment-damaged', { t: 'exited', code: 1, killedByUs: false } as const],
  ])('is refused as %s', async (code, end) => {
    const { stream, text } = reading();
    stream.settle(end);
    await expect(text).rejects.toMatchObject({ code, fields: { file: 'a.pdf' } });
  });

  test('is given up when its reader falls silent, however long it took before', async () => {
    const { clock, stream, text } = reading();
    for (let i = 0; i < 5; i++) {
      clock.advance(50_000);
      stream.emit({ t: 'phase', phase: 'reading', done: i, of: 9 });
    }
    expect(stream.killed).toBe(false);
    clock.advance(61_000);
    expect(stream.killed).toBe(true);
    await expect(text).rejects.toMatchObject({ code: 'attachment-damaged' });
  });

  test('ends where more of it comes than is taken', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-document-'));
    const path = join(folder, 'a.pdf');
    writeFileSync(path, makePdf(['twelve chars', 'twelve chars']));
    const said: string[] = [];
    const sink = { phase: () => {}, text: (text: string) => said.push(text), room: () => Promise.resolve() };
    const context = { sink, signal: new AbortController().signal } as unknown as JobContext;
    const job = (maxChars: number): DocumentJob => ({ kind: 'document', path, format: 'pdf', maxChars });
    await expect(readDocument(job(20), context)).rejects.toMatchObject({ failure: { kind: 'too-large' } });
    expect(said).toEqual(['twelve chars']);
    await expect(readDocument(job(26), context)).resolves.toMatchObject({ finish: 'stop' });
    rmSync(folder, { recursive: true });
  });
});
