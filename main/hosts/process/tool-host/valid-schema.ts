/**
 * Whether a JSON schema can be given to a model. Servers of models turn schemas into grammars and refuse the whole
 * request where one of them is none, so that one tool would spoil every other. Pure.
 */

/** Deeper ones are no arguments that anybody could fill in. */
const DEPTH_MAX = 24;
const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** Deeper than this is nothing that a list needs, and what walks it would run out of stack. */
const PARTS_DEPTH_MAX = 100;

/** Whether a value of JSON is nested too deeply to be walked, also where nothing is a schema (`default`, `examples`). */
export function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > PARTS_DEPTH_MAX || Object.values(value).some((part) => isDeep(part, depth + 1));
}

/** True for a schema of an object whose parts are schemas. */
export function isArgumentSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && value.type === 'object' && isSchema(value, 0);
}

function isSchema(value: unknown, depth: number): boolean {
  if (typeof value === 'boolean') return true;
  if (!isRecord(value) || depth > DEPTH_MAX) return false;
  return Object.entries(value).every(([word, part]) => isPart(word, part, depth + 1));
}

function isPart(word: string, part: unknown, depth: number): boolean {
  switch (word) {
    case 'type':
      return Array.isArray(part) ? part.length > 0 && part.every(isType) : isType(part);
    case 'properties':
    case 'patternProperties':
    case '$defs':
    case 'definitions':
      return isRecord(part) && Object.values(part).every((one) => isSchema(one, depth));
    case 'required':
      return Array.isArray(part) && part.every((one) => typeof one === 'string');
    case 'enum':
      return Array.isArray(part) && part.length > 0;
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return Array.isArray(part) && part.length > 0 && part.every((one) => isSchema(one, depth));
    case 'items':
      return Array.isArray(part) ? part.every((one) => isSchema(one, depth)) : isSchema(part, depth);
    case 'additionalProperties':
    case 'not':
    case 'if':
    case 'then':
    case 'else':
    case 'contains':
    case 'propertyNames':
      return isSchema(part, depth);
    case '$ref':
      return typeof part === 'string' && part.startsWith('#'); // what stands elsewhere would have to be fetched
    case 'pattern':
      return typeof part === 'string' && isPattern(part);
    case 'description':
    case 'title':
      return typeof part === 'string';
    default:
      return true; // words that only say more
  }
}

const isType = (value: unknown) => typeof value === 'string' && types.has(value);

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
