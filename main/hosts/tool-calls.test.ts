import { LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import { Collected } from '../testing/collect';
import { inProcessFork } from '../testing/in-process-fork';
import { startOllamaServer } from '../testing/ollama-server';
import { startScriptedServer } from '../testing/scripted-server';
import { HostPool } from './pool';
import type { ChatMessage, Job, Target, ToolSpec } from './protocol';
import { isRefusal } from './stream-handle';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const tools: ToolSpec[] = [
  {
    name: 'recall',
    description: 'Searches earlier messages.',
    schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
];
const CALLS = [
  { name: 'recall', args: { query: 'the port' } },
  { name: 'recall', args: { query: '端口' } },
];
const question: ChatMessage = { role: 'user', content: 'Which port?' };
const answered: ChatMessage[] = [
  question,
  { role: 'assistant', content: '', calls: [{ id: 'c00000a00', name: 'recall', args: '{"query":"the port"}' }] },
  { role: 'tool', content: 'Message 3: 8471', answers: { id: 'c00000a00', name: 'recall' } },
];

const openai = (address: string): Target => ({ kind: 'openai', address, model: 'scripted', key: null });
const ollama = (address: string): Target => ({
  kind: 'ollama',
  address,
  model: 'tiny-echo',
  key: null,
  keepSeconds: 600,
  askWindow: 4_096,
});
function open(target: Target, messages: readonly ChatMessage[], offered: readonly ToolSpec[] = tools): Collected {
  const pool = new HostPool({
    fork: inProcessFork(),
    clock: systemClock,
    instance: 'test',
    platform: 'win32',
    log: silentLog,
  });
  closing.push(() => pool.close(500));
  const job: Job = { kind: 'chat', target, messages, tools: offered, maxTokens: 200 };
  const opened = pool.open(job);
  if (isRefusal(opened)) throw new Error(opened.refused);
  return new Collected(opened);
}

describe('calls of tools', () => {
  test('OpenAI-compatible: the list is sent, calls in pieces are joined, results go back with their ids', async () => {
    const server = await startScriptedServer({ dialect: 'plain' });
    closing.push(server.close);
    server.behave({ calls: CALLS, text: 'Let me look.' });
    const first = open(openai(server.address), [question]);
    expect(await first.end).toEqual({ t: 'result', value: { text: 'Let me look.' }, finish: 'calls' });
    expect(first.calls).toEqual(CALLS.map(({ name, args }) => ({ name, args: JSON.stringify(args) })));
    const sent = server.chats()[0]?.body.tools as { type: string; function: { parameters: unknown } }[];
    expect(sent).toMatchObject([{ type: 'function', function: { name: 'recall', parameters: tools[0]?.schema } }]);

    const second = open(openai(server.address), answered);
    expect(await second.end).toMatchObject({ t: 'result', finish: 'stop' });
    expect(server.chats()[1]?.body.messages).toEqual([
      { role: 'user', content: 'Which port?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c00000a00', type: 'function', function: { name: 'recall', arguments: '{"query":"the port"}' } },
        ],
      },
      { role: 'tool', content: 'Message 3: 8471', tool_call_id: 'c00000a00' },
    ]);
  });

  test('Ollama: the same in its own form', async () => {
    const server = await startOllamaServer({ tools: true });
    closing.push(server.close);
    server.behave({ calls: CALLS, text: '' });
    const first = open(ollama(server.address), [question]);
    expect(await first.end).toEqual({ t: 'result', value: { text: '' }, finish: 'calls' });
    expect(first.calls).toEqual(CALLS.map(({ name, args }) => ({ name, args: JSON.stringify(args) })));
    expect(server.chats()[0]?.body.tools).toMatchObject([{ type: 'function', function: { name: 'recall' } }]);

    server.behave({ text: 'On 8471.' });
    expect(await open(ollama(server.address), answered).end).toMatchObject({ t: 'result', finish: 'stop' });
    expect(server.chats()[1]?.body.messages).toEqual([
      { role: 'user', content: 'Which port?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'recall', arguments: { query: 'the port' } } }],
      },
      { role: 'tool', content: 'Message 3: 8471', tool_name: 'recall' },
    ]);
  });

  test('aimock, a maintained mock of the API, is understood', async () => {
    const mock = new LLMock({ port: 0 });
    mock.onMessage('Which port?', { toolCalls: [{ name: 'recall', arguments: '{"query":"port"}' }] });
    await mock.start();
    closing.push(() => mock.stop());
    const stream = open({ kind: 'openai', address: `${mock.url}/v1`, model: 'mock', key: 'mock' }, [question]);
    expect(await stream.end).toMatchObject({ t: 'result', finish: 'calls' });
    expect(stream.calls).toEqual([{ name: 'recall', args: '{"query":"port"}' }]);
  });

  test('a call that the limit of the answer cut off is none', async () => {
    const server = await startScriptedServer({ dialect: 'plain' });
    closing.push(server.close);
    const cut = `data: ${JSON.stringify({
      choices: [
        {
          index: 0,
          finish_reason: 'length',
          delta: { tool_calls: [{ index: 0, id: 'x', function: { name: 'recall', arguments: '{"que' } }] },
        },
      ],
    })}\n\ndata: [DONE]\n\n`;
    server.behave({ error: { status: 200, body: cut, headers: { 'content-type': 'text/event-stream' } } });
    expect(await open(openai(server.address), [question]).end).toMatchObject({ t: 'failed', kind: 'cut' });
  });

  test.each([
    [400, '{"error":{"message":"registry.ollama.ai/library/tiny does not support tools"}}'],
    [500, '{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}'],
    [
      400,
      '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}',
    ],
    [404, '{"error":{"message":"No endpoints found that support tool use.","code":404}}'],
  ])('a refusal of tools is told apart (%s %s)', async (status, body) => {
    const server = await startScriptedServer({ dialect: 'plain' });
    closing.push(server.close);
    server.behave({ error: { status, body } });
    expect(await open(openai(server.address), [question]).end).toMatchObject({ t: 'failed', cause: 'no-tools' });
  });

  test('Ollama refuses tools for a model without them', async () => {
    const server = await startOllamaServer();
    closing.push(server.close);
    expect(await open(ollama(server.address), [question]).end).toMatchObject({ t: 'failed', cause: 'no-tools' });
  });

  test.each([
    [400, '{"error":{"message":"Invalid value for tool_choice"}}'],
    [429, '{"error":{"message":"Rate limit reached for tokens"}}'],
    [500, '{"error":{"message":"the tool shed is on fire"}}'],
  ])('another refusal is not (%s %s)', async (status, body) => {
    const server = await startScriptedServer({ dialect: 'plain' });
    closing.push(server.close);
    server.behave({ error: { status, body } });
    const end = await open(openai(server.address), [question]).end;
    expect(end).toMatchObject({ t: 'failed' });
    expect(end).not.toMatchObject({ cause: 'no-tools' });
  });
});
