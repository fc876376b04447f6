/** Joins the pieces in which OpenAI-compatible servers stream the calls of an answer. */
export class CallPieces {
  readonly #calls = new Map<number, { name: string; args: string }>();

  /** `pieces` = `delta.tool_calls` of one event, or nothing. Anything of another shape is passed over. */
  take(pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces) {
      const { index, function: called } = record(piece);
      const { name, arguments: args } = record(called);
      // some servers leave the index out: a name then begins the next call
      const next = typeof name === 'string' ? this.#calls.size : Math.max(0, this.#calls.size - 1);
      const at = typeof index === 'number' ? index : next;
      const call = this.#calls.get(at) ?? { name: '', args: '' };
      if (typeof name === 'string') call.name += name;
      if (typeof args === 'string') call.args += args;
      else if (typeof args === 'object' && args !== null) call.args = JSON.stringify(args);
      this.#calls.set(at, call);
    }
  }

  /** The calls in their order; one without a name is none. */
  whole(): readonly { readonly name: string; readonly args: string }[] {
    return [...this.#calls.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, { name, args }]) => ({ name, args: args === '' ? '{}' : args }))
      .filter(({ name }) => name !== '');
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
