import { beforeEach, expect, test } from 'vitest';
import { contract } from '../../shared/ipc/contract';
import type { ToolServerId } from '../../shared/model/ids';
import type { EnteredTransport } from '../../shared/model/tools';
import type { Confirmation } from '../app/core';
import type { StoredTransport } from '../db/tool-servers-table';
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
let line: string;
let stored: StoredTransport;
let handlers: ReturnType<typeof toolHandlers>;
beforeEach(() => {
  asked = [];
  done = [];
  answer = false;
  picked = null;
  line = 'npx';
  stored = { kind: 'stdio', command: 'npx', args: ['-y', 'a package'], variables: ['TOKEN'] };
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
      transport: () => stored,
    },
    folders: { add: async (path: string) => done.push(path) },
    approvals: {
      answer: async (_session: string, _call: string, _answer: string, confirm: (of: Approval) => Promise<boolean>) =>
        confirm({ serverId, server: 'Mail', tool: 'send', runs: line, boundTo: Buffer.alloc(32) }),
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
  expect(asked[1]).toEqual({ kind: 'tool-server', name: 'Files', runs, place: 'program' });
  await handlers['tools.addServer'](
    { name: 'Far', transport: { kind: 'http', url: 'https://far.example/mcp', token: null } },
    caller,
  );
  expect(asked[2]).toMatchObject({ runs: 'https://far.example/mcp', place: 'remote' });
  const near = { kind: 'http', url: 'http://127.0.0.1:1/mcp', token: null } as const;
  await handlers['tools.addServer']({ name: 'Near', transport: near }, caller);
  expect(asked[3]).toMatchObject({ place: 'local' });
  const lookalike = { ...near, url: 'https://127.evil.example/mcp' };
  await handlers['tools.addServer']({ name: 'Near', transport: lookalike }, caller);
  expect(asked[4]).toMatchObject({ place: 'remote' });
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

test('a program in the place of an address is confirmed, also where both read the same', async () => {
  const text = 'https://far.example/mcp';
  stored = { kind: 'http', url: text };
  const change = (entered: EnteredTransport) =>
    handlers['tools.changeServer']({ serverId, name: 'Far', transport: entered }, caller);
  expect(await change({ kind: 'stdio', command: text, args: [], variables: [] })).toBe(false);
  expect(done).toEqual([]);
  expect(asked).toEqual([{ kind: 'tool-server', name: 'Far', runs: text, place: 'program' }]);
  expect(await change({ kind: 'http', url: text, token: null })).toBe(true);
  expect(done).toEqual(['changed']);
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

test('a command line that nobody reads in a dialog is not allowed for ever', async () => {
  const said = { sessionId: serverId as never, callId: 'c', answer: 'always' } as const;
  answer = true;
  line = 'x'.repeat(2_000);
  expect(await handlers['tools.answer'](said, caller)).toBe(true);
  line += 'x';
  await expect(handlers['tools.answer'](said, caller)).rejects.toMatchObject({ code: 'tool-runs-too-long' });
  expect(asked).toHaveLength(1);
});

test('a server’s name is one line without hidden characters', () => {
  const { input } = contract['tools.addServer'];
  const name = (entered: string) => input.safeParse({ name: entered, transport }).data?.name;
  expect(name(' Mail\n\n\nAllowed by\u202e the system ')).toBe('Mail Allowed by the system');
  expect(name('\u200b\n')).toBeUndefined();
  const url = 'https://far.example/\u2066mcp';
  expect(input.safeParse({ name: 'Far', transport: { kind: 'http', url, token: null } }).success).toBe(false);
});
