import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TempProfile } from '../profile';
import { type ScriptedServer, startScriptedServer } from '../scripted-server';
import { buildCore } from './build-core';
import { CoreProcess } from './core-process';
import { StoredProfile } from './stored-profile';
import { makeProfile } from './template';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let entries: Awaited<ReturnType<typeof buildCore>>;
let server: ScriptedServer;
beforeAll(async () => {
  entries = await buildCore(join(import.meta.dirname, '../../..'));
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
  entries.remove();
});

/** What the model was asked to read since then, each request's own. */
const prompts = (since: number) =>
  server
    .chats()
    .slice(since)
    .map(({ body }) => JSON.stringify(body.messages));

test.each([1, 3])('killed after chunk %i: the next attempt asks for the others only', async (done) => {
  const profile = new TempProfile();
  await makeProfile(entries, profile.folder, { sessions: 1, address: server.address, turns: 120 });
  const stored = new StoredProfile(profile.database);
  const [sessionId] = stored.sessions();
  if (!sessionId) throw new Error('no session');
  const input = { sessionId, branchId: stored.branchOf(sessionId), strategies: ['summarize' as const] };

  const first = new CoreProcess(entries, profile.folder, {
    kill: { point: 'chunk checkpoint', at: 'after', nth: done },
  });
  await first.ready;
  const since = server.chats().length;
  first.ask('compression.start', input).catch(() => {});
  await first.gone;
  expect(first.byItself).toBe(true);
  const paid = prompts(since).slice(0, done);
  expect(stored.number('SELECT count(*) FROM summary_chunks')).toBe(done);
  expect(stored.number('SELECT count(*) FROM summaries')).toBe(0);

  const second = new CoreProcess(entries, profile.folder);
  await second.ready;
  const again = server.chats().length;
  const ended = second.next((event) => event.type === 'attempt.changed' && Boolean(event.attempt?.outcome));
  await second.ask('compression.start', input);
  expect(await ended).toMatchObject({ attempt: { outcome: { kind: 'committed' } } });
  await second.quit();
  const chunks = stored.number('SELECT chunks FROM attempts ORDER BY id DESC LIMIT 1');
  expect(chunks).toBeGreaterThan(3);
  expect(prompts(again).filter((prompt) => paid.includes(prompt))).toEqual([]);
  // the others, and the one request that joins all notes
  expect(prompts(again)).toHaveLength(chunks - done + 1);
  stored.close();
  profile.remove();
});
