/**
 * One needle run: a written conversation goes through the product's own engine, compressed after each of its parts, and
 * what is then sent, kept and found is reported. It judges nothing: the facts and the score are the script's.
 */
import type { Strategy } from '../../../shared/model/compression';
import type { MessageId, PinId } from '../../../shared/model/ids';
import type { MessageRole } from '../../../shared/model/message';
import { AnchorBook } from '../../compression/anchors';
import { summaryBudget } from '../../compression/policy';
import { readMessage } from '../../compression/read-message';
import { getMessage, insertMessage } from '../../db/messages-table';
import { putPin } from '../../db/pins-table';
import { searchMessages } from '../../db/search-index';
import { recall } from '../../db/thread/recall-job';
import { assemble, partsOf, totalOf } from '../../turns/context';
import { loadContext } from '../../turns/load-context';
import { marksFor } from '../../turns/measure';
import { Engine } from '../engine';
import type { TempProfile } from '../profile';
import { scriptedSummary } from '../scripted-summary';

export interface PlantedFact {
  readonly kind: string;
  readonly value: string;
  /** What somebody would ask who wants to know it. */
  readonly question: string;
  /** Index of the message that holds it. */
  readonly at: number;
}
export interface RunInput {
  readonly parts: readonly (readonly { readonly role: MessageRole; readonly text: string }[])[];
  readonly newest: string;
  readonly facts: readonly PlantedFact[];
  readonly strategy: Extract<Strategy, 'summarize' | 'extract'>;
  readonly window: number;
  /** Every so-manieth message is pinned. */
  readonly pinEach: number;
}
export interface RunReport {
  /** Everything the next request sends, its parts set apart by blank lines. */
  readonly view: string;
  readonly viewTokens: number;
  readonly newestWhole: boolean;
  readonly compressions: readonly {
    readonly outcome: string;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
  }[];
  /** By fact: its message is found by its exact words; a passage recalled for its question holds it; it is an anchor. */
  readonly originals: readonly boolean[];
  readonly recalled: readonly boolean[];
  readonly recognized: readonly boolean[];
  /** The anchor list of the newest receipt, and what of it is kept. */
  readonly listed: readonly string[];
  readonly kept: readonly string[];
  readonly pins: readonly string[];
  /** The newest summary alone, and the number of its last covered message. */
  readonly cutoff: number;
  readonly summary: string;
}

export async function runFidelity(profile: TempProfile, input: RunInput): Promise<RunReport> {
  const engine = new Engine(profile);
  engine.models.change({ window: { served: input.window, trained: input.window, source: 'server' } });
  engine.host.onOpen = (stream) => {
    const { job } = stream;
    if (job.kind === 'summary')
      setImmediate(() => stream.answer(scriptedSummary(job.messages, 3 * (job.maxTokens ?? 1_000))));
  };
  const session = engine.session();
  const { sessionId, branchId } = session;
  const pins: string[] = [];
  const compressions: RunReport['compressions'][number][] = [];
  let written = 0;
  const write = (role: MessageRole, text: string) => {
    const id = `message-${written++}` as MessageId;
    engine.write((tx) =>
      insertMessage(tx, { id, sessionId, branchId, role, text, status: 'complete', turnId: null, now: written }),
    );
    return id;
  };
  for (const [i, part] of input.parts.entries()) {
    for (const message of part) {
      const id = write(message.role, message.text);
      if (written % input.pinEach !== 0) continue;
      const messageRid = getMessage(engine.db, id)?.rid ?? 0;
      engine.write((tx) =>
        putPin(tx, { id: `pin-${written}` as PinId, sessionId, messageRid, excerpt: null, now: written }),
      );
      pins.push(message.text);
    }
    if (i === input.parts.length - 1) break;
    const attempt = await engine.attempt(session, 'manual', [input.strategy]);
    const outcome = await attempt.outcome;
    await engine.settle();
    const summary = engine.shown(branchId).at(-1);
    compressions.push({
      outcome: JSON.stringify(outcome),
      tokensBefore: summary?.tokensBefore ?? 0,
      tokensAfter: summary?.tokensAfter ?? 0,
    });
  }
  write('user', input.newest);
  const { rates } = engine.models.facts();
  const context = loadContext(engine.db, sessionId, branchId, rates, Number.POSITIVE_INFINITY);
  const sent = assemble(context, false);
  const [summary] = engine.shown(branchId);
  const ranges = engine.shown(branchId).map((one) => ({ from: one.coversFrom, to: one.coversTo }));
  // as an automatic retrieval would: by the question, within what passages may have
  const budget = summaryBudget(marksFor(engine.db, sessionId, engine.models.facts())?.usable ?? 0);
  const found = (query: string, limit: number, seq: number) =>
    searchMessages(engine.db, { query, sessionId, limit }).some((hit) => hit.seq === seq);
  const texts = input.parts.flat();
  const report: RunReport = {
    view: sent.map((message) => message.content).join('\n\n'),
    viewTokens: totalOf(partsOf(context, [], rates)),
    newestWhole: sent.at(-1)?.role === 'user' && (sent.at(-1)?.content.endsWith(input.newest) ?? false),
    compressions,
    originals: input.facts.map((fact) => found(`"${fact.value}"`, 50, fact.at + 1)),
    recalled: input.facts.map(({ question, value }) =>
      recall(engine.db, { branch: branchId, ranges, question, budget, rates, strict: true }).some(({ text }) =>
        text.includes(value),
      ),
    ),
    recognized: input.facts.map((fact) => isAnchor(fact, texts[fact.at])),
    listed: summary?.receipt?.anchors.map((anchor) => anchor.text) ?? [],
    kept: summary?.receipt?.anchors.filter(({ fate }) => fate !== 'dropped').map(({ text }) => text) ?? [],
    pins,
    cutoff: summary?.coversTo ?? 0,
    summary: summary?.text ?? '',
  };
  engine.close();
  return report;
}

/** Whether the anchor list of its own message would hold the fact. */
function isAnchor({ value, kind }: PlantedFact, message: { role: MessageRole; text: string } | undefined): boolean {
  if (!message) return false;
  const book = new AnchorBook({ from: 1, to: 1 });
  book.add(readMessage({ seq: 1, ...message }));
  return book
    .ranked()
    .some((anchor) =>
      kind === 'rule' || kind === 'correction'
        ? anchor.kind === kind && anchor.text.includes(value)
        : anchor.text.includes(value) || (value.includes(anchor.text) && anchor.text.length * 2 > value.length),
    );
}
