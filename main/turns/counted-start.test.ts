import { describe, expect, test } from 'vitest';
import type { BranchId, MessageId, SessionId, SummaryId } from '../../shared/model/ids';
import { all } from '../db/database';
import { changeSession } from '../db/sessions-table';
import { putText } from '../db/texts-table';
import { editMessage } from '../sessions/branches';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { estimate } from './measure';

/** Tokens of the template around each message. */
const OVERHEAD = 4;

let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made) => {
  engine = made;
});

/** What each request was measured as before it left. */
const measured = () =>
  all<{ counted: number }>(engine.db, 'SELECT counted FROM requests').map(({ counted }) => counted);
/** Tokens of a text of four characters each, as the test's model counts. */
const tokens = (text: string) => Math.ceil(text.length / 4) + OVERHEAD;

/** Asks, and has the server count `share` of what was measured. Answers what it said. */
async function ask(text: string, answer: string, share: number): Promise<number> {
  await engine.send(session, text);
  await engine.settle();
  const prompt = Math.round((measured().at(-1) ?? 0) * share);
  engine.host.last.emit({ t: 'usage', prompt });
  engine.host.last.answer(answer);
  await engine.settle();
  return prompt;
}

/** What the meter shows of the next request. */
const use = () =>
  estimate(engine.db, session.sessionId, session.branchId, engine.models.facts(), engine.toolbox, false).use;

describe('the next request is measured as', () => {
  test('S76 what the server counted of the last one and an estimate of what came after alone', async () => {
    session = engine.session(4);
    const counted = await ask('first question', 'an answer of some words', 1.1);
    await engine.send(session, 'second question');
    await engine.settle();
    expect(measured()[1]).toBe(counted + tokens('an answer of some words') + tokens('second question'));
  });

  test('an estimate where the server counted what cannot be the same', async () => {
    session = engine.session(4);
    const counted = await ask('first question', 'an answer', 0.5);
    await engine.send(session, 'second question');
    await engine.settle();
    expect(measured()[1]).toBe(counted * 2 + tokens('an answer') + tokens('second question'));
  });

  test('the count where the server counted much more than we did: it knows its template', async () => {
    session = engine.session(4);
    const counted = await ask('first question', 'an answer', 2.5);
    await engine.send(session, 'second question');
    await engine.settle();
    expect(measured()[1]).toBe(counted + tokens('an answer') + tokens('second question'));
  });

  test('the count where it counted far fewer, as long as our own rates are a guess', async () => {
    engine.models.change({ rates: { ...engine.models.facts().rates, calibrated: false } });
    session = engine.session(4);
    const counted = await ask('first question', 'an answer', 0.6);
    await engine.send(session, 'second question');
    await engine.settle();
    expect(measured()[1]).toBe(counted + tokens('an answer') + tokens('second question'));
  });

  test('an estimate where it counted beyond all measure', async () => {
    session = engine.session(4);
    const counted = await ask('first question', 'an answer', 9);
    await engine.send(session, 'second question');
    await engine.settle();
    expect(measured()[1]).toBeLessThan(counted / 5);
  });

  test('both counts together, where a server counts what is new alone since it had the rest cached', async () => {
    session = engine.session(4);
    const counted = await ask('first question', 'an answer', 1.1);
    await engine.send(session, 'second question');
    await engine.settle();
    const fresh = tokens('an answer') + tokens('second question');
    engine.host.last.emit({ t: 'usage', prompt: fresh });
    engine.host.last.answer('another answer');
    await engine.settle();
    expect(engine.models.reports).toEqual([counted, counted + fresh]);
    await engine.send(session, 'third question');
    await engine.settle();
    expect(measured()[2]).toBe(counted + fresh + tokens('another answer') + tokens('third question'));
  });

  for (const [what, change] of [
    ['the system prompt changed', () => setPrompt('Be brief.')],
    ['the model changed', () => engine.models.change({ ref: { ...engine.models.facts().ref, model: 'another' } })],
    ['a summary took the place of messages', () => compress()],
  ] as const)
    test(`an estimate where ${what}`, async () => {
      session = engine.session(12, 400);
      const counted = await ask('first question', 'an answer', 1.2);
      await change();
      await engine.send(session, 'second question');
      await engine.settle();
      const sinceThen = counted + tokens('an answer') + tokens('second question');
      expect(measured().at(-1)).not.toBe(sinceThen);
      expect(measured().at(-1)).toBeLessThan(sinceThen);
    });

  for (const [what, change] of [
    ['the system prompt changed', () => setPrompt('Be brief.')],
    [
      'another model was chosen',
      () => engine.models.change({ ref: { ...engine.models.facts().ref, model: 'another' } }),
    ],
    ['a compaction ended', () => compress()],
  ] as const)
    test(`S75 an estimate that says so once ${what}, until the server has counted the next one`, async () => {
      session = engine.session(12, 400);
      expect(use().exact).toBe(false); // nothing was ever counted
      const counted = await ask('first question', 'an answer', 1.2);
      expect(use()).toMatchObject({ exact: true, total: counted + tokens('an answer') });
      await change();
      expect(use().exact).toBe(false);
      expect(use().total).toBeLessThan(counted);
      await engine.send(session, 'second question');
      await engine.settle();
      expect(use().exact).toBe(false); // on the way, and not counted yet
      const shown: boolean[] = [];
      engine.onCounted = () => shown.push(use().exact);
      engine.host.last.emit({ t: 'usage', prompt: measured().at(-1) ?? 0 });
      engine.host.last.answer('another answer');
      await engine.settle();
      expect(shown).toEqual([true]); // the window is told, and not only once something else changes
      expect(use().exact).toBe(true);
    });

  test('an estimate where the last question was edited, on a branch of its own', async () => {
    session = engine.session(4);
    const counted = await ask('first question', 'an answer', 1.2);
    const id = '00000000-0000-4000-9000-000000000001' as MessageId;
    await editMessage(engine, { ...session, seq: 9, id, text: 'first question, edited' });
    await engine.settle();
    expect(measured().at(-1)).toBeLessThan(counted);
  });

  test('an estimate where the summary that stands at its beginning was edited', async () => {
    session = engine.session(12, 400);
    await compress();
    const counted = await ask('first question', 'an answer', 1.2);
    const [summary] = engine.shown(session.branchId);
    const summaryId = summary?.id ?? (0 as SummaryId);
    await engine.summaries.edit({ ...session, summaryId, text: `${summary?.text}\n- One more line of it.` });
    await engine.send(session, 'second question');
    await engine.settle();
    expect(measured().at(-1)).toBeLessThan(counted);
  });
});

function setPrompt(text: string): void {
  engine.write((tx) => changeSession(tx, session.sessionId, { promptHash: putText(tx, text) }));
}

async function compress(): Promise<void> {
  await engine.compress(session, 'manual', ['summarize']);
  await engine.answerAll();
}
