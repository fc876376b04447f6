import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { MessageId } from '../../../shared/model/ids';
import { systemIds } from '../../lib/ids';
import { TempProfile } from '../profile';
import { startScriptedServer } from '../scripted-server';
import { buildCore } from './build-core';
import { CoreProcess } from './core-process';
import { callsIn, underStrace } from './strace';
import { makeProfile } from './template';

const ROOT = join(import.meta.dirname, '../../..');
vi.setConfig({ testTimeout: 60_000 });

/** Only here can system calls be watched; the order is the same everywhere. */
if (process.platform === 'linux')
  test('S53 a message is on the disk before the first byte of its request leaves', async () => {
    const profile = new TempProfile();
    const server = await startScriptedServer();
    const entries = await buildCore(ROOT);
    await makeProfile(entries, profile.folder, { sessions: 1, address: server.address });
    const trace = join(profile.folder, 'calls.txt');
    const core = new CoreProcess(entries, profile.folder, { under: underStrace(trace) });
    await core.ready;
    const [session] = (await core.ask('app.snapshot', {})).sessions.rows;
    if (!session) throw new Error('no session');
    const { branchId } = await core.ask('sessions.open', { sessionId: session.id, branchId: null });
    const completed = core.next((event) => event.type === 'turn.changed' && event.turn.state === 'completed');
    const text = 'the quick brown words of this message';
    await core.ask('messages.send', { sessionId: session.id, branchId, id: systemIds.uuid() as MessageId, text });
    await completed;
    await core.quit();

    const calls = callsIn(trace);
    const stored = calls.findIndex(({ on, line }) => on.endsWith('palimpsest.db-wal') && line.includes(text));
    const sent = calls.findIndex(({ on, line }) => /^TCP/.test(on) && line.includes('POST /v1/chat/completions'));
    expect(stored).toBeGreaterThan(-1);
    expect(sent).toBeGreaterThan(stored);
    const between = calls.slice(stored, sent);
    const synced = between.filter(({ name, on }) => /sync$/.test(name) && on.endsWith('palimpsest.db-wal'));
    expect(synced.length).toBeGreaterThanOrEqual(1);

    entries.remove();
    await server.close();
    profile.remove();
  });
