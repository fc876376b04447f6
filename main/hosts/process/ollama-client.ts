import { type ChatRequest, type ChatResponse, type Message, type ModelResponse, Ollama, type Tool } from 'ollama';
import type { ChatMessage, Job, ResultFrame, Target, ToolSpec, UsageFrame } from '../protocol';
import { serverRoot } from './address';
import { Answer } from './answer';
import { exchangeWith, failureOfBody, HttpExchange } from './http-exchange';
import type { JobContext, JobEnd } from './job';
import { JobFailure } from './job-failure';
import { readPicture } from './picture';
import { headerPatience } from './server-patience';

type OllamaTarget = Extract<Target, { kind: 'ollama' }>;
/** The client's type does not know the window; servers before 0.9 lack it. */
type Running = ModelResponse & { readonly context_length?: number };
type Talk = Extract<Job, { kind: 'chat' | 'summary' }>;

/** Ollama is asked this long which models are loaded. */
const ASK_MS = 2_000;
/** Between two looks at a server that loads. */
const SIGN_MS = 10_000;

/**
 * `shift` and `truncate` are not in the client's types but pass through it. Without them Ollama cuts the front of a
 * long prompt in silence; with them it answers 400.
 */
type FullRequest = ChatRequest & { stream: true; shift: false; truncate: false };

/** Streams one answer of Ollama's native API, with the context window asked for. */
export async function ollamaTalk(job: Talk, target: OllamaTarget, context: JobContext): Promise<JobEnd> {
  const { sink, limits, signal } = context;
  const answer = new Answer(context, job.kind === 'summary');
  sink.phase('connecting');
  if (!(await isLoaded(target, context))) await load(target, context);
  const exchange = new HttpExchange({
    ...exchangeWith(target, context),
    headerMs: headerPatience(job.messages, limits, false),
    onSent: () => {
      answer.sent();
      sink.phase('reading');
    },
  });
  const request: FullRequest = {
    model: target.model,
    messages: await Promise.all(job.messages.map((message) => withPictures(message, signal))),
    ...('tools' in job && job.tools ? { tools: job.tools.map(toolOf) } : {}),
    stream: true,
    keep_alive: target.keepSeconds,
    shift: false,
    truncate: false,
    options: {
      num_ctx: target.askWindow,
      num_predict: job.maxTokens,
      ...(job.kind === 'summary' ? { temperature: 0 } : {}),
    },
  };
  try {
    const pieces = await client(target, exchange).chat(request);
    let finish: ResultFrame['finish'] = 'stop';
    for await (const piece of pieces) {
      signal.throwIfAborted();
      take(piece, answer, sink);
      if (piece.done) {
        finish = piece.done_reason === 'length' ? 'length' : 'stop';
        answer.usage(usageOf(piece, job.kind === 'summary'));
      }
      await sink.room();
    }
    return answer.end(finish);
  } catch (error) {
    throw signal.aborted ? error : inStream(error);
  } finally {
    if (signal.aborted) await exchange.closed;
    sink.lateBytes(exchange.lateBytes);
  }
}

/** Loads the model with the window asked for and tells what the server then really gives. */
export async function ollamaLoad(target: OllamaTarget, context: JobContext): Promise<JobEnd> {
  await load(target, context);
  const models = await running(target, context);
  return { value: { served: windowOf(models ?? [], target.model) ?? target.askWindow, trained: null }, finish: 'stop' };
}

/**
 * Brings the model into memory by a request of its own, so that loading and reading are told apart and each has its
 * own patience; answered at once where it is there.
 */
async function load(target: OllamaTarget, context: JobContext): Promise<void> {
  const { sink, signal, limits } = context;
  const over = new AbortController();
  const signs = tellSigns(target, { ...context, signal: AbortSignal.any([signal, over.signal]) });
  const exchange = new HttpExchange({
    ...exchangeWith(target, context),
    headerMs: headerPatience([], limits, true),
    onSent: () => sink.phase('loading'),
  });
  try {
    await client(target, exchange).generate({
      model: target.model,
      prompt: '',
      stream: false,
      keep_alive: target.keepSeconds,
      options: { num_ctx: target.askWindow },
    });
  } finally {
    over.abort();
    await signs;
    if (signal.aborted) await exchange.closed;
  }
}

/** Frees the model's memory on the server. */
export async function ollamaUnload(target: OllamaTarget, context: JobContext): Promise<JobEnd> {
  const exchange = new HttpExchange({
    ...exchangeWith(target, context),
    headerMs: context.limits.headerMs,
    onSent: () => undefined,
  });
  await client(target, exchange).generate({ model: target.model, prompt: '', stream: false, keep_alive: 0 });
  return { value: null, finish: 'stop' };
}

/**
 * Ollama says nothing while it loads, and gives up by itself on a load that stands still: that it answers something
 * else is its sign of life.
 */
async function tellSigns(target: OllamaTarget, context: JobContext): Promise<void> {
  const { sink, signal, clock } = context;
  let wake = () => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  while (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const disarm = clock.after(SIGN_MS, resolve);
      wake = () => resolve(disarm());
    });
    if (!signal.aborted && (await running(target, context))) sink.alive();
  }
}

const isLoaded = async (target: OllamaTarget, context: JobContext) =>
  windowOf((await running(target, context)) ?? [], target.model) === target.askWindow;

/** The models in the server's memory; null = it did not say. What is wrong with it shows with the next request. */
async function running(target: OllamaTarget, context: JobContext): Promise<readonly Running[] | null> {
  const exchange = new HttpExchange({
    ...exchangeWith(target, context),
    sendMs: ASK_MS,
    headerMs: ASK_MS,
    onSent: () => {},
  });
  try {
    return (await client(target, exchange).ps()).models;
  } catch {
    await exchange.closed;
    return null;
  }
}

/** The window a running model really has; null = it is not loaded, or the server does not say. */
function windowOf(models: readonly Running[], model: string): number | null {
  return models.find(({ name }) => sameName(name, model))?.context_length ?? null;
}

/** Ollama leaves `:latest` out in some answers and not in others. */
function sameName(one: string, other: string): boolean {
  const full = (name: string) => (name.includes(':') ? name : `${name}:latest`);
  return full(one) === full(other);
}

/** One client a request: its abort would end every stream of a shared one. */
function client(target: OllamaTarget, exchange: HttpExchange): Ollama {
  return new Ollama({ host: serverRoot(target.address), fetch: exchange.fetch });
}

function take(piece: ChatResponse, answer: Answer, sink: JobContext['sink']): void {
  const { content, thinking, tool_calls: calls = [] } = piece.message;
  if (thinking) answer.text(thinking, true);
  if (content) answer.text(content, false);
  for (const { function: called } of calls) answer.call(called.name, JSON.stringify(called.arguments ?? {}));
  if (!content && !thinking && calls.length === 0 && !piece.done) sink.alive();
}

/** The message with its pictures beside it. */
async function withPictures(message: ChatMessage, signal: AbortSignal): Promise<Message> {
  const plain = messageOf(message);
  if (!message.images) return plain;
  const pictures = await Promise.all(message.images.map((path) => readPicture(path, signal)));
  return { ...plain, images: pictures.map(({ base64 }) => base64) };
}

/** Ollama knows no ids of calls: a result names its tool and follows in order. */
function messageOf({ role, content, calls, answers }: ChatMessage): Message {
  return {
    role,
    content,
    ...(calls
      ? { tool_calls: calls.map(({ name, args }) => ({ function: { name, arguments: objectOf(args) } })) }
      : {}),
    ...(answers ? { tool_name: answers.name } : {}),
  };
}

/** The arguments that a model wrote: always JSON, where a server of this kind passed them on. */
function objectOf(args: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function toolOf({ name, description, schema }: ToolSpec): Tool {
  return { type: 'function', function: { name, description, parameters: schema } };
}

/**
 * Ollama counts a cached prefix among the prompt tokens but not in the time, and does not tell its size: of a chat's
 * prompt the rate would come out far too high, so that only a fresh prompt's is reported.
 */
function usageOf(last: ChatResponse, fresh: boolean): UsageFrame {
  const rate = (tokens: number, nanoseconds: number) => (tokens * 1e9) / nanoseconds;
  return {
    ...(last.prompt_eval_count > 0 ? { prompt: last.prompt_eval_count } : {}),
    ...(last.eval_count > 0 ? { output: last.eval_count } : {}),
    ...(fresh && last.prompt_eval_count > 0 && last.prompt_eval_duration > 1e6
      ? { prefillRate: rate(last.prompt_eval_count, last.prompt_eval_duration) }
      : {}),
    ...(last.eval_count > 0 && last.eval_duration > 1e6
      ? { decodeRate: rate(last.eval_count, last.eval_duration) }
      : {}),
  };
}

/** Errors inside the stream reach us as plain errors with the server's text; network errors have a code. */
function inStream(error: unknown): unknown {
  if (error instanceof JobFailure || !(error instanceof Error) || 'code' in error) return error;
  if (error.name !== 'Error') return error;
  if (error.message.startsWith('Did not receive done')) {
    return new JobFailure('died', 'broke-off', 'the stream broke off', {}, 'StreamEnded');
  }
  return failureOfBody(null, error.message);
}
