import type { StreamEnd, StreamEvent, StreamHandle } from '../hosts/stream-handle';

/** Follows one stream for a test: everything it said, and promises for what the test waits for. */
export class Collected {
  readonly events: StreamEvent[] = [];
  readonly end: Promise<StreamEnd>;
  readonly #waits: { test: (event: StreamEvent) => boolean; done: () => void }[] = [];

  constructor(readonly handle: StreamHandle) {
    this.end = new Promise((resolve) => {
      handle.on((event) => {
        this.events.push(event);
        for (const wait of this.#waits.filter(({ test }) => test(event))) wait.done();
        if (event.t === 'settled') resolve(event.end);
      });
    });
  }

  /** Resolves at the next event (or a past one) that passes. */
  seen(test: (event: StreamEvent) => boolean): Promise<void> {
    if (this.events.some(test)) return Promise.resolve();
    return new Promise((done) => this.#waits.push({ test, done }));
  }

  get text(): string {
    return this.events.map((event) => (event.t === 'text' && !event.thinking ? event.text : '')).join('');
  }
  get thinking(): string {
    return this.events.map((event) => (event.t === 'text' && event.thinking ? event.text : '')).join('');
  }
  get phases(): string[] {
    const all = this.events.flatMap((event) => (event.t === 'phase' ? [event.phase] : []));
    return all.filter((phase, i) => phase !== all[i - 1]);
  }
  get calls() {
    return this.events.flatMap((event) => (event.t === 'call' ? [{ name: event.name, args: event.args }] : []));
  }
  get usage() {
    return this.events.findLast((event) => event.t === 'usage');
  }
}
