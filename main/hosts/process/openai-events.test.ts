import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UsageFrame } from '../protocol';
import { OpenAiEvents } from './openai-events';

const LINE = 1_000_000;
const recorded = readFileSync(join(import.meta.dirname, '../../testing/recorded/llama-server-chat-stream.sse.txt'));

function reader(lineBytes = LINE) {
  const said = {
    text: '',
    thinking: '',
    usage: {} as UsageFrame,
    alive: 0,
    progress: [] as number[],
    calls: [] as string[],
  };
  const events = new OpenAiEvents(
    {
      text: (text, thinking) => {
        said[thinking ? 'thinking' : 'text'] += text;
      },
      call: (name, args) => said.calls.push(`${name} ${args}`),
      usage: (usage) => Object.assign(said.usage, usage),
      progress: (done) => said.progress.push(done),
      alive: () => said.alive++,
    },
    lineBytes,
  );
  return { said, events };
}
const read = (body: string | Uint8Array) => {
  const { said, events } = reader();
  events.feed(typeof body === 'string' ? Buffer.from(body) : body);
  return { said, finish: events.end(), done: events.done };
};
const data = (body: unknown) => `data: ${JSON.stringify(body)}\n\n`;
const delta = (content: string) => data({ choices: [{ delta: { content } }] });
const END = data({ choices: [{ delta: {}, finish_reason: 'stop' }] });

test('the recorded answer of llama.cpp is read the same, cut in two at every byte', () => {
  const whole = read(recorded);
  expect(whole.said.text).toBe('The rabbit met a wise owl.');
  expect(whole).toMatchObject({
    finish: 'stop',
    done: true,
    said: {
      usage: {
        prompt: 22,
        output: 19,
        cached: 0,
        prefillRate: expect.closeTo(94.8, 0),
        decodeRate: expect.closeTo(59.7, 0),
      },
    },
  });
  for (let at = 1; at < recorded.length; at++) {
    const { said, events } = reader();
    events.feed(recorded.subarray(0, at));
    events.feed(recorded.subarray(at));
    expect(events.end()).toBe('stop');
    expect(said.text).toBe(whole.said.text);
    expect(said.usage).toEqual(whole.said.usage);
  }
});

test('characters of several bytes survive being cut', () => {
  const bytes = Buffer.from(delta('Grüße 你好 🎉') + END);
  const { said, events } = reader();
  for (const byte of bytes) events.feed(Uint8Array.of(byte));
  events.end();
  expect(said.text).toBe('Grüße 你好 🎉');
});

test('reasoning, keep-alives and progress are told apart from the answer', () => {
  const { said } = read(
    `: ping\n\n${data({ choices: [{ delta: { reasoning_content: 'hm' } }] })}${data({ choices: [{ delta: {} }], prompt_progress: { total: 90, processed: 30 } })}${delta('yes')}${END}`,
  );
  expect(said).toMatchObject({ text: 'yes', thinking: 'hm', progress: [30] });
  expect(said.alive).toBeGreaterThanOrEqual(2);
});

test.each([
  [
    'an error event',
    `${delta('a')}event: error\ndata: {"message":"boom"}\n\n`,
    { kind: 'died', cause: 'server-error' },
  ],
  [
    'an error in data',
    data({ error: { message: 'boom', code: 500 } }),
    { kind: 'died', cause: 'server-error', message: 'boom' },
  ],
  [
    'an overflow inside the stream',
    data({ error: 'Reached context length of 4096 tokens' }),
    { cause: 'overflow', fields: { windowTokens: 4096 } },
  ],
  ['a bare error line', '{"error":{"message":"boom"}}\n\n', { kind: 'died', cause: 'server-error' }],
  ['broken JSON', 'data: {"choices":[\n\n', { kind: 'malformed', cause: 'protocol' }],
  ['a stream that breaks off', delta('half'), { kind: 'died', name: 'StreamEnded' }],
])('%s fails', (_name, body, failure) => {
  expect(() => read(body)).toThrowError(expect.objectContaining({ failure: expect.objectContaining(failure) }));
});

test('a line without end is refused at its limit, not kept', () => {
  const { events } = reader(1_000);
  const flood = () => {
    for (let i = 0; i < 100; i++) events.feed(Buffer.from('data: '.padEnd(100, 'x')));
  };
  expect(flood).toThrowError(expect.objectContaining({ failure: expect.objectContaining({ kind: 'malformed' }) }));
});

test('what follows [DONE] is not part of the answer', () => {
  expect(read(`${delta('yes')}${END}data: [DONE]\n\n${delta('no')}`).said.text).toBe('yes');
});
