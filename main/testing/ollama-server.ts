import type http from 'node:http';
import type { ChatMessage } from '../hosts/protocol';
import { type Clock, systemClock } from '../lib/clock';
import { sendJson, startHttpServer } from './http-server';
import type { Behavior, JournalEntry } from './scripted-behavior';
import { Latch, type Wire, writeStream } from './scripted-stream';
import { asksForSummary, scriptedSummary } from './scripted-summary';

export interface OllamaServerOptions {
  readonly port?: number;
  readonly model?: string;
  /** Window where the request names none. */
  readonly window?: number;
  /** The server gives no more than this, whatever is asked; null = what is asked. */
  readonly most?: number | null;
  readonly trained?: number;
  readonly tokensPerSecond?: number;
  readonly countTokens?: (text: string) => number;
  readonly reply?: (messages: readonly ChatMessage[]) => string;
  /** False: the model's template knows no tools, and a request that carries some is refused. */
  readonly tools?: boolean;
  /** True: the model says that it takes pictures. */
  readonly sees?: boolean;
  /** False: as before version 0.12.6, which cut every long prompt whatever the request asks for. */
  readonly obeysTruncate?: boolean;
  /** Some models answer overflow with llama.cpp's JSON as a string inside Ollama's. */
  readonly nestedOverflow?: boolean;
  readonly clock?: Clock;
}

/** Tokens kept at the front when a prompt is cut, and tokens that the template adds to each message. */
const KEEP = 4;
const PER_MESSAGE = 4;
const OVERFLOW =
  'the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the ' +
  'context length in settings, or use a model with a longer context length';

/**
 * Ollama's native API over a real socket, as of its versions 0.33 and 0.34: an over-long prompt is cut in silence to
 * window - floor((window - kept) / 2) tokens, unless the request forbids it; errors are `{"error":"text"}`, inside a
 * stream one NDJSON line.
 */
export async function startOllamaServer(options: OllamaServerOptions = {}) {
  const model = options.model ?? 'tiny-echo:latest';
  const window = options.window ?? 4_096;
  const trained = options.trained ?? 32_768;
  const tools = options.tools ?? false;
  const obeysTruncate = options.obeysTruncate ?? true;
  const countTokens = options.countTokens ?? ((text: string) => Math.ceil(text.length / 4));
  const reply = options.reply ?? ((messages: readonly ChatMessage[]) => messages.at(-1)?.content ?? '');
  const clock = options.clock ?? systemClock;
  const latch = new Latch();
  let behavior: Behavior = {};
  let loaded = 0;

  const give = (asked: unknown) => {
    loaded = Math.min(typeof asked === 'number' ? asked : window, options.most ?? Number.MAX_SAFE_INTEGER);
    return loaded;
  };

  async function chat(entry: JournalEntry, response: http.ServerResponse): Promise<void> {
    if (behavior.error) {
      sendJson(response, behavior.error.status, behavior.error.body, behavior.error.headers);
      return;
    }
    if (!tools && entry.body.tools) {
      sendJson(response, 400, { error: `registry.ollama.ai/library/${model} does not support tools` });
      return;
    }
    const messages = (entry.body.messages ?? []) as readonly ChatMessage[];
    const asked = (entry.body.options ?? {}) as { num_ctx?: number; num_predict?: number };
    const context = give(asked.num_ctx);
    let prompt = messages.reduce((sum, { content }) => sum + countTokens(content) + PER_MESSAGE, 0);
    if (prompt > context - 1) {
      const forbids = obeysTruncate && (entry.body.shift === false || entry.body.truncate === false);
      if (options.nestedOverflow || forbids) {
        const nested = {
          error: {
            code: 400,
            message: 'the request exceeds the available context size, try increasing it',
            type: 'exceed_context_size_error',
            n_prompt_tokens: prompt,
            n_ctx: context,
          },
        };
        sendJson(response, 400, { error: options.nestedOverflow ? JSON.stringify(nested) : OVERFLOW });
        return;
      }
      prompt = context - Math.max(Math.floor((context - KEEP) / 2), 1);
    }
    const max = asked.num_predict && asked.num_predict > 0 ? asked.num_predict : context - prompt;
    const text = behavior.text ?? (asksForSummary(messages) ? scriptedSummary(messages, max * 4) : reply(messages));
    await writeStream({
      entry,
      response,
      behavior,
      clock,
      latch,
      pieces: text.match(/\s*\S+|\s+$/g) ?? [],
      maxPieces: max,
      piecesPerSecond: options.tokensPerSecond ?? 0,
      wire: ndjson(model, prompt),
    });
  }

  async function handle(entry: JournalEntry, response: http.ServerResponse): Promise<void> {
    if (entry.path === '/') {
      response.end('Ollama is running');
      return;
    }
    const known = [undefined, model, model.replace(/:latest$/, '')].includes(entry.body.model as string | undefined);
    if (!known) {
      sendJson(response, 404, { error: `model '${String(entry.body.model)}' not found` });
      return;
    }
    switch (entry.path) {
      case '/api/version':
        sendJson(response, 200, { version: obeysTruncate ? '0.34.0' : '0.12.5' });
        return;
      case '/api/tags':
        sendJson(response, 200, { models: [{ name: model, model, size: 4_515_968, details: { family: 'llama' } }] });
        return;
      case '/api/ps': {
        const running = { name: model, model, size: 4_515_968, size_vram: 0, context_length: loaded };
        sendJson(response, 200, { models: loaded > 0 ? [running] : [] });
        return;
      }
      case '/api/show': {
        const info = {
          'general.architecture': 'llama',
          'llama.context_length': trained,
          'llama.block_count': 2,
          'llama.embedding_length': 256,
          'llama.attention.head_count': 4,
          'llama.attention.head_count_kv': 2,
        };
        const capabilities = ['completion', ...(tools ? ['tools'] : []), ...(options.sees ? ['vision'] : [])];
        sendJson(response, 200, { details: { family: 'llama' }, model_info: info, capabilities });
        return;
      }
      case '/api/generate': {
        if (entry.body.keep_alive === 0) loaded = 0;
        else {
          if (behavior.holdLoad) await Promise.race([latch.wait(), entry.over]);
          give((entry.body.options as { num_ctx?: number } | undefined)?.num_ctx);
        }
        sendJson(response, 200, { model, response: '', done: true, done_reason: loaded > 0 ? 'load' : 'unload' });
        return;
      }
      case '/api/chat':
        await chat(entry, response);
        return;
      default:
        sendJson(response, 404, { error: '404 page not found' });
    }
  }

  const server = await startHttpServer(handle, options.port);
  return {
    ...server,
    address: server.url,
    behave: (next: Behavior) => {
      behavior = next;
    },
    release: () => latch.release(),
    chats: () => server.journal.filter(({ path }) => path === '/api/chat'),
  };
}
export type OllamaServer = Awaited<ReturnType<typeof startOllamaServer>>;

function ndjson(model: string, prompt: number): Wire {
  const line = (body: object) => `${JSON.stringify({ model, created_at: '1970-01-01T00:00:00Z', ...body })}\n`;
  return {
    contentType: 'application/x-ndjson',
    keepAlive: line({ message: { role: 'assistant', content: '' }, done: false }),
    piece: (text, thinking) =>
      line({
        message: { role: 'assistant', content: thinking ? '' : text, ...(thinking ? { thinking: text } : {}) },
        done: false,
      }),
    calls: (calls) =>
      calls
        .map(({ name, args }) => ({ function: { name, arguments: args } }))
        .map((call) => line({ message: { role: 'assistant', content: '', tool_calls: [call] }, done: false }))
        .join(''),
    end: (finish, pieces) =>
      line({
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: finish === 'tool_calls' ? 'stop' : finish,
        prompt_eval_count: prompt,
        prompt_eval_duration: prompt * 2e6,
        eval_count: pieces,
        eval_duration: pieces * 2e7,
      }),
    error: (body) => `${JSON.stringify({ error: body })}\n`,
  };
}
