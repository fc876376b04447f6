/** Wordings by which servers refuse a request only because it carries tools. */
const wordings: readonly RegExp[] = [
  // Ollama, for models whose template knows no tools
  /does not support tools/i,
  // llama.cpp's server without --jinja: answered with 500
  /tools param requires --jinja/i,
  // vLLM started without a parser for calls
  /tool choice requires --enable-auto-tool-choice/i,
  // routers of many models (OpenRouter), and servers that forbid the parameter
  /no endpoints found that support tool use/i,
  /(?:tool use|tools?|function calling) (?:is|are) not supported/i,
  /does not support (?:tool use|tool calling|function calling)/i,
];

/** True where a refusal means "this model cannot be given tools". Pure. */
export function refusesTools(body: string): boolean {
  return wordings.some((wording) => wording.test(body));
}
