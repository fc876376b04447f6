import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../lib/clock';
import { ProcessTree } from './process-tree';

test.runIf(process.platform !== 'win32')('a program that has ended is not signalled again', async () => {
  const launch = { command: process.execPath, args: ['-e', ''], env: {}, cwd: tmpdir() };
  const tree = new ProcessTree(launch, systemClock);
  await once(tree.child, 'exit');
  const signalled = vi.spyOn(process, 'kill');
  tree.kill();
  tree.end();
  expect(signalled).not.toHaveBeenCalled();
  signalled.mockRestore();
});
