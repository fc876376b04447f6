import { describe, expect, test } from 'vitest';
import type { MessageId } from '../../../shared/model/ids';
import type { Spend } from '../../../shared/model/spend';
import { editMessage } from '../../sessions/branches';
import { eachEngine } from '../../testing/each-engine';
import { type Engine, GOOD_SUMMARY } from '../../testing/engine';
import { estimate } from '../../turns/measure';
import { localDataThread } from './client';

type Session = ReturnType<Engine['session']>;

let engine: Engine;
eachEngine((made) => {
  engine = made;
});

const spend = ({ sessionId }: Session): Promise<Spend> => localDataThread(engine.db).ask('spend', { sessionId });
/** What the meter shows. */
const fill = ({ sessionId, branchId }: Session): number =>
  estimate(engine.db, sessionId, branchId, engine.models.facts(), engine.toolbox, false).use.total;

/** The open request is answered, with what the server counted. */
async function answer(usage: { readonly prompt?: number; readonly output?: number }): Promise<void> {
  engine.host.last.emit({ t: 'usage', ...usage });
  engine.host.last.answer('an answer');
  await engine.settle();
}
async function ask(session: Session, usage: Parameters<typeof answer>[0]): Promise<void> {
  await engine.send(session, 'question');
  await engine.settle();
  await answer(usage);
}

describe('what a chat has cost', () => {
  test('S73 grows with each request where the fill is that of the next one alone, and falls with a compaction', async () => {
    const session = engine.session(12, 400);
    await ask(session, { prompt: 2_600, output: 5 });
    await ask(session, { prompt: 2_615, output: 6 });
    const filled = fill(session);
    expect(filled).toBeLessThan(2_700);
    expect(await spend(session)).toMatchObject({
      answers: { read: 5_215, written: 11 },
      compressions: { read: 0, written: 0 },
      uncounted: 0,
    });

    await engine.compress(session, 'manual', ['summarize']);
    engine.host.last.emit({ t: 'usage', prompt: 2_500, output: 90 });
    await engine.answerAll();
    expect(fill(session)).toBeLessThan(filled * 0.8);
    const all = await spend(session);
    expect(all.answers).toEqual({ read: 5_215, written: 11 });
    expect(all.compressions.read).toBe(2_500);
    expect(all.compressions.written).toBeGreaterThanOrEqual(90);
  });

  test('S73 holds what was left: answers of other paths count once, those of other chats never', async () => {
    const session = engine.session(1);
    await ask(session, { prompt: 300, output: 5 });
    const id = '00000000-0000-4000-9000-000000000001' as MessageId;
    await editMessage(engine, { ...session, seq: 3, id, text: 'another question' });
    await engine.settle();
    await answer({ prompt: 310, output: 7 });
    await ask(engine.session(1), { prompt: 9_000, output: 9 });
    expect((await spend(session)).answers).toEqual({ read: 610, written: 12 });
  });

  test('its peak is the largest prompt, with its time', async () => {
    const session = engine.session(1);
    expect((await spend(session)).peak).toBeNull();
    await ask(session, { prompt: 300 });
    await engine.pass(5_000);
    const at = engine.clock.wall();
    await ask(session, { prompt: 900 });
    await ask(session, { prompt: 320 });
    expect((await spend(session)).peak).toEqual({ tokens: 900, at });
  });

  test('an answer whose server counts nothing is named as missing', async () => {
    const session = engine.session(1);
    await ask(session, { prompt: 300, output: 5 });
    await ask(session, {});
    await engine.send(session, 'question');
    await engine.settle();
    engine.host.last.emit({ t: 'text', text: 'the beginning' });
    await engine.turns.stop(session.sessionId);
    await engine.settle();
    expect(await spend(session)).toMatchObject({ answers: { read: 300, written: 5 }, uncounted: 2 });
  });

  test('an attempt that failed has cost what was read for it; one that resumes pays for no checkpoint again', async () => {
    const session = engine.session(40, 800); // three chunks and their fold
    const read = async () => (await spend(session)).compressions.read;
    const note = async (usage: object) => {
      engine.host.last.emit({ t: 'usage', ...usage });
      engine.host.last.answer(GOOD_SUMMARY);
      await engine.settle();
    };
    const first = await engine.attempt(session, 'manual', ['summarize']);
    await note({ prompt: 1_000, output: 50 });
    engine.host.last.emit({ t: 'usage', prompt: 700 });
    engine.host.last.dieOfTimeout();
    expect((await first.outcome).kind).toBe('failed');
    expect(await read()).toBe(1_700);

    const second = await engine.attempt(session, 'manual', ['summarize']);
    await note({ prompt: 100 });
    engine.host.last.dieOfTimeout();
    expect((await second.outcome).kind).toBe('failed');
    expect(await read()).toBe(1_800);

    const third = await engine.attempt(session, 'manual', ['summarize']);
    await note({ prompt: 10 });
    await note({}); // the fold, whose server suddenly counts nothing
    expect((await third.outcome).kind).toBe('committed');
    expect(await read()).toBe(1_810);
  });

  test('a summary by a server that counts nothing has cost what was read of the range', async () => {
    const session = engine.session(8, 800);
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    engine.host.last.emit({ t: 'phase', phase: 'reading', done: 1, of: 2 });
    const { tokensToRead, tokensRead } = attempt.view();
    expect(tokensRead).toBe(Math.round(tokensToRead / 2));
    await engine.answerAll();
    expect((await spend(session)).compressions.read).toBe(tokensToRead);
  });
});
