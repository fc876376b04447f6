import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { buildHostEntry } from './node-fork';

// Real processes start slowly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

test('the scripted server runs as a process of its own and ends with who started it', async () => {
  const entry = await buildHostEntry('main/testing/scripted-server-main.ts');
  const child = spawn(process.execPath, [entry.file, '{"window":512}'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(String(line)) as { url: string };
  const control = { method: 'POST', body: JSON.stringify({ behavior: { text: 'told so' } }) };
  await fetch(`${url}/control`, control);
  const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: '{"messages":[],"stream":true}' });
  expect(await answer.text()).toContain('told');
  child.stdin.end();
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  await entry.remove();
});
