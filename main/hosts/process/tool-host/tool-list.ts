/** From what a server says its tools are to what can be offered. Pure. */
import { createHash } from 'node:crypto';
import { hasHidden, unhidden } from '../../../../shared/hidden-characters';
import type { LeftOutReason } from '../../../../shared/model/tools';
import { type HostedTool, TOOL_LIMITS, type ToolsFrame } from '../../tool-protocol';
import { type Mask, maskParts } from './mask';
import { isArgumentSchema, isDeep } from './valid-schema';

export interface ToolList extends Pick<ToolsFrame, 'tools' | 'leftOut'> {
  /** The server's own name for each, by the name that is told of it: they differ where a secret was masked. */
  readonly saidNames: ReadonlyMap<string, string>;
}

/**
 * Each tool is looked at by itself: one that is no tool leaves the others as they are. All of a tool that is told of is
 * masked first, so that nothing is cut, counted or hashed with a secret in it.
 */
export function usableTools(said: readonly unknown[], mask: Mask): ToolList {
  const saidNames = new Map<string, string>();
  const tools: HostedTool[] = [];
  const leftOut: { name: string; why: LeftOutReason }[] = [];
  let bytes = 0;
  for (const one of said) {
    const tool = toolIn(one, mask);
    const why =
      'why' in tool
        ? tool.why
        : saidNames.has(tool.name)
          ? 'twice'
          : tools.length >= TOOL_LIMITS.tools || bytes + sizeOf(tool) > TOOL_LIMITS.listBytes
            ? 'too-many'
            : null;
    if (why === null && !('why' in tool)) {
      tools.push(tool);
      saidNames.set(tool.name, (one as { name: string }).name);
      bytes += sizeOf(tool);
    } else if (leftOut.length < TOOL_LIMITS.tools) leftOut.push({ name: shownName(one, mask), why: why ?? 'name' });
  }
  // a server may list in any order; what is part of the prompt keeps one
  tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { tools, leftOut, saidNames };
}

function toolIn(said: unknown, mask: Mask): HostedTool | { readonly why: LeftOutReason } {
  const {
    name: saidName,
    description,
    inputSchema: saidSchema,
  } = (typeof said === 'object' && said !== null ? said : {}) as Record<string, unknown>;
  const name = typeof saidName === 'string' ? mask(saidName) : null;
  // what hides, or turns round how a name shows, would let one tool pass for another
  if (name === null || name.trim() === '' || hasHidden(name)) return { why: 'name' };
  if (name.length > TOOL_LIMITS.nameChars) return { why: 'too-large' };
  if (isDeep(saidSchema)) return { why: 'schema' };
  const inputSchema = maskParts(saidSchema, mask);
  if (!isArgumentSchema(inputSchema)) return { why: 'schema' };
  if (Buffer.byteLength(JSON.stringify(inputSchema)) > TOOL_LIMITS.schemaBytes) return { why: 'too-large' };
  const words = typeof description === 'string' ? mask(description).slice(0, TOOL_LIMITS.descriptionChars) : '';
  const tool = { name, description: Buffer.from(words).toString(), schema: inputSchema };
  return { ...tool, fingerprint: fingerprintOf(tool) };
}

/** The same for the same tool, in whatever order its server writes the schema. */
export function fingerprintOf({ name, description, schema }: Omit<HostedTool, 'fingerprint'>): string {
  return createHash('sha256')
    .update(JSON.stringify([name, description, sorted(schema)]))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}

const sizeOf = (tool: HostedTool) => Buffer.byteLength(JSON.stringify(tool));

function shownName(said: unknown, mask: Mask): string {
  const name = typeof said === 'object' && said !== null && 'name' in said ? said.name : said;
  const text = mask(typeof name === 'string' ? name : isDeep(name) ? '' : (JSON.stringify(name) ?? ''));
  return unhidden(text).slice(0, 80);
}
