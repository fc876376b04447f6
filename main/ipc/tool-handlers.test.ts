import { beforeEach, expect, test } from 'vitest';
import type { ToolServerId } from '../../shared/model/ids';
import type { EnteredTransport } from '../../shared/model/tools';
import type { Confirmation } from '../app/core';
import type { Approval } from '../tools/tool';
import type { Caller } from './handlers';
import { type ToolParts, toolHandlers } from './tool-handlers';

const serverId = '00000000-0000-4000-9000-000000000001' as ToolServerId;
const transport: EnteredTransport = {
  kind: 'stdio',
  command: 'npx',
  args: ['-y', 'a package'],
  variables: [{ name: 'TOKEN', value: 'secret' }],
};
const caller: Caller = { windowId: 1, kind: 'main', files: [] };
let asked: Confirmation[];
let done: string[];
let answer: boolean;
let picked: string | null;
let handlers: ReturnType<typeof toolHandlers>;
beforeEach(() => {
  asked = [];
  done = [];
  answer = false;
  picked = null;
  const parts: Pick<ToolParts, 'shell'> & Record<'servers' | 'folders' | 'approvals', object> = {
    shell: {
      confirm: async (_caller, what) => {
        asked.push(what);
        return answer;
      },
      pickFolder: async () => picked,
    },
    servers: {
      add: async () => done.push('added'),
      change: async () => done.push('changed'),
      runsAs: () => 'npx -y "a package"\nTOKEN=…',
    },
    folders: { add: async (path: string) => done.push(path) },
    approvals: {
      answer: async (_session: string, _call: string, _answer: string, confirm: (of: Approval) => Promise<boolean>) =>
        confirm({ serverId, server: 'Mail', tool: 'send', runs: 'npx', boundTo: Buffer.alloc(32) }),
    },
  };
  handlers = toolHandlers(parts as unknown as ToolParts);
});

test('a server is added once its command line was confirmed outside of the page, without its secrets', async () => {
  expect(await handlers['tools.addServer']({ name: 'Files', transport }, caller)).toBe(false);
  expect(done).toEqual([]);
  answer = true;
  expect(await handlers['tools.addServer']({ name: 'Files', transport }, caller)).toBe(true);
  expect(done).toEqual(['added']);
  const runs = 'npx -y "a package"\nTOKEN=…';
  expect(asked[1]).toEqual({ kind: 'tool-server', name: 'Files', runs, remote: false });
  await handlers['tools.addServer'](
    { name: 'Far', transport: { kind: 'http', url: 'https://far.example/mcp', token: null } },
    caller,
  );
  expect(asked[2]).toMatchObject({ runs: 'https://far.example/mcp', remote: true });
});

test('a change of what runs, or of its variables, is confirmed again; a change of its name is not', async () => {
  const kept = { ...transport, variables: [{ name: 'TOKEN', value: null }] };
  const change = (entered: EnteredTransport) =>
    handlers['tools.changeServer']({ serverId, name: 'Other', transport: entered }, caller);
  expect(await change(kept)).toBe(true);
  expect(asked).toEqual([]);
  expect(await change({ ...kept, args: ['-y', 'another'] })).toBe(false);
  expect(await change({ ...kept, variables: [...kept.variables, { name: 'LD_PRELOAD', value: '/x.so' }] })).toBe(false);
  expect(await change(transport)).toBe(false);
  expect(done).toEqual(['changed']);
  expect(asked).toHaveLength(3);
  expect(asked[1]).toMatchObject({ runs: 'npx -y "a package"\nLD_PRELOAD=…\nTOKEN=…' });
});

test('a folder comes from the dialog alone, and “always” is confirmed there', async () => {
  expect(await handlers['tools.addFolder']({}, caller)).toBe(false);
  picked = '/home/u/notes';
  expect(await handlers['tools.addFolder']({}, caller)).toBe(true);
  expect(done).toEqual(['/home/u/notes']);
  const said = { sessionId: serverId as never, callId: 'c', answer: 'always' } as const;
  expect(await handlers['tools.answer'](said, caller)).toBe(false);
  expect(asked).toEqual([{ kind: 'tool-always', server: 'Mail', tool: 'send', runs: 'npx' }]);
});
