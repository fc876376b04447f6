/** What never reaches a stored summary or, in chunked mode, the model that reads: pure. */

/** Shapes of secrets. Each is a pattern of a published key format, or a name that says what its value is. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}\b/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}\b/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}\b/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];
const NAMED_SECRET =
  /\b(pass(?:word|wort|phrase)?|pwd|secret|api[_-]?key|access[_-]?token|token)(\s*[:=]\s*)(["']?)[^\s"']{6,}\3/gi;

/** A model's reasoning stands at the beginning of its answer; a tag that somebody merely mentions is text. */
const REASONING = /^\s*<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/i;
/** Chat-template marks: what a model could take for a turn of its own. */
const DIRECTIVES = /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>/gi;

/** For what a model wrote. */
export function stripReasoning(text: string): string {
  return text.replace(REASONING, '').trim();
}

export function stripSecrets(text: string): string {
  let out = text;
  for (const pattern of SECRETS) out = out.replace(pattern, '[secret removed]');
  return out.replace(NAMED_SECRET, '$1$2[secret removed]');
}

/** For a text that is stored as a summary, or read by the model that writes one. */
export function stripForSummary(text: string, writtenBy: 'model' | 'person'): string {
  const said = writtenBy === 'model' ? stripReasoning(text) : text;
  return stripSecrets(said.replace(DIRECTIVES, ''));
}
