import type { Limits, ToMain } from './protocol';
import { PROCESS, PROTOCOL } from './protocol';
import { TOOL_LIMITS } from './tool-protocol';

/** What main makes of something that came out of a port. */
export type Checked =
  | { readonly ok: true; readonly frame: ToMain }
  /** `foreign` = another version or an unknown kind: counted, never acted on. `over` = larger than allowed. */
  | { readonly ok: false; readonly why: 'foreign' | 'over'; readonly stream: number };

const kinds = new Set([
  'ready',
  'phase',
  'alive',
  'text',
  'call',
  'usage',
  'paused',
  'resumed',
  'tools',
  'stderr',
  'progress',
  'result',
  'failed',
  'stopped',
]);

/** A process may have gone mad: what it sends is looked at before it is believed. */
export function checkFrame(raw: unknown, limits: Limits): Checked {
  if (typeof raw !== 'object' || raw === null) return { ok: false, why: 'foreign', stream: PROCESS };
  const { v, s, n, t, text, name, args } = raw as Record<string, unknown>;
  const stream = typeof s === 'number' ? s : PROCESS;
  if (typeof t !== 'string' || !kinds.has(t) || typeof s !== 'number' || typeof n !== 'number') {
    return { ok: false, why: 'foreign', stream };
  }
  // A `ready` of another version is let through: it is how main learns of the difference.
  if (v !== PROTOCOL && t !== 'ready') return { ok: false, why: 'foreign', stream };
  if (t === 'text') {
    if (typeof text !== 'string') return { ok: false, why: 'foreign', stream };
    if (
      text.length > limits.frameBytes ||
      (text.length * 3 > limits.frameBytes && overBytes(text, limits.frameBytes))
    ) {
      return { ok: false, why: 'over', stream };
    }
  }
  if (t === 'call') {
    if (typeof name !== 'string' || typeof args !== 'string') return { ok: false, why: 'foreign', stream };
    if (overBytes(name, limits.frameBytes) || overBytes(args, limits.lineBytes))
      return { ok: false, why: 'over', stream };
  }
  const tool = checkTool(t, raw as Record<string, unknown>);
  return tool === 'fits' ? { ok: true, frame: raw as ToMain } : { ok: false, why: tool, stream };
}

/** Frames of the tool host carry what servers wrote, which knows no measure of its own. */
function checkTool(t: string, raw: Record<string, unknown>): 'fits' | 'foreign' | 'over' {
  const { title, tools, leftOut, lines, line } = raw;
  if (t === 'tools') {
    if (typeof title !== 'string' || !Array.isArray(tools) || !Array.isArray(leftOut)) return 'foreign';
    if (tools.length > TOOL_LIMITS.tools) return 'over';
    if (!tools.every(isTool)) return 'foreign';
    // twice: what a name takes in JSON besides the list itself
    return overBytes(JSON.stringify([title, tools, leftOut]), TOOL_LIMITS.listBytes * 2) ? 'over' : 'fits';
  }
  if (t === 'stderr') {
    if (!Array.isArray(lines) || lines.some((one) => typeof one !== 'string')) return 'foreign';
    const { stderrLines, stderrLineChars } = TOOL_LIMITS;
    return lines.length > stderrLines || lines.some((one) => (one as string).length > stderrLineChars)
      ? 'over'
      : 'fits';
  }
  if (t === 'progress') {
    if (typeof line !== 'string') return 'foreign';
    return line.length > TOOL_LIMITS.progressChars ? 'over' : 'fits';
  }
  return 'fits';
}

function isTool(value: unknown): boolean {
  const { name, description, fingerprint, schema } = (value ?? {}) as Record<string, unknown>;
  const words = [name, description, fingerprint].every((word) => typeof word === 'string');
  return words && typeof schema === 'object' && schema !== null;
}

function overBytes(text: string, limit: number): boolean {
  return Buffer.byteLength(text) > limit;
}
