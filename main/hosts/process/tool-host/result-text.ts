/** The text of a tool's result: what the model is told and the user can read. Pure. */
import { TOOL_LIMITS } from '../../tool-protocol';
import type { Mask } from './mask';

/** Everything in what a server answers may be anything: what can be read of it is. */
export function resultText({ content, structuredContent }: Readonly<Record<string, unknown>>, mask: Mask): string {
  const blocks = Array.isArray(content) ? content : [];
  const text = blocks.map((block) => blockText(block, mask)).join('\n');
  // a server need not say again in words what it says as data
  if (text.trim() === '' && structuredContent !== undefined) return mask(JSON.stringify(structuredContent, null, 2));
  return text;
}

function blockText(block: unknown, mask: Mask): string {
  const word = (value: unknown) => (typeof value === 'string' && value !== '' ? mask(value).slice(0, 200) : 'unknown');
  const { type, text, mimeType, data, resource, uri, name } = recordOf(block);
  switch (type) {
    case 'text':
      return typeof text === 'string' ? mask(text) : '';
    case 'image':
    case 'audio':
      return `[${type}, ${word(mimeType)}, ${sizeWords(data)}: left out, only text is taken]`;
    case 'resource': {
      const { uri: of, text: words, blob, mimeType: kind } = recordOf(resource);
      if (typeof words === 'string') return `[${word(of)}]\n${mask(words)}`;
      return `[${word(of)}, ${word(kind)}, ${sizeWords(blob)}: left out, only text is taken]`;
    }
    case 'resource_link':
      return `[${word(name)}: ${word(uri)}]`;
    default:
      return `[${word(type)}: left out, only text is taken]`;
  }
}

/** At most so many bytes, with a mark where the rest was. Never inside a character. */
export function cutResult(text: string, max: number = TOOL_LIMITS.resultBytes): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  let end = max;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  const megabytes = (bytes.length / 1_000_000).toFixed(1);
  return `${bytes.toString('utf8', 0, end)}\n[Cut here: the tool answered with ${megabytes} MB, of which 1 MB is kept.]`;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
/** Of bytes in base64. */
const sizeWords = (data: unknown) => `${typeof data === 'string' ? Math.round((data.length * 3) / 4 / 1_000) : 0} kB`;
