import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import { Collected } from '../testing/collect';
import { startHub } from '../testing/hub-server';
import { buildHostEntry, nodeFork } from '../testing/node-fork';
import { HostPool } from './pool';
import { isRefusal } from './stream-handle';

// Real processes start slowly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 });

test('a process that is killed in the middle leaves a part from which the next one goes on', async () => {
  const file = Buffer.from(Array.from({ length: 2_000_000 }, (_, i) => (i * 31) % 253));
  const hub = await startHub(file);
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-download-'));
  const entry = await buildHostEntry();
  const children: ChildProcess[] = [];
  const pool = new HostPool({
    fork: nodeFork(entry.file, (child) => children.push(child)),
    clock: systemClock,
    instance: 'test',
    platform: process.platform,
    log: silentLog,
  });
  const path = join(folder, 'm.gguf');
  const begin = () => {
    const stream = pool.download({
      kind: 'download',
      url: `${hub.url}/someone/M-GGUF/resolve/abc/m.gguf`,
      path,
      bytes: file.length,
      sha256: hub.sha256,
      record: { id: 'm' },
      proxy: null,
      patienceMs: 10_000,
    });
    if (isRefusal(stream)) throw new Error(stream.refused);
    return new Collected(stream);
  };
  const here = () => (existsSync(`${path}.part`) ? statSync(`${path}.part`).size : 0);
  try {
    hub.behave({ stallAfter: 1_000_000 });
    const first = begin();
    await expect.poll(here, { timeout: 30_000 }).toBe(1_000_000);
    children[0]?.kill('SIGKILL');
    expect(await first.end).toMatchObject({ t: 'exited' });
    hub.behave({});
    expect(await begin().end).toMatchObject({ t: 'result', value: { kind: 'done' } });
    expect(hub.files()[1]?.headers.range).toBe('bytes=1000000-');
    expect(readFileSync(path).equals(file)).toBe(true);
  } finally {
    await pool.close(1_000);
    await hub.close();
    await entry.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
