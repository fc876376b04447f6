/** What a server said about a request that is longer than its window. null = it did not say. */
export interface Overflow {
  /** Tokens of the prompt as the server counted them, without what was asked for the answer. */
  readonly needTokens: number | null;
  readonly windowTokens: number | null;
}

/** These statuses speak of rights, names and rates, whatever words stand in their bodies. */
const otherStatuses = new Set([401, 402, 403, 404, 408, 429]);

/** Codes by which servers name it: OpenAI and Groq, llama.cpp, Copilot, GitHub Models. */
const codes = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'model_max_prompt_tokens_exceeded',
  'tokens_limit_reached',
]);

/**
 * A 413 that counts tokens by the minute or the day is of an account's allowance: Groq's counts what is asked for the
 * answer too, so it may refuse one word, and no compression helps.
 */
const allowance = /rate.?limit|tokens per (?:min|day)|quota/i;

/**
 * Named groups: `need` = tokens of the prompt; `total` with `answer` = of prompt and answer, and of the answer alone;
 * `window`. A number that is known to be another thing is left: vLLM's "at least" is where its count stopped, Kimi's
 * "requested" may hold the answer, MiniMax's is an error code. Each wording has a row in testing/recorded.
 */
const wordings: readonly RegExp[] = [
  // llama.cpp server, old and new, and its Python server
  /request \((?<need>\d+) tokens\) exceeds the available context size \((?<window>\d+) tokens\)/i,
  /exceeds the available context size/i,
  /context shift is disabled/i,
  /context size has been exceeded/i,
  /requested tokens \((?<need>\d+)\) exceed context window of (?<window>\d+)/i,
  // Ollama
  /prompt is longer than the context length/i,
  /prompt too long; exceeded max(?:imum)? context length/i,
  /input length exceeds (?:the |maximum )?context length/i,
  // LM Studio, and servers for Apple's MLX
  /n_keep:? \(?(?<need>\d+)\)? ?>= ?n_ctx:? \(?(?<window>\d+)/i,
  /first (?<need>\d+) tokens when (?:the )?context (?:the )?overflows.*context length of only (?<window>\d+)/is,
  /tokens to keep from the initial prompt is greater than the context length/i,
  /reached context length of (?<window>\d+)/i,
  /prompt too long: (?<need>\d+) tokens exceeds max context window of (?<window>\d+)/i,
  /prompt exceeds max(?:imum)? (?:context )?length/i,
  // vLLM, SGLang, OpenAI, OpenRouter and the many that speak like them
  /maximum context length is (?<window>[\d,]+) tokens?\b.*?\((?<need>[\d,]+) in (?:the messages|your prompt)/is,
  /maximum context length is (?<window>[\d,]+) tokens?\b.*?messages resulted in (?<need>[\d,]+) tokens/is,
  /maximum context length is (?<window>[\d,]+) tokens?\b.*?request has (?<need>[\d,]+) input tokens/is,
  /maximum context length is (?<window>[\d,]+) tokens?\b.*?requested about (?<total>\d+) tokens \([^)]*?(?:, (?<answer>\d+) in the output)?\)/is,
  /maximum context length of (?<window>\d+) tokens\b.*?(?<need>\d+) tokens from the input/is,
  /maximum context length is (?<window>[\d,]+) tokens/i,
  /input length \(?(?<need>\d+)(?: tokens)?\)? exceeds (?:the |model's )?(?:maximum )?(?:allowed |context )(?:input )?length(?: of)? \(?(?<window>\d+)/i,
  /input \((?<need>\d+) tokens\) is longer than the model's context length \((?<window>\d+) tokens\)/i,
  /prompt \((?:total )?length (?<need>\d+)\) is longer than the maximum model length of (?<window>\d+)/i,
  /prompt \(total length (?<need>\d+)\) is too long to fit into the model \(context length (?<window>\d+)\)/i,
  /max_tokens must be at least 1, got -\d+/i,
  /you passed \d+ input tokens and requested \d+ output tokens(?:.*?context length is only (?<window>\d+))?/is,
  /input tokens exceed the configured limit of (?<window>[\d,]+) tokens.*resulted in (?<need>[\d,]+) tokens/is,
  /input exceeds the context window of this model/i,
  // Anthropic, Google, Amazon, Hugging Face
  /prompt is too long: (?<need>\d+) tokens > (?<window>\d+) maximum/i,
  /exceed context limit: (?<need>\d+) \+ \d+ > (?<window>\d+)/i,
  /input token count \((?<need>\d+)\)\s+exceeds the maximum number of tokens allowed \((?<window>\d+)/i,
  /input is too long for requested model/i,
  /`inputs` tokens \+ `max_new_tokens` must be <= (?<window>\d+)\. given: (?<need>\d+)/i,
  /`inputs` must have less than (?<window>\d+) tokens\. given: (?<need>\d+)/i,
  // xAI, Mistral, GitHub, Moonshot, Alibaba, SiliconFlow, MiniMax, Cohere
  /maximum prompt length is (?<window>\d+) but the request contains (?<need>\d+) tokens/i,
  /prompt contains (?<need>\d+) tokens.*too large for model with (?<window>\d+) maximum context length/is,
  /prompt token count of (?<need>\d+) exceeds the limit of (?<window>\d+)/i,
  /request body too large for \S+ model\. max size: (?<window>\d+) tokens/i,
  /exceeded model token limit: (?<window>\d+)/i,
  /range of input length should be \[1, (?<window>\d+)\]/i,
  /input tokens \((?<need>\d+)\) has exceeded max_prompt_tokens \((?<window>\d+)\)/i,
  /context window exceeds limit/i,
  /total number of tokens \([^)]*\) cannot exceed (?<window>\d+)/i,
];

/**
 * Tells whether a server's refusal means "longer than the window", in any server's wording.
 * `status` is null for an error inside a stream. Pure: a look-alike (rates, quotas, memory, batch sizes, an
 * answer larger than the model writes: no shorter prompt would cure it) answers null.
 */
export function overflowIn(status: number | null, body: string): Overflow | null {
  if (status !== null && otherStatuses.has(status)) return null;
  const said = unpack(body);
  const window = said.n_ctx ?? null;
  const need = said.n_prompt_tokens ?? null;
  if (said.codes.some((code) => codes.has(code))) {
    const worded = inWords(said.text);
    return { needTokens: need ?? worded?.needTokens ?? null, windowTokens: window ?? worded?.windowTokens ?? null };
  }
  const worded = inWords(said.text);
  if (worded) return { needTokens: need ?? worded.needTokens, windowTokens: window ?? worded.windowTokens };
  const ofSize = status === 413 && ![said.text, ...said.codes].some((part) => allowance.test(part));
  return ofSize ? { needTokens: null, windowTokens: null } : null;
}

function inWords(text: string): Overflow | null {
  for (const wording of wordings) {
    const found = wording.exec(text);
    if (!found) continue;
    const { need, total, answer = '0', window } = found.groups ?? {};
    const asked = number(total);
    return { needTokens: asked === null ? number(need) : asked - Number(answer), windowTokens: number(window) };
  }
  return null;
}

function number(text: string | undefined): number | null {
  return text === undefined ? null : Number(text.replaceAll(',', ''));
}

interface Said {
  text: string;
  readonly codes: string[];
  n_ctx?: number;
  n_prompt_tokens?: number;
}

/** Collects words, codes and counts of an error body; Ollama passes llama.cpp's JSON on as a string inside its own. */
function unpack(body: string): Said {
  const said: Said = { text: '', codes: [] };
  visit(body, said, 0);
  return said;
}

function visit(value: unknown, said: Said, depth: number): void {
  if (depth > 6) return;
  if (typeof value === 'string') {
    const inner = value.trimStart().startsWith('{') ? parsed(value) : undefined;
    if (inner === undefined) said.text += `${value}\n`;
    else visit(inner, said, depth + 1);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if ((key === 'code' || key === 'type') && typeof part === 'string') said.codes.push(part);
    else if ((key === 'n_ctx' || key === 'n_prompt_tokens') && typeof part === 'number') said[key] = part;
    else visit(part, said, depth + 1);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
