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
/** One of these stands in every key of those shapes. */
const KEY_MARKS = ['k-', '_', 'xox', 'AKIA', 'eyJ', '-----BEGIN'];
const NAMED_SECRET =
  /\b(pass(?:word|wort|phrase)?|pwd|secret|api[_-]?key|access[_-]?token|token)(\s*[:=]\s*)(["']?)(?!\[secret removed\])[^\s"']{6,}\3/gi;
const NAME_MARKS = [':', '='];

/** A model's reasoning stands at the beginning of its answer; a tag that somebody merely mentions is text. */
const REASONING: readonly RegExp[] = [
  /^\s*<(think|thinking|thought|reasoning|seed:think)>[\s\S]*?(?:<\/\1>|$)/i,
  /^\s*\[THINK\][\s\S]*?(?:\[\/THINK\]|$)/,
  /^\s*<\|channel\|>analysis<\|message\|>[\s\S]*?(?:<\|end\|>|$)/,
];
/** Some templates swallow the tag that opens it: then the one that ends it stands alone on its line. */
const REASONING_END = /^[\s\S]*?\n\s*<\/(?:think|thinking|thought|reasoning)>\s*(?:\n|$)/i;

/** Chat-template marks: what a model could take for a turn of its own. */
const DIRECTIVES = /<\|(?:channel\|>\w+<\|message|[a-z_]{2,20})\|>|\[\/?INST\]|<<\/?SYS>>/gi;

const DIRECTIVE_MARKS = ['<|', 'INST]', 'inst]', '<<'];

/** Most texts have none of these marks: looked for first, since patterns are dear. */
const hasOne = (text: string, marks: readonly string[]) => marks.some((mark) => text.includes(mark));

/** For what a model wrote. */
export function stripReasoning(text: string): string {
  const said = REASONING.reduce((rest, pattern) => rest.replace(pattern, ''), text);
  return (said.includes('</') ? said.replace(REASONING_END, '') : said).trim();
}

export function stripSecrets(text: string): string {
  let out = text;
  if (hasOne(text, KEY_MARKS)) for (const pattern of SECRETS) out = out.replace(pattern, '[secret removed]');
  return hasOne(out, NAME_MARKS) ? out.replace(NAMED_SECRET, '$1$2[secret removed]') : out;
}

/** For a text that is stored as a summary, or read by the model that writes one. */
export function stripForSummary(text: string, writtenBy: 'model' | 'person'): string {
  const said = writtenBy === 'model' ? stripReasoning(text) : text;
  return stripSecrets(hasOne(said, DIRECTIVE_MARKS) ? said.replace(DIRECTIVES, '') : said);
}
