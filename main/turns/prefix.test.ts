import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BranchId, MessageId, SessionId } from '../../shared/model/ids';
import { messagesBetween } from '../db/messages-table';
import { pinsOnPath } from '../db/pins-table';
import { changeSession } from '../db/sessions-table';
import { putText } from '../db/texts-table';
import type { ChatMessage, Job } from '../hosts/protocol';
import { addPin, unpin } from '../sessions/pins';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { TestTool } from '../testing/test-tool';
import { loadContext } from './load-context';
import { coveredPins } from './pin-block';

type Session = { readonly sessionId: SessionId; readonly branchId: BranchId };

/**
 * The bytes that a template makes of a request, as far as any template's: each message is opened by its role, and
 * closed only by the next one, since a message at the end may go on.
 */
function bytesOf({ tools, messages }: Extract<Job, { kind: 'chat' }>): string {
  const one = ({ role, content, calls, answers }: ChatMessage) =>
    `<${role}${answers ? ` ${JSON.stringify(answers)}` : ''}>${content}${calls ? JSON.stringify(calls) : ''}`;
  return `${JSON.stringify(tools ?? [])}${messages.map(one).join('<end>')}`;
}

/** Said early, among much else; a question about it brings it back once it is covered. */
const FACT = 'The staging database listens on port 8471, and only the deploy account may reach it.';
const QUESTION = 'On which port does the staging database listen?';

const said = fc
  .array(fc.constantFrom('port', 'lamp', '8471', 'Köln', '备份', 'never', 'the', 'answer', '\n', '<end>'), {
    minLength: 1,
    maxLength: 60,
  })
  .map((all) => `say ${all.join(' ')}`);
const words = fc.oneof({ weight: 5, arbitrary: said }, { weight: 1, arbitrary: fc.constant(QUESTION) });

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('turn' as const), text: words, answer: words }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('tools' as const),
      text: words,
      results: fc.array(words, { minLength: 1, maxLength: 3 }),
      alone: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stopped' as const), text: words, part: fc.option(words) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('failed' as const), text: words, again: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('waiting' as const), text: words, next: words }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pin' as const), back: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'unpin' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'compress' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rates' as const), ascii: fc.constantFrom(0.2, 0.25, 0.4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tool-list' as const), tools: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('system' as const), text: words }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

class Talk {
  readonly engine: Engine;
  readonly session: Session;
  readonly #tool = new TestTool();
  #seen = 0;
  #before: { readonly bytes: string; readonly begins: string } | null = null;
  /** Requests that were held to the one before. */
  held = 0;

  constructor(profile: TempProfile, tools: boolean) {
    this.engine = new Engine(profile);
    this.engine.tools = [this.#tool];
    this.engine.models.change({ tools });
    this.session = this.engine.session(2, 300);
    this.engine.say(this.session, 'user', FACT);
    this.engine.say(this.session, 'assistant', 'Noted.');
    this.engine.fill(this.session.sessionId, this.session.branchId, 8, 700);
  }

  async take(one: Step): Promise<void> {
    const { engine, session } = this;
    switch (one.do) {
      case 'turn':
        await this.#send(one.text);
        return this.#answer(one.answer);
      case 'tools': {
        await this.#send(one.text);
        if (one.alone) for (const result of one.results) await this.#call([result]);
        else await this.#call(one.results);
        return this.#answer('done');
      }
      case 'stopped':
        await this.#send(one.text);
        if (one.part !== null) engine.host.last.emit({ t: 'text', text: one.part });
        engine.turns.stop(session.sessionId);
        return this.#settle();
      case 'failed':
        await this.#send(one.text);
        engine.host.last.settle({
          t: 'failed',
          kind: 'died',
          cause: 'unreachable',
          name: 'Error',
          message: '',
          fields: {},
        });
        await this.#settle();
        if (!one.again) return;
        await engine.turns.sendAgain(session.sessionId, session.branchId);
        await this.#settle();
        return this.#answer('at last');
      case 'waiting':
        await this.#send(one.text);
        await engine.send(session, one.next);
        await this.#answer('first');
        return this.#answer('second');
      case 'pin': {
        const rows = messagesBetween(engine.db, session.branchId, 1, 999).filter(({ text }) => text.trim() !== '');
        const message = rows.at(-1 - (one.back % rows.length));
        if (message?.status === 'complete')
          await addPin(engine.pins, {
            sessionId: session.sessionId,
            messageId: message.id as MessageId,
            excerpt: null,
          });
        return;
      }
      case 'unpin': {
        const pin = pinsOnPath(engine.db, session.branchId).at(-1);
        return pin && unpin(engine.pins, session.sessionId, pin.id);
      }
      case 'compress':
        await engine.compress(session, 'manual', ['extract']);
        return this.#settle();
      case 'rates':
        return engine.models.change({ rates: { ...engine.models.facts().rates, ascii: one.ascii } });
      case 'tool-list':
        return engine.models.change({ tools: one.tools });
      case 'system':
        engine.write((tx) => changeSession(tx, session.sessionId, { promptHash: putText(tx, one.text) }));
    }
  }

  async #send(text: string): Promise<void> {
    await this.engine.send(this.session, text);
    await this.#settle();
  }
  async #answer(text: string): Promise<void> {
    const { host, models } = this.engine;
    if (host.running.length === 0) return;
    models.change({ prefillRate: null });
    host.last.emit({ t: 'usage', prompt: 400 });
    host.last.answer(text);
    await this.#settle();
  }
  /** The answer calls a tool once for each result; without tools it only says something. */
  async #call(results: readonly string[]): Promise<void> {
    const { host } = this.engine;
    if (host.running.length === 0) return;
    host.last.call(results.map((_, n) => ['probe', { n }] as const));
    await this.#settle();
    for (const result of results) {
      this.#tool.open?.resolve(result);
      await this.#settle();
    }
  }
  async #settle(): Promise<void> {
    await this.engine.settle();
    for (const stream of this.engine.requests().slice(this.#seen)) {
      this.#seen++;
      if (stream.job.kind === 'chat') this.#holds(stream.job);
    }
  }

  /** S68: what was sent last is the beginning of this, unless one of the things changed that a request begins with. */
  #holds(job: Extract<Job, { kind: 'chat' }>): void {
    const { db, models } = this.engine;
    const loaded = loadContext(db, this.session.sessionId, this.session.branchId, models.facts().rates, 1_000_000);
    const begins = JSON.stringify({
      commits: [loaded.summaries.map(({ id }) => id), loaded.stubbed],
      pinned: coveredPins(loaded.pins, loaded.summaries).map(({ id }) => id),
      tools: job.tools ?? [],
      system: loaded.systemHash,
    });
    const bytes = bytesOf(job);
    if (this.#before?.begins === begins) {
      expect(bytes.slice(0, this.#before.bytes.length)).toBe(this.#before.bytes);
      this.held++;
    }
    this.#before = { bytes, begins };
  }
}

test('S68 between commits a request begins with the bytes of the last one, whatever turns, tools, recalls and pins come', async () => {
  let held = 0;
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 4, maxLength: 14 }), async (tools, steps) => {
      const profile = new TempProfile();
      const talk = new Talk(profile, tools);
      try {
        for (const one of steps) await talk.take(one);
        held += talk.held;
      } finally {
        talk.engine.close();
        profile.remove();
      }
    }),
    { numRuns: 60, seed: 68 },
  );
  expect(held).toBeGreaterThan(200);
}, 60_000);
