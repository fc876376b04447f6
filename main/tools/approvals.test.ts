import { describe, expect, test } from 'vitest';
import type { BranchId, SessionId, ToolServerId } from '../../shared/model/ids';
import type { ToolAnswer } from '../../shared/model/tools';
import { one } from '../db/database';
import { messagesBetween } from '../db/messages-table';
import { openForWriting } from '../db/open';
import { deleteToolServer, insertToolServer } from '../db/tool-servers-table';
import { activityOf } from '../sessions/shown';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { TestTool } from '../testing/test-tool';
import { boundTo } from './bound-to';
import type { Approval } from './tool';

type Session = { sessionId: SessionId; branchId: BranchId };

const serverId = '00000000-0000-4000-9000-000000000001' as ToolServerId;
const transport = { kind: 'stdio', command: 'mail', args: [], variables: [] } as const;
const approval = (fingerprint = 'as it was'): Approval => ({
  serverId,
  server: 'Mail',
  tool: 'send',
  runs: 'mail',
  boundTo: boundTo(transport, fingerprint),
});

describe('a call that needs the user’s word', () => {
  let engine: Engine;
  let tool: TestTool;
  let session: Session;
  let profile: TempProfile;

  eachEngine((made, at) => {
    engine = made;
    profile = at;
    tool = new TestTool('mail__send', null, approval());
    engine.tools = [tool];
    const row = { id: serverId, name: 'Mail', prefix: 'mail', transport, on: true, tools: [], createdAt: 1 };
    engine.write((tx) => insertToolServer(tx, row));
    session = engine.session();
  });

  const stored = ({ branchId }: Session) => messagesBetween(engine.db, branchId, 1, 999);
  const result = (at = session) => stored(at).findLast(({ role }) => role === 'tool');
  const question = (at = session) => engine.approvals.questionOf(at.sessionId);
  const decision = (callId: string | undefined) =>
    one<{ decision: string | null }>(engine.db, 'SELECT decision FROM tool_approvals WHERE call_id = :callId', {
      callId: callId ?? '',
    })?.decision;
  const calls = async (at = session, args: object | string = { to: 'all' }) => {
    await engine.send(at, 'question');
    await engine.settle();
    engine.host.last.call([['mail__send', args]]);
    await engine.settle();
  };
  const say = async (answer: ToolAnswer, at = session, confirmed = true) => {
    const said = await engine.approvals.answer(at.sessionId, question(at)?.callId ?? '', answer, async () => confirmed);
    await engine.settle();
    return said;
  };

  test('a word that waits for the database and is overtaken by a stop gives no grant', async () => {
    await calls();
    const callId = question()?.callId ?? '';
    const other = openForWriting(profile.database);
    other.exec('BEGIN IMMEDIATE');
    const answering = engine.approvals.answer(session.sessionId, callId, 'always', async () => true);
    const refused = expect(answering).rejects.toMatchObject({ code: 'already-ended' });
    await new Promise<void>((resolve) => setImmediate(resolve)); // it is confirmed, and waits for the lock
    const stopping = engine.turns.stop(session.sessionId);
    other.exec('ROLLBACK');
    other.close();
    await engine.pass(2_000, 100);
    await Promise.all([stopping, refused]);
    expect(one(engine.db, 'SELECT 1 FROM tool_grants')).toBeNull();
    expect(decision(callId)).toBe('withdrawn');
    expect(tool.runs).toHaveLength(0);
  });

  test('waits for it, and the session says so; nothing runs before', async () => {
    await calls();
    expect(tool.runs).toHaveLength(0);
    expect(engine.turn(session.sessionId)?.state).toBe('tools');
    expect(question()).toMatchObject({ server: 'Mail', tool: 'send', changed: false });
    expect(activityOf(engine.db, session.sessionId, null)).toEqual({ kind: 'waiting' });
    await engine.pass(3_600_000, 600_000); // as long as it takes
    expect(tool.runs).toHaveLength(0);
    await say('once');
    expect(tool.last.args).toEqual({ to: 'all' });
    expect(activityOf(engine.db, session.sessionId, null)).toEqual({ kind: 'answering' });
    tool.last.resolve('sent');
    await engine.settle();
    expect(result()).toMatchObject({ text: 'sent', parts: { result: { state: 'done', tookMs: 0 } } });
    await engine.answerAll('ok');
  });

  test('runs only after the word is stored', async () => {
    await calls();
    const callId = question()?.callId;
    expect(decision(callId)).toBeNull();
    const seen: (string | null | undefined)[] = [];
    const run = tool.run.bind(tool);
    tool.run = (...given) => {
      seen.push(decision(callId));
      return run(...given);
    };
    await say('once');
    expect(seen).toEqual(['once']);
    tool.last.resolve('sent');
    await engine.settle();
    await engine.answerAll('ok');
  });

  test('that is not allowed is told to the model, and the turn goes on', async () => {
    await calls();
    await say('deny');
    expect(tool.runs).toHaveLength(0);
    expect(result()).toMatchObject({ parts: { result: { state: 'denied', tookMs: null } } });
    const { job } = engine.requests().at(-1) ?? {};
    expect(job?.kind === 'chat' && job.messages.at(-1)?.content).toContain('The user did not allow this call');
    await engine.answerAll('Then I leave it.');
    expect(engine.turn(session.sessionId)?.state).toBe('completed');
  });

  test('once is for this call; in this chat is for this chat; always is for every chat', async () => {
    const other = engine.session();
    const asked = async (at: Session) => {
      await calls(at);
      const waits = question(at) !== null;
      if (waits) await say('once', at);
      tool.last.resolve('sent');
      await engine.settle();
      await engine.answerAll('ok');
      return waits;
    };
    expect(await asked(session)).toBe(true);
    expect(await asked(session)).toBe(true);
    await calls();
    await say('session');
    tool.last.resolve('sent');
    await engine.settle();
    await engine.answerAll('ok');
    expect(await asked(session)).toBe(false);
    expect(await asked(other)).toBe(true);
    await calls(other);
    await say('always', other);
    tool.last.resolve('sent');
    await engine.settle();
    await engine.answerAll('ok');
    expect(await asked(engine.session())).toBe(false);
  });

  test('“always” that is not confirmed changes nothing: the call waits on', async () => {
    await calls();
    expect(await say('always', session, false)).toBe(false);
    expect(tool.runs).toHaveLength(0);
    expect(question()).not.toBeNull();
    await say('deny');
    await engine.answerAll('ok');
  });

  test.each(['session', 'always'] as const)(
    'a grant (%s) holds for what it was given for: any change asks again, and says that it is one',
    async (kind) => {
      await calls();
      await say(kind);
      tool.last.resolve('sent');
      await engine.settle();
      await engine.answerAll('ok');
      tool = new TestTool('mail__send', null, approval('as it is now'));
      engine.tools = [tool];
      await calls();
      expect(tool.runs).toHaveLength(0);
      expect(question()).toMatchObject({ changed: true });
      await say(kind);
      tool.last.resolve('sent');
      await engine.settle();
      await engine.answerAll('ok');
      await calls();
      expect(question()).toBeNull();
      tool.last.resolve('sent');
      await engine.settle();
      await engine.answerAll('ok');
    },
  );

  test('grants of a server go with it', async () => {
    await calls();
    await say('always');
    tool.last.resolve('sent');
    await engine.settle();
    await engine.answerAll('ok');
    engine.write((tx) => deleteToolServer(tx, serverId));
    await calls();
    expect(question()).not.toBeNull();
    await say('deny');
    await engine.answerAll('ok');
  });

  test('is withdrawn by Stop: it has not run, and an answer that comes then finds nothing to answer', async () => {
    await calls();
    const callId = question()?.callId ?? '';
    await engine.turns.stop(session.sessionId);
    await engine.settle();
    expect(question()).toBeNull();
    expect(result()).toMatchObject({ text: 'Not run.', parts: { result: { state: 'cancelled', tookMs: null } } });
    expect(decision(callId)).toBe('withdrawn');
    const late = engine.approvals.answer(session.sessionId, callId, 'always', async () => true);
    await expect(late).rejects.toMatchObject({ code: 'already-ended' });
    expect(one(engine.db, 'SELECT 1 FROM tool_grants')).toBeNull();
    expect(tool.runs).toHaveLength(0);
  });

  test('a word that comes with the stop runs nothing', async () => {
    await calls();
    const answering = engine.approvals.answer(session.sessionId, question()?.callId ?? '', 'once', async () => true);
    await engine.turns.stop(session.sessionId);
    await answering.catch(() => {});
    await engine.settle();
    expect(tool.runs).toHaveLength(0);
    expect(result()?.parts?.result?.state).toBe('cancelled');
  });

  test('has one answer: the second finds nothing, and no other session can give it', async () => {
    await calls();
    const callId = question()?.callId ?? '';
    const answer = (sessionId: SessionId) => engine.approvals.answer(sessionId, callId, 'session', async () => true);
    await expect(answer(engine.session().sessionId)).rejects.toMatchObject({ code: 'already-ended' });
    const both = await Promise.allSettled([answer(session.sessionId), answer(session.sessionId)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await engine.settle();
    expect(tool.runs).toHaveLength(1);
    tool.last.resolve('sent');
    await engine.settle();
    await engine.answerAll('ok');
  });

  test('that cannot be made anyway is not asked about', async () => {
    await calls(session, 'no JSON');
    expect(question()).toBeNull();
    expect(result()?.text).toContain('its arguments are not a JSON object');
    await engine.answerAll('ok');
  });

  test('is interrupted by the end of the app, and told not to have run', async () => {
    await calls();
    const ending = engine.turns.quit();
    await engine.settle();
    await ending;
    expect(result()).toMatchObject({ text: 'Not run.', parts: { result: { state: 'interrupted' } } });
  });

  test('S2 after a crash it has not run, nothing is asked again by itself, and the row waits no more', async () => {
    await calls();
    const callId = question()?.callId;
    engine = engine.restart();
    engine.tools = [tool];
    await engine.pass(60_000, 10_000);
    expect(result()).toMatchObject({
      text: 'Not run: the app ended before the user had allowed it.',
      parts: { result: { state: 'interrupted' } },
    });
    expect(decision(callId)).toBe('withdrawn');
    expect(tool.runs).toHaveLength(0);
    expect(engine.turn(session.sessionId)?.state).toBe('interrupted');
  });
});
