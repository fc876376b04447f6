/** What a server said about a request that is longer than its window. null = it did not say. */
export interface Overflow {
  readonly needTokens: number | null;
  readonly windowTokens: number | null;
}

/** These statuses speak of rights, names and rates, whatever words stand in their bodies. */
const otherStatuses = new Set([401, 402, 403, 404, 408, 429]);

/** Codes by which servers name it. Sources: OpenAI, llama.cpp, GitHub Models. */
const codes = new Set(['context_length_exceeded', 'exceed_context_size_error', 'model_max_prompt_tokens_exceeded']);

/** `need` and `window` are taken from the numbered groups of those names; every wording was seen in the field. */
const wordings: readonly RegExp[] = [
  // llama.cpp server, old and new
  /request \((?<need>\d+) tokens\) exceeds the available context size \((?<window>\d+) tokens\)/i,
  /input \((?<need>\d+) tokens\) is larger than the max context size \((?<window>\d+) tokens\)/i,
  /exceeds the available context size/i,
  /context shift is disabled/i,
  /context size has been exceeded/i,
  // Ollama
  /prompt is longer than the context length/i,
  /prompt too long; exceeded max(?:imum)? context length/i,
  /input length exceeds (?:the |maximum )?context length/i,
  // LM Studio
  /n_keep: (?<need>\d+) ?>= ?n_ctx: (?<window>\d+)/i,
  /first (?<need>\d+) tokens when context the overflows.*context length of only (?<window>\d+)/is,
  /reached context length of (?<window>\d+)/i,
  /reached context length/i,
  // vLLM, OpenAI and the many that speak like them
  /maximum context length is (?<window>[\d,]+) tokens?\b.*?(?:resulted in|requested(?: about)?) (?<need>[\d,]+) tokens/is,
  /maximum context length is (?<window>[\d,]+) tokens?\b.*?request has (?<need>[\d,]+) input tokens/is,
  /maximum context length(?: is|:)? \(?(?<window>[\d,]+)/i,
  /prompt \(length (?<need>\d+)\) is longer than the maximum model length of (?<window>\d+)/i,
  /maximum prompt length is (?<window>\d+) but the request contains (?<need>\d+) tokens/i,
  /prompt contains (?<need>\d+) tokens.*too large for model with (?<window>\d+) maximum context length/is,
  /input tokens exceed the configured limit of (?<window>[\d,]+) tokens.*resulted in (?<need>[\d,]+) tokens/is,
  /exceeds? (?:the )?(?:model'?s )?maximum context length/i,
  // Anthropic, Google, Amazon, Hugging Face
  /prompt is too long: (?<need>\d+) tokens > (?<window>\d+) maximum/i,
  /exceed context limit: (?<need>\d+) \+ \d+ > (?<window>\d+)/i,
  /input token count \(?(?<need>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<window>\d+)/i,
  /input is too long for requested model/i,
  /`inputs` tokens \+ `max_new_tokens` must be <= (?<window>\d+)\. given: (?<need>\d+)/i,
  /prompt token count of (?<need>\d+) exceeds the limit of (?<window>\d+)/i,
];

/**
 * Tells whether a server's refusal means "longer than the window", in any server's wording.
 * `status` is null for an error inside a stream. Pure: a look-alike (rate limits, memory, batch sizes) answers null.
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
  return status === 413 ? { needTokens: null, windowTokens: null } : null;
}

function inWords(text: string): Overflow | null {
  for (const wording of wordings) {
    const found = wording.exec(text);
    if (found) return { needTokens: number(found.groups?.need), windowTokens: number(found.groups?.window) };
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
