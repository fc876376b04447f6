import type { ChatMessage, Job, Target, ToolSpec } from '../protocol';
import { apiRoot, serverRoot } from './address';
import { Answer } from './answer';
import { exchangeWith, HttpExchange } from './http-exchange';
import type { JobContext, JobEnd } from './job';
import { JobFailure } from './job-failure';
import { OpenAiEvents } from './openai-events';
import { readPicture } from './picture';
import { headerPatience } from './server-patience';

type OpenAiTarget = Extract<Target, { kind: 'openai' }>;
type Talk = Extract<Job, { kind: 'chat' | 'summary' }>;

/** Streams one answer of an OpenAI-compatible server. */
export async function openAiTalk(job: Talk, target: OpenAiTarget, context: JobContext): Promise<JobEnd> {
  const { sink, limits } = context;
  const answer = new Answer(context, job.kind === 'summary');
  sink.phase('connecting');
  const exchange = new HttpExchange({
    ...exchangeWith(target, context),
    headerMs: headerPatience(job.messages, limits, true),
    onSent: () => {
      answer.sent();
      sink.phase('reading');
    },
  });
  const events = new OpenAiEvents(
    {
      text: (text, thinking) => answer.text(text, thinking),
      call: (name, args) => answer.call(name, args),
      usage: (usage) => answer.usage(usage),
      progress: (done, of) => sink.phase('reading', done, of),
      alive: () => sink.alive(),
    },
    limits.lineBytes,
  );
  try {
    const response = await ask(exchange, target, job, context.signal);
    for await (const bytes of response.body ?? []) {
      events.feed(bytes);
      if (events.done) break;
      await sink.room();
    }
    context.signal.throwIfAborted();
    return answer.end(events.end());
  } finally {
    if (context.signal.aborted) await exchange.closed;
    sink.lateBytes(exchange.lateBytes);
  }
}

/** Servers of one dialect that refuse a parameter name it; these two are known to differ between models. */
async function ask(exchange: HttpExchange, target: OpenAiTarget, job: Talk, signal: AbortSignal): Promise<Response> {
  const body: Record<string, unknown> = {
    model: target.model,
    messages: await Promise.all(job.messages.map((message) => withPictures(message, signal))),
    ...('tools' in job && job.tools ? { tools: job.tools.map(toolOf) } : {}),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: job.maxTokens,
    ...(job.kind === 'summary' ? { temperature: 0 } : {}),
    ...(target.llamaServer ? { return_progress: true, cache_prompt: true } : {}),
  };
  for (let tries = 0; ; tries++) {
    try {
      return await exchange.fetch(`${apiRoot(target.address)}/chat/completions`, post(body));
    } catch (error) {
      if (tries > 1 || !(error instanceof JobFailure) || !accommodate(body, error)) throw error;
    }
  }
}

/** The message with its pictures as parts of its content. */
async function withPictures(message: ChatMessage, signal: AbortSignal): Promise<Record<string, unknown>> {
  const plain = messageOf(message);
  if (!message.images) return plain;
  const pictures = await Promise.all(message.images.map((path) => readPicture(path, signal)));
  const urls = pictures.map(({ media, base64 }) => `data:${media};base64,${base64}`);
  return {
    ...plain,
    content: [
      { type: 'text', text: message.content },
      ...urls.map((url) => ({ type: 'image_url', image_url: { url } })),
    ],
  };
}

function messageOf({ role, content, calls, answers }: ChatMessage): Record<string, unknown> {
  return {
    role,
    // beside calls an empty text is null: some servers refuse the empty string
    content: calls && content === '' ? null : content,
    ...(calls
      ? {
          tool_calls: calls.map(({ id, name, args }) => ({
            id,
            type: 'function',
            function: { name, arguments: args },
          })),
        }
      : {}),
    ...(answers ? { tool_call_id: answers.id } : {}),
  };
}

function toolOf({ name, description, schema }: ToolSpec): unknown {
  return { type: 'function', function: { name, description, parameters: schema } };
}

function accommodate(body: Record<string, unknown>, error: JobFailure): boolean {
  if (error.failure.fields.status !== 400 || error.failure.cause !== 'http') return false;
  if ('max_tokens' in body && error.message.includes('max_completion_tokens')) {
    body.max_completion_tokens = body.max_tokens;
    delete body.max_tokens;
    return true;
  }
  if ('temperature' in body && error.message.includes("'temperature'")) {
    delete body.temperature;
    return true;
  }
  return false;
}

/** Exact prompt tokens by llama.cpp's server: its template, then its tokenizer. */
export async function openAiCount(
  { messages, tools }: Extract<Job, { kind: 'count' }>,
  target: OpenAiTarget,
  context: JobContext,
): Promise<JobEnd> {
  const exchange = new HttpExchange({
    ...exchangeWith(target, context),
    headerMs: context.limits.headerMs,
    onSent: () => undefined,
  });
  const root = serverRoot(target.address);
  const body = { messages: messages.map(messageOf), ...(tools ? { tools: tools.map(toolOf) } : {}) };
  const templated = await (await exchange.fetch(`${root}/apply-template`, post(body))).json();
  const { prompt } = templated as { prompt?: unknown };
  if (typeof prompt !== 'string') throw new JobFailure('malformed', 'protocol', 'no prompt in /apply-template');
  const request = post({ content: prompt, add_special: true, parse_special: true });
  const { tokens } = (await (await exchange.fetch(`${root}/tokenize`, request)).json()) as { tokens?: unknown };
  if (!Array.isArray(tokens)) throw new JobFailure('malformed', 'protocol', 'no tokens in /tokenize');
  return { value: { tokens: tokens.length }, finish: 'stop' };
}

function post(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
