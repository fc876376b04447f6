/** Two instances of the app on one profile: what one of them changes holds in the other too. */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EnteredTransport } from '../../shared/model/tools';
import { secretRows } from '../db/rows';
import type { ServerJob, ToolsFrame } from '../hosts/tool-protocol';
import { type SecretRows, Secrets } from '../settings/secrets';
import { eachEngine } from '../testing/each-engine';
import { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { SimulatedToolHost } from '../testing/simulated-tool-host';
import { Folders } from './folders';
import { ServerSecrets } from './server-secrets';
import { ToolServers } from './tool-servers';

const keyring = {
  available: () => true,
  encrypt: (text: string) => Buffer.from(text),
  decrypt: (ciphertext: Buffer) => ciphertext.toString(),
};
const never = new AbortController().signal;
const OLD: EnteredTransport = { kind: 'http', url: 'https://old.example/mcp', token: 'old token' };
const NEW: EnteredTransport = { kind: 'http', url: 'https://new.example/mcp', token: 'new token' };
const listed = (...names: string[]): ToolsFrame => ({
  t: 'tools',
  title: 'far 1',
  tools: names.map((name) => ({ name, description: '', schema: { type: 'object' }, fingerprint: name })),
  leftOut: [],
});

/** What is above the database in one process. */
function instance(engine: Engine, around = (rows: SecretRows): SecretRows => rows) {
  const host = new SimulatedToolHost();
  const { seam, clock } = engine;
  const told: string[] = [];
  const servers = new ToolServers({
    ...{ seam, clock, host, ids: { uuid: () => crypto.randomUUID() }, appVersion: '1' },
    secrets: new ServerSecrets(new Secrets(keyring, around(secretRows(seam)))),
    changed: () => {},
    offered: () => told.push('servers'),
    failed: (error) => {
      throw error;
    },
  });
  const folders = new Folders({ seam, clock, host, closed: [], changed: () => told.push('folders') });
  const launches = () => host.streams.flatMap(({ job }) => (job.kind === 'tool-server' ? [job.launch] : []));
  return { servers, folders, host, told, launches };
}

describe('with two instances on one profile', () => {
  let engine: Engine;
  let second: Engine;
  let profile: TempProfile;
  let here: ReturnType<typeof instance>;
  let there: ReturnType<typeof instance>;
  eachEngine((made, at) => {
    engine = made;
    profile = at;
  });
  beforeEach(async () => {
    second = new Engine(profile, engine.clock);
    here = instance(engine);
    await here.servers.add('Far', OLD);
    here.host.last('tool-server').emit(listed('send'));
    there = instance(second);
  });
  afterEach(() => second.close());

  const id = () => {
    const [server] = here.servers.list();
    if (!server) throw new Error('none is listed');
    return server.id;
  };
  const rows = () => engine.db.prepare('SELECT url, tools FROM tool_servers').all();

  test('a server that the other changed is started as it is now: no secret goes to an address it was not entered for', async () => {
    await here.servers.change(id(), 'Far', NEW);
    await there.servers.restart(id());
    expect(there.launches()).toEqual([{ kind: 'http', url: 'https://new.example/mcp', token: 'new token' }]);
  });

  test('address and secret of a start are of one moment', async () => {
    let between = () => {};
    const third = instance(second, (rows) => ({
      ...rows,
      get: (owner, name) => {
        between();
        return rows.get(owner, name);
      },
    }));
    const changes: Promise<void>[] = [];
    between = () => {
      between = () => {};
      changes.push(here.servers.change(id(), 'Far', NEW));
    };
    third.servers.needed();
    await Promise.all(changes);
    expect(changes).toHaveLength(1);
    expect(third.launches()).toEqual([{ kind: 'http', url: 'https://old.example/mcp', token: 'old token' }]);
  });

  test('a server that the other removed stays removed, whatever it lists here', async () => {
    there.servers.needed();
    await here.servers.remove(id());
    there.host.last('tool-server').emit(listed('read', 'send'));
    await engine.settle();
    expect(rows()).toEqual([]);
  });

  test('a list does not undo what the other changed, and is not kept for it', async () => {
    there.servers.needed();
    await here.servers.change(id(), 'Far', NEW);
    there.host.last('tool-server').emit(listed('read'));
    await engine.settle();
    expect(rows()).toEqual([{ url: 'https://new.example/mcp', tools: JSON.stringify(listed('send').tools) }]);
    expect(there.servers.toolsFor().map(({ name }) => name)).toEqual(['far__send']);
  });

  test('switching it here leaves what the other changed', async () => {
    await here.servers.change(id(), 'Far', NEW);
    await there.servers.setOn(id(), false);
    expect(rows()).toMatchObject([{ url: 'https://new.example/mcp' }]);
  });

  test.each([
    ['changed', () => here.servers.change(id(), 'Far', NEW), 1],
    ['switched off', () => here.servers.setOn(id(), false), 0],
    ['removed', () => here.servers.remove(id()), 0],
  ] as const)(
    'a server that the other %s ends here once it is looked at, and that is told',
    async (_what, does, offered) => {
      there.servers.needed();
      there.host.last('tool-server').emit(listed('send'));
      there.told.splice(0);
      await does();
      there.servers.look();
      await engine.settle();
      expect(there.host.open('tool-server')).toEqual([]);
      expect(there.servers.toolsFor()).toHaveLength(offered);
      expect(there.told).toEqual(['servers']);
      there.servers.look();
      expect(there.told).toEqual(['servers']);
    },
  );

  test('a call is not made in what runs here from before the change of the other', async () => {
    there.servers.needed();
    there.host.last('tool-server').emit(listed('send'));
    const [send] = there.servers.toolsFor();
    await here.servers.change(id(), 'Far', NEW);
    await expect(send?.run({}, never, () => {})).rejects.toThrow('it was not called');
    expect(there.host.open('tool-call')).toEqual([]);
  });

  test('a call is not made in what still runs here after the other switched it off', async () => {
    there.servers.needed();
    there.host.last('tool-server').emit(listed('send'));
    const [send] = there.servers.toolsFor();
    await here.servers.setOn(id(), false);
    await expect(send?.run({}, never, () => {})).rejects.toThrow('was switched off');
    expect(there.host.open('tool-call')).toEqual([]);
  });

  test('two that are added at once under one name have prefixes of their own', async () => {
    await there.servers.add('Far', NEW);
    await here.servers.add('Far', NEW);
    expect(here.servers.list().map(({ prefix }) => prefix)).toEqual(['far', 'far-2', 'far-3']);
  });

  test('a folder that the other took back is neither read nor offered here, and that is told once', async () => {
    const path = join(realpathSync(profile.folder), 'notes');
    mkdirSync(path);
    await here.folders.add(path);
    const [readFile] = there.folders.toolsFor();
    await here.folders.remove('notes');
    readFile?.run({ path: 'notes/plan.md' }, never, () => {}).catch(() => {});
    expect(there.host.last('read-file').job).toMatchObject({ folders: [] });
    there.host.last('read-file').settle({ t: 'stopped' });
    expect(there.folders.toolsFor()).toEqual([]);

    await here.folders.add(path);
    there.told.splice(0);
    for (let i = 0; i < 2; i++) there.folders.look();
    expect(there.told).toEqual(['folders']);
  });

  test.each([
    ['secret', `BEFORE INSERT ON secrets WHEN NEW.name = 'variable SECOND'`],
    ['row', 'BEFORE UPDATE ON tool_servers'],
  ])('a change whose %s cannot be written changes nothing', async (_what, when) => {
    const stored = () => [rows(), engine.db.prepare('SELECT name, ciphertext FROM secrets').all()];
    const before = stored();
    engine.db.exec(`CREATE TRIGGER full ${when} BEGIN SELECT RAISE (ABORT, 'full'); END`);
    const variables = ['FIRST', 'SECOND'].map((name) => ({ name, value: 'entered' }));
    await expect(
      here.servers.change(id(), 'Near', { kind: 'stdio', command: 'near', args: [], variables }),
    ).rejects.toThrow('full');
    expect(stored()).toEqual(before);
    expect((here.host.last('tool-server').job as ServerJob).launch).toMatchObject({ url: 'https://old.example/mcp' });
  });
});
