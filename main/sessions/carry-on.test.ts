import { expect, test } from 'vitest';
import type { SessionId } from '../../shared/model/ids';
import type { SessionView } from '../../shared/model/session';
import { changeSession, getSession, insertSession } from '../db/sessions-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { TestTool } from '../testing/test-tool';
import { type CarryOnEnv, carryOn } from './carry-on';

const NEXT = '55555555-5555-4555-8555-555555555555' as SessionId;

let engine: Engine;
eachEngine((made) => {
  engine = made;
});

/** What was attached to the new chat. */
function env(attached: [string, string][] = []): CarryOnEnv {
  return {
    seam: engine.seam,
    sessions: {
      get: (id) => {
        const session = getSession(engine.db, id);
        if (!session) throw new Error('no such session');
        return session;
      },
      ownsBranch: () => true,
      create: async (model) => {
        engine.write((tx) => insertSession(tx, { id: NEXT, title: '', model, now: engine.clock.wall() }));
        return { session: { id: NEXT } } as SessionView;
      },
      open: (id) => ({ session: { id } }) as SessionView,
    },
    attachments: {
      paste: async (_id, name, text) => {
        attached.push([name, text]);
      },
    },
  };
}

test('the summaries go along as a file, the settings too, and the question that has no answer', async () => {
  const session = engine.session(40, 800);
  engine.write((tx) => changeSession(tx, session.sessionId, { title: 'Release plan', keepTurns: 1 }));
  await engine.compress(session, 'manual', ['extract']);
  engine.automatic = 'off';
  await engine.send(session, `too long ${'x'.repeat(40_000)}`);
  await engine.settle();
  const attached: [string, string][] = [];
  const view = await carryOn(env(attached), session);
  expect(view.session.id).toBe(NEXT);
  expect(attached).toEqual([['Summary of Release plan.md', engine.shown(session.branchId)[0]?.text]]);
  expect(engine.stored(NEXT)).toMatchObject({ keepTurns: 1, draft: `too long ${'x'.repeat(40_000)}` });
});

test('the question is found before what its tools have brought', async () => {
  const session = engine.session(2);
  const tool = new TestTool('look');
  engine.tools = [tool];
  await engine.send(session, 'what is there?');
  await engine.settle();
  engine.host.last.call([['look', {}]], 'Let me look.');
  await engine.settle();
  tool.last.resolve('a result');
  await engine.settle();
  await engine.turns.stop(session.sessionId);
  await engine.settle();
  await carryOn(env(), session);
  expect(engine.stored(NEXT)?.draft).toBe('what is there?');
});

test('an answered question stays where it is, and without a summary nothing is attached', async () => {
  const session = engine.session(2);
  const attached: [string, string][] = [];
  await carryOn(env(attached), session);
  expect(attached).toEqual([]);
  expect(engine.stored(NEXT)?.draft).toBe('');
});
