import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { MessageId } from '../../../shared/model/ids';
import { Engine } from '../../testing/engine';
import { TempProfile } from '../../testing/profile';
import { all } from '../database';
import { emptySession } from '../empty-bin';
import { insertMessage } from '../messages-table';
import { openForReading } from '../open';
import { sessionsBinnedBefore } from '../sessions-table';
import { localDataThread } from './client';
import { jobSteps, threadJobs } from './jobs';

test('S118 no secret that a user typed gets into a stored summary, neither by the model nor as an anchor', async () => {
  const profile = new TempProfile();
  const engine = new Engine(profile);
  const session = engine.session(10, 800);
  engine.write((tx) =>
    insertMessage(tx, {
      ...session,
      id: '55555555-5555-4555-8555-555555555555' as MessageId,
      role: 'user',
      status: 'complete',
      text: 'Always use the key sk-abcdefghijklmnop1234 and password: hunter2hunter for it.',
      turnId: null,
      now: 1,
    }),
  );
  engine.fill(session.sessionId, session.branchId, 10, 800);
  const attempt = await engine.attempt(session, 'manual', ['extract']);
  expect((await attempt.outcome).kind).toBe('committed');
  const stored = JSON.stringify(all(engine.db, 'SELECT text, sections, receipt FROM summaries'));
  expect(stored).not.toMatch(/sk-abcdef|hunter2hunter/);
  expect(stored).toContain('secret removed');
  engine.close();
  profile.remove();
});

test('S55 emptying the bin takes a session with all that belongs to it, and nothing of another', async () => {
  const profile = new TempProfile();
  const engine = new Engine(profile);
  const gone = engine.session(300, 60);
  const kept = engine.session(3, 60);
  const attempt = await engine.attempt(gone, 'manual', ['extract']);
  await attempt.outcome;
  const emptying = emptySession(engine.seam, engine.clock, gone.sessionId);
  await engine.settle();
  await emptying;
  expect(all(engine.db, 'SELECT 1 FROM sessions')).toHaveLength(1);
  expect(engine.texts(kept.branchId)).toHaveLength(6);
  expect(all(engine.db, 'SELECT rowid FROM messages_fts')).toHaveLength(6);
  expect(all(engine.db, 'SELECT 1 FROM summaries')).toHaveLength(0);
  expect(engine.db.pragma('integrity_check', { simple: true })).toBe('ok');
  engine.close();
  profile.remove();
});

test('S55 a death in the middle of emptying leaves nothing that comes back: the next start goes on with it', async () => {
  const profile = new TempProfile();
  const engine = new Engine(profile);
  const gone = engine.session(300, 60);
  const write = engine.seam.write.bind(engine.seam);
  let left = 2; // the mark, and one slice
  engine.seam.write = (...args) => (left-- > 0 ? write(...args) : Promise.reject(new Error('the process died')));
  const emptying = emptySession(engine.seam, engine.clock, gone.sessionId).catch(String);
  await engine.settle();
  expect(await emptying).toContain('died');
  const again = engine.restart();
  expect(again.texts(gone.branchId)).toHaveLength(400);
  const monthAgo = again.clock.wall() - 30 * 86_400_000;
  expect(sessionsBinnedBefore(again.db, monthAgo)).toEqual([gone.sessionId]);
  again.close();
  profile.remove();
});

test('the check of the file finds nothing wrong with an index that grew since it was last read', () => {
  const profile = new TempProfile();
  const engine = new Engine(profile);
  const session = engine.session(1, 60);
  const reader = openForReading(profile.database);
  for (let i = 0; i < 40; i++) {
    engine.fill(session.sessionId, session.branchId, 1, 60);
    expect(threadJobs.quickCheck(reader, {})).toBe('ok');
    expect(threadJobs.search(reader, { query: 'words', sessionId: null, limit: 1 })).toHaveLength(1);
  }
  reader.close();
  engine.close();
  profile.remove();
});

test('long reads are done in steps, so that other questions are answered in between', () => {
  const profile = new TempProfile();
  const engine = new Engine(profile);
  const { branchId } = engine.session(1_200, 40);
  const rates = engine.models.facts().rates;
  const range = { branch: branchId, from: 1, to: 2_390, bases: [], aboveTarget: false, budget: 600, rates };
  const steps = jobSteps(engine.db, 'extract', range);
  expect(steps.next().done).toBe(false);
  expect(steps.next().done).toBe(false);
  const search = jobSteps(engine.db, 'search', { query: 'words', sessionId: null, limit: 3 }).next();
  expect(search).toMatchObject({ done: true });
  let last = steps.next();
  while (!last.done) last = steps.next();
  expect(last.value).toMatchObject({ ok: true });
  engine.close();
  profile.remove();
});

test('a long range crosses threads as places; each text is made when it is asked for, and is the one that was named', async () => {
  const profile = new TempProfile();
  const engine = new Engine(profile);
  const { sessionId, branchId } = engine.session(40, 500);
  engine.fill(sessionId, branchId, 1, 30_000);
  engine.fill(sessionId, branchId, 20, 500);
  const data = localDataThread(engine.db);
  const cut = { readAsText: [], stubs: [], limit: 1_500, rates: engine.models.facts().rates };
  const chunks = await data.ask('chunks', { branch: branchId, from: 1, to: 118, ...cut });
  expect(chunks.length).toBeGreaterThan(15);
  expect(JSON.stringify(chunks)).not.toContain('words');
  expect(chunks.some(({ piece }) => piece !== null)).toBe(true);
  for (const place of chunks) {
    const text = await data.ask('chunkText', { branch: branchId, place, ...cut });
    expect(createHash('sha256').update(text).digest().equals(place.hash)).toBe(true);
  }
  engine.close();
  profile.remove();
});
