import type { ChatMessage, Limits } from '../protocol';

/** Tokens per second at which an unmeasured machine is taken to read: the patience table of compression/policy. */
const SLOWEST_READ = 30;
/** Characters per token of the densest usual text. */
const CHARS_PER_TOKEN = 1.5;
/** A model may take this long to load before its server sends a header. */
const LOAD_MS = 600_000;

/**
 * Milliseconds to wait for the header of an answer. Servers load the model and read the whole prompt before they
 * send it, so that 30 s would end every long prompt on a slow machine. Main's watch is stricter where it knows more.
 */
export function headerPatience(messages: readonly ChatMessage[], limits: Limits, mayLoad: boolean): number {
  const chars = messages.reduce((sum, message) => sum + message.content.length, 0);
  const reading = (3_000 * chars) / CHARS_PER_TOKEN / SLOWEST_READ;
  return limits.headerMs + Math.round(reading) + (mayLoad ? LOAD_MS : 0);
}
