import type http from 'node:http';
import type { ChatMessage } from '../hosts/protocol';
import { type Clock, systemClock } from '../lib/clock';
import { sendJson, startHttpServer } from './http-server';
import type { Behavior, JournalEntry } from './scripted-behavior';
import { Latch, type Wire, writeStream } from './scripted-stream';
import { asksForSummary, scriptedSummary } from './scripted-summary';

export interface ScriptedServerOptions {
  readonly port?: number;
  readonly model?: string;
  /** Served window in tokens; a longer prompt is refused as llama.cpp's server does. */
  readonly window?: number;
  readonly trained?: number;
  /** Pace of writing; 0 = at once. A piece is a word, which counts as one token. */
  readonly tokensPerSecond?: number;
  readonly countTokens?: (text: string) => number;
  readonly reply?: (messages: readonly ChatMessage[]) => string;
  /** `llama` answers /props, /tokenize and /apply-template too; `plain` knows the OpenAI routes only. */
  readonly dialect?: 'llama' | 'plain';
  /** Refuses requests without this key. */
  readonly key?: string;
  readonly clock?: Clock;
}

/** Tokens that the template adds to each message. */
const PER_MESSAGE = 4;

/**
 * An OpenAI-compatible model server over a real socket. Asked for a summary it writes a sectioned one, every line of
 * which stands in the prompt it was sent; asked anything else it answers with the user's own words. `behave` sets
 * what goes wrong from the next request on.
 */
export async function startScriptedServer(options: ScriptedServerOptions = {}) {
  const script = new Script(options);
  const server = await startHttpServer((entry, response) => script.handle(entry, response), options.port);
  return {
    ...server,
    /** Address to give to the app. */
    address: `${server.url}/v1`,
    behave: (behavior: Behavior) => script.behave(behavior),
    /** Lets every held answer go on. */
    release: () => script.latch.release(),
    setPace: (tokensPerSecond: number) => script.setPace(tokensPerSecond),
    /** The journal's chat requests. */
    chats: () => server.journal.filter(({ path }) => path.endsWith('/chat/completions')),
  };
}
export type ScriptedServer = Awaited<ReturnType<typeof startScriptedServer>>;

class Script {
  readonly latch = new Latch();
  readonly #options: Required<Omit<ScriptedServerOptions, 'port' | 'key'>> & { key: string | null };
  #behavior: Behavior = {};
  #pace: number;
  #served = 0;

  constructor(options: ScriptedServerOptions) {
    const window = options.window ?? 8_192;
    this.#options = {
      model: options.model ?? 'scripted',
      window,
      trained: options.trained ?? Math.max(window, 131_072),
      tokensPerSecond: options.tokensPerSecond ?? 0,
      countTokens: options.countTokens ?? ((text) => Math.ceil(text.length / 4)),
      reply:
        options.reply ?? ((messages) => `You said: ${messages.findLast(({ role }) => role === 'user')?.content ?? ''}`),
      dialect: options.dialect ?? 'llama',
      key: options.key ?? null,
      clock: options.clock ?? systemClock,
    };
    this.#pace = this.#options.tokensPerSecond;
  }

  behave(behavior: Behavior): void {
    this.#behavior = behavior;
  }

  setPace(tokensPerSecond: number): void {
    this.#pace = tokensPerSecond;
  }

  async handle(entry: JournalEntry, response: http.ServerResponse): Promise<void> {
    const { model, window, trained, dialect, key, countTokens } = this.#options;
    if (key !== null && entry.headers.authorization !== `Bearer ${key}`) {
      sendJson(response, 401, { error: { message: 'Invalid API key', type: 'invalid_request_error' } });
      return;
    }
    const llama = dialect === 'llama';
    switch (entry.path) {
      case '/v1/models': {
        const meta = llama ? { meta: { n_ctx: window, n_ctx_train: trained } } : {};
        const owner = llama ? 'llamacpp' : 'scripted';
        sendJson(response, 200, { object: 'list', data: [{ id: model, object: 'model', owned_by: owner, ...meta }] });
        return;
      }
      case '/v1/chat/completions':
        await this.#chat(entry, response);
        return;
      case '/control':
        this.#control(entry, response);
        return;
    }
    if (llama) {
      if (entry.path === '/props') {
        sendJson(response, 200, { default_generation_settings: { n_ctx: window }, total_slots: 1, model_path: model });
        return;
      }
      if (entry.path === '/apply-template') {
        sendJson(response, 200, { prompt: templated(messagesOf(entry)) });
        return;
      }
      if (entry.path === '/tokenize') {
        const count = countTokens(String(entry.body.content ?? ''));
        sendJson(response, 200, { tokens: Array.from({ length: count }, (_, i) => i) });
        return;
      }
    }
    sendJson(response, 404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } });
  }

  async #chat(entry: JournalEntry, response: http.ServerResponse): Promise<void> {
    const behavior = this.#behavior;
    if (behavior.error) {
      sendJson(response, behavior.error.status, behavior.error.body, behavior.error.headers);
      return;
    }
    if (behavior.refusesTools && entry.body.tools) {
      const refusal = { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' };
      sendJson(response, 500, { error: refusal });
      return;
    }
    const messages = messagesOf(entry);
    const { window, model, reply, clock } = this.#options;
    const prompt = this.#count(messages);
    if (prompt > window - 1) {
      sendJson(response, 400, llamaOverflow(prompt, window));
      return;
    }
    const max = Math.min(Number(entry.body.max_tokens ?? entry.body.max_completion_tokens ?? window), window - prompt);
    const text = behavior.text ?? (asksForSummary(messages) ? scriptedSummary(messages, max * 4) : reply(messages));
    await writeStream({
      entry,
      response,
      behavior,
      clock,
      latch: this.latch,
      pieces: text.match(/\s*\S+|\s+$/g) ?? [],
      maxPieces: max,
      piecesPerSecond: this.#pace,
      wire: sse(`chatcmpl-${++this.#served}`, model, prompt, !behavior.noUsage),
    });
  }

  #count(messages: readonly ChatMessage[]): number {
    return messages.reduce((sum, { content }) => sum + this.#options.countTokens(content) + PER_MESSAGE, 0);
  }

  /** For a server that runs as a child: `{"behavior": …}`, `{"release": true}` or `{"tokensPerSecond": …}`. */
  #control({ body }: JournalEntry, response: http.ServerResponse): void {
    if (typeof body.behavior === 'object' && body.behavior !== null) this.behave(body.behavior as Behavior);
    if (typeof body.tokensPerSecond === 'number') this.setPace(body.tokensPerSecond);
    if (body.release === true) this.latch.release();
    sendJson(response, 200, {});
  }
}

function messagesOf(entry: JournalEntry): readonly ChatMessage[] {
  const messages = (entry.body.messages ?? []) as readonly (ChatMessage & { content: string | null })[];
  return messages.map((message) => ({ ...message, content: message.content ?? '' })); // null beside calls
}

function templated(messages: readonly ChatMessage[]): string {
  return messages.map(({ role, content }) => `<|${role}|>${content}<|end|>`).join('');
}

/** Word for word what llama.cpp's server answers. Source: recorded/llama-server-overflow.http.txt. */
function llamaOverflow(prompt: number, window: number): unknown {
  return {
    error: {
      code: 400,
      message: `request (${prompt} tokens) exceeds the available context size (${window} tokens), try increasing it`,
      type: 'exceed_context_size_error',
      n_prompt_tokens: prompt,
      n_ctx: window,
    },
  };
}

function sse(id: string, model: string, prompt: number, usage: boolean): Wire {
  const head = { id, model, object: 'chat.completion.chunk', created: 0 };
  const event = (body: unknown) => `data: ${JSON.stringify(body)}\n\n`;
  const callEvent = (call: object) =>
    event({ ...head, choices: [{ index: 0, finish_reason: null, delta: { tool_calls: [call] } }] });
  /** The name first, then the arguments in two pieces, as llama.cpp's server and OpenAI send them. */
  const callEvents = ({ name, args }: { readonly name: string; readonly args: object }, index: number) => {
    const text = JSON.stringify(args);
    const first = { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } };
    const pieces = [text.slice(0, 3), text.slice(3)].map((piece) => ({ index, function: { arguments: piece } }));
    return [first, ...pieces].map(callEvent).join('');
  };
  return {
    contentType: 'text/event-stream',
    keepAlive: ': keep-alive\n\n',
    piece: (text, thinking) =>
      event({
        ...head,
        choices: [{ index: 0, finish_reason: null, delta: { [thinking ? 'reasoning_content' : 'content']: text } }],
      }),
    calls: (calls) => calls.map(callEvents).join(''),
    end: (finish, pieces) =>
      event({ ...head, choices: [{ index: 0, finish_reason: finish, delta: {} }] }) +
      (usage
        ? event({
            ...head,
            choices: [],
            usage: {
              prompt_tokens: prompt,
              completion_tokens: pieces,
              total_tokens: prompt + pieces,
              prompt_tokens_details: { cached_tokens: 0 },
            },
          })
        : '') +
      'data: [DONE]\n\n',
    error: (body) => `data: ${body}\n\n`,
  };
}
