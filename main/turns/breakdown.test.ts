import { expect, test } from 'vitest';
import type { ContextPart, ContextUse } from '../../shared/model/context';
import type { MessageId } from '../../shared/model/ids';
import { all } from '../db/database';
import { messagesBetween } from '../db/messages-table';
import { changeSession } from '../db/sessions-table';
import { putText } from '../db/texts-table';
import { addPin } from '../sessions/pins';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { TestTool } from '../testing/test-tool';
import { estimate } from './measure';

let engine: Engine;
eachEngine((made) => {
  engine = made;
  engine.tools = [new TestTool()];
});

const FACT = 'The staging database listens on port 8471, and only the deploy account may reach it.';
const RULE = 'Backups run at two in the morning, on Sundays only.';
const SYSTEM = 'Answer in whole sentences, and say where you know it from. '.repeat(4);
const QUESTION = 'On which port does the staging database listen?';

const use = ({ sessionId, branchId }: ReturnType<Engine['session']>): ContextUse =>
  estimate(engine.db, sessionId, branchId, engine.models.facts(), engine.toolbox, true).use;
const sum = (parts: ContextUse['parts']) => Object.values(parts).reduce((all, part) => all + part, 0);
const some = (parts: ContextUse['parts']) =>
  (Object.keys(parts) as ContextPart[]).filter((part) => parts[part] > 0).sort();

/** A chat with everything that a request can be made of, and its next question on the way. */
async function askAfterAll(tools: boolean) {
  engine.models.change({ tools });
  const session = engine.session(2, 300);
  engine.say(session, 'user', FACT);
  engine.say(session, 'assistant', 'Noted.');
  engine.say(session, 'user', RULE);
  engine.fill(session.sessionId, session.branchId, 12, 700);
  engine.write((tx) => changeSession(tx, session.sessionId, { promptHash: putText(tx, SYSTEM) }));
  const pinned = messagesBetween(engine.db, session.branchId, 1, 999).find(({ text }) => text === RULE);
  await addPin(engine.pins, { ...session, messageId: pinned?.id as MessageId, excerpt: null });
  await engine.compress(session, 'manual', ['summarize']);
  await engine.answerAll('## Goal\n- The words of the user matter.');
  expect(engine.shown(session.branchId)).toHaveLength(1);
  await engine.send(session, QUESTION);
  await engine.settle();
  return session;
}

test.each([
  ['with tools', true, ['pins', 'summary', 'system', 'tail', 'tools']],
  ['with what was recalled where a model takes no tools', false, ['pins', 'recall', 'summary', 'system', 'tail']],
])(
  'S77 the breakdown holds all that is sent, once, and adds up to what the request was counted as: %s',
  async (_name, tools, parts) => {
    const session = await askAfterAll(tools);
    const { job } = engine.host.last;
    if (job.kind !== 'chat') throw new Error('no chat');
    const sent = use(session);
    expect(some(sent.parts)).toEqual(parts);
    expect(sum(sent.parts)).toBe(sent.total);
    expect(all(engine.db, 'SELECT counted FROM requests')).toEqual([{ counted: sent.total }]);

    // four characters are a token here; beside them each message may have its overhead, and be rounded up
    const characters = job.messages.reduce((all, { content }) => all + content.length, 0);
    const list = tools ? JSON.stringify(job.tools).length : 0;
    const [summary] = engine.shown(session.branchId);
    const messages = messagesBetween(engine.db, session.branchId, (summary?.coversTo ?? 0) + 1, 999).length;
    expect(sent.total).toBeGreaterThanOrEqual((characters + list) / 4);
    expect(sent.total).toBeLessThanOrEqual((characters + list) / 4 + 5 * (messages + 5));
    expect(sent.parts.system).toBe(Math.ceil(SYSTEM.length / 4) + 4);
    expect(sent.parts.tools).toBe(tools ? Math.ceil(list / 4) + 4 : 0);

    const counted = Math.round(sent.total * 1.17) + 1;
    engine.host.last.emit({ t: 'usage', prompt: counted });
    const answer = 'On port 8471.';
    engine.host.last.answer(answer);
    await engine.settle();
    const next = use(session);
    expect(sum(next.parts)).toBe(next.total);
    expect(next.total).toBe(counted + Math.ceil(answer.length / 4) + 4);
  },
);
