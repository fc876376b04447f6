import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { SimulatedToolHost } from '../testing/simulated-tool-host';
import { Folders } from './folders';

let engine: Engine;
let profile: TempProfile;
let host: SimulatedToolHost;
let folders: Folders;
let base: string;
const never = new AbortController().signal;

eachEngine((made, at) => {
  engine = made;
  profile = at;
});
beforeEach(() => {
  base = realpathSync(profile.folder);
  for (const name of ['a/notes', 'b/notes']) mkdirSync(join(base, name), { recursive: true });
  host = new SimulatedToolHost();
  folders = open();
});
const open = () =>
  new Folders({ seam: engine.seam, clock: engine.clock, host, closed: ['/the/profile'], changed: () => {} });
const tool = (name: string) => {
  const found = folders.toolsFor().find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not offered`);
  return found;
};

test('nothing is offered before a folder was granted, and nothing after the last was taken back', async () => {
  expect(folders.toolsFor()).toEqual([]);
  await folders.add(join(base, 'a/notes'));
  expect(folders.toolsFor().map(({ name }) => name)).toEqual(['read_file', 'search_folder']);
  expect(tool('read_file').description).toContain('Folders: notes.');
  await folders.remove('notes');
  expect(folders.toolsFor()).toEqual([]);
});

test('a folder is granted once, as what it really is, under a name of its own; the grant outlives the app', async () => {
  symlinkSync(join(base, 'b/notes'), join(base, 'link'));
  for (const path of ['a/notes', 'a/notes', 'link']) await folders.add(join(base, path));
  const granted = [
    { name: 'notes', path: join(base, 'a/notes') },
    { name: 'notes 2', path: join(base, 'b/notes') },
  ];
  expect(folders.list).toEqual(granted);
  expect(open().list).toEqual(granted);
  await expect(folders.add(join(base, 'none'))).rejects.toMatchObject({ code: 'file-unreadable' });
});

test('a call carries the granted folders and what is closed; its cancel reaches the host', async () => {
  await folders.add(join(base, 'a/notes'));
  const reading = tool('read_file').run({ path: 'notes/plan.md', from_line: 3 }, never, () => {});
  expect(host.last('read-file').job).toEqual({
    kind: 'read-file',
    folders: [{ name: 'notes', path: join(base, 'a/notes') }],
    closed: ['/the/profile'],
    path: 'notes/plan.md',
    from: 3,
    lines: 400,
  });
  host.last('read-file').answer('words');
  await expect(reading).resolves.toBe('words');

  const abort = new AbortController();
  const searching = tool('search_folder').run({ query: 'plan' }, abort.signal, () => {});
  abort.abort();
  await expect(searching).rejects.toThrow(/abort/i);
  expect(host.streams.at(-1)?.cancels).toEqual(['user']);
});

test('arguments that are none are refused with what is wrong, and nothing is read', async () => {
  await folders.add(join(base, 'a/notes'));
  await expect(async () => tool('read_file').run({ path: '', from_line: 0 }, never, () => {})).rejects.toThrow(
    /`path`.*`from_line`/,
  );
  expect(host.streams).toEqual([]);
});
