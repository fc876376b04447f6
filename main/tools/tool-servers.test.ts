import { beforeEach, describe, expect, test } from 'vitest';
import type { EnteredTransport } from '../../shared/model/tools';
import { secretRows } from '../db/rows';
import { putGrant } from '../db/tool-grants-table';
import type { ServerJob, ToolsFrame } from '../hosts/tool-protocol';
import { type Keyring, Secrets } from '../settings/secrets';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { SimulatedToolHost } from '../testing/simulated-tool-host';
import { ServerSecrets } from './server-secrets';
import { ToolServers } from './tool-servers';

/** Turned round: enough to see whether something stands in clear. */
const turned = (text: string) => [...text].reverse().join('');
const keyring: Keyring = {
  available: () => hasKeyring,
  encrypt: (text) => Buffer.from(turned(text)),
  decrypt: (ciphertext) => turned(ciphertext.toString()),
};
let hasKeyring = true;

const MAIL: EnteredTransport = {
  kind: 'stdio',
  command: 'mail-server',
  args: ['--inbox'],
  variables: [{ name: 'MAIL_TOKEN', value: 'entered-for-mail' }],
};
const schema = { type: 'object' };
const hosted = (name: string, fingerprint = name) => ({ name, description: `Does ${name}.`, schema, fingerprint });
const listed = (...names: string[]): ToolsFrame => ({
  t: 'tools',
  title: 'mail 1',
  tools: names.map((name) => hosted(name)),
  leftOut: [],
});
const never = new AbortController().signal;

describe('tool servers', () => {
  let engine: Engine;
  let host: SimulatedToolHost;
  let servers: ToolServers;
  let offered: number;

  eachEngine((made) => {
    engine = made;
  });
  beforeEach(() => {
    hasKeyring = true;
    offered = 0;
    host = new SimulatedToolHost();
    servers = start();
  });

  /** As at a start of the app. */
  const start = () =>
    new ToolServers({
      seam: engine.seam,
      clock: engine.clock,
      ids: { uuid: () => crypto.randomUUID() },
      host,
      secrets: new ServerSecrets(new Secrets(keyring, secretRows(engine.seam))),
      appVersion: '1',
      changed: () => {},
      offered: () => offered++,
      failed: (error) => {
        throw error;
      },
    });
  const first = () => {
    const [server] = servers.list();
    if (!server) throw new Error('none is listed');
    return server;
  };
  const names = () => servers.toolsFor().map(({ name }) => name);
  const jobs = () => host.streams.flatMap(({ job }) => (job.kind === 'tool-server' ? [job] : []));
  const ready = async (...tools: string[]) => {
    await servers.add('Mail', MAIL);
    host.last('tool-server').emit(listed(...tools));
  };
  const fails = () =>
    host.last('tool-server').settle({
      t: 'failed',
      kind: 'died',
      cause: 'server-error',
      name: 'tool-server-exited',
      message: '',
      fields: { code: 3, said: 'no disk' },
    });

  test('are started when they are needed, with what was entered for them, and never at the start of the app', async () => {
    await servers.add('Mail', MAIL);
    expect(first().state).toEqual({ kind: 'starting' });
    const launch = {
      kind: 'stdio',
      command: 'mail-server',
      args: ['--inbox'],
      variables: { MAIL_TOKEN: 'entered-for-mail' },
    };
    expect(jobs().map((job) => job.launch)).toEqual([launch]);
    host.last('tool-server').emit(listed('send', 'read'));
    expect(first()).toMatchObject({
      state: { kind: 'ready', title: 'mail 1' },
      tools: [{ name: 'send' }, { name: 'read' }],
    });

    host = new SimulatedToolHost();
    servers = start();
    expect(host.streams).toEqual([]);
    expect(first().state).toEqual({ kind: 'resting' });
    expect(names()).toEqual(['mail__send', 'mail__read']); // as it listed them last: the prompt keeps its bytes
    servers.needed();
    servers.needed();
    expect(jobs()).toHaveLength(1);
  });

  test('keep what was entered as ciphertext, and show names alone', async () => {
    await servers.add('Mail', MAIL);
    expect(JSON.stringify(servers.list())).not.toContain('entered-for-mail');
    expect(first().transport).toMatchObject({ variables: ['MAIL_TOKEN'] });
    const rows = engine.db.prepare('SELECT * FROM tool_servers').all();
    expect(JSON.stringify(rows)).not.toContain('entered-for-mail');
    const secret = engine.db.prepare('SELECT ciphertext FROM secrets').pluck().get() as Buffer;
    expect(secret.toString()).toBe(turned('entered-for-mail'));
  });

  test('without a keyring one with secrets is refused whole, one without is not', async () => {
    hasKeyring = false;
    await expect(servers.add('Mail', MAIL)).rejects.toMatchObject({ code: 'no-keyring' });
    expect(servers.list()).toEqual([]);
    await servers.add('Mail', { ...MAIL, variables: [] });
    expect(servers.list()).toHaveLength(1);
  });

  test('with a secret that can no longer be read are not started without it', async () => {
    await ready('send');
    hasKeyring = false;
    await servers.restart(first().id).catch(() => {});
    expect(first().state).toMatchObject({ kind: 'failed', code: 'no-keyring' });
    expect(host.open('tool-server')).toEqual([]);
  });

  test('that fail say why, are not offered, and are tried again at a later need', async () => {
    await ready('send');
    const before = offered;
    fails();
    expect(first().state).toEqual({ kind: 'failed', code: 'tool-server-exited', fields: { code: 3, said: 'no disk' } });
    expect(names()).toEqual([]);
    expect(offered).toBe(before + 1); // the meter counts them no more
    servers.needed();
    expect(host.open('tool-server')).toEqual([]);
    engine.clock.advance(30_000);
    servers.needed();
    expect(offered).toBe(before + 2);
    host.last('tool-server').emit(listed('send'));
    expect(names()).toEqual(['mail__send']);
  });

  test('that rest for ten minutes are ended, and begun again by a call', async () => {
    await ready('send');
    engine.clock.advance(599_000);
    servers.needed();
    engine.clock.advance(599_000);
    const [tool] = servers.toolsFor();
    const running = tool?.run({}, never, () => {});
    await engine.settle();
    servers.needed(); // another chat
    engine.clock.advance(3_600_000); // a call may take its time
    expect(host.open('tool-server')).toHaveLength(1);
    host.last('tool-call').answer('sent');
    await expect(running).resolves.toBe('sent');
    engine.clock.advance(600_000);
    expect(first().state).toEqual({ kind: 'resting' });
    expect(host.open('tool-server')).toEqual([]);

    const again = tool?.run({}, never, () => {});
    await engine.settle();
    expect(host.open('tool-call')).toEqual([]); // it waits for the start
    host.last('tool-server').emit(listed('send'));
    await engine.settle();
    host.last('tool-call').answer('sent again');
    await expect(again).resolves.toBe('sent again');
  });

  test('a call of one that cannot be started is told why; a call that is given up while it starts leaves the server', async () => {
    await ready('send');
    const [tool] = servers.toolsFor();
    fails();
    await expect(tool?.run({}, never, () => {})).rejects.toThrow('the tool server ended in the middle (3): no disk');
    engine.clock.advance(30_000);
    const abort = new AbortController();
    const waiting = tool?.run({}, abort.signal, () => {});
    abort.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    expect(first().state).toEqual({ kind: 'starting' });
    fails();
    await expect(tool?.run({}, never, () => {})).rejects.toThrow('no disk');
  });

  test('that end in mid-call tell the call; the process that runs them too', async () => {
    await ready('send');
    const [tool] = servers.toolsFor();
    const running = tool?.run({}, never, () => {});
    await engine.settle();
    for (const stream of [host.last('tool-call'), host.last('tool-server')]) stream.exit(1);
    await expect(running).rejects.toThrow('Whether the call had an effect is unknown.');
    expect(first().state.kind).toBe('failed');
  });

  test('a cancel that the host does not answer ends its process', async () => {
    await ready('send');
    const [tool] = servers.toolsFor();
    const abort = new AbortController();
    const running = tool?.run({}, abort.signal, () => {}).catch(() => 'stopped');
    await engine.settle();
    const call = host.last('tool-call');
    call.onCancel = 'ignore';
    abort.abort();
    engine.clock.advance(5_000);
    expect(call.killed).toBe(true);
    await running;
  });

  test('switched off they are ended and not offered, and switched on started', async () => {
    await ready('send');
    const [offered] = servers.toolsFor();
    await servers.setOn(first().id, false);
    expect(first().state).toEqual({ kind: 'off' });
    expect(host.open('tool-server')).toEqual([]);
    await expect(offered?.run({}, never, () => {})).rejects.toThrow('is no longer there');
    expect(host.open('tool-server')).toEqual([]);
    servers.needed();
    expect(host.open('tool-server')).toEqual([]);
    expect(names()).toEqual([]);
    await servers.setOn(first().id, true);
    expect(first().state).toEqual({ kind: 'starting' });
  });

  test('removed they are ended, and what was kept for them is gone', async () => {
    await ready('send');
    const { id } = first();
    const [offered] = servers.toolsFor();
    engine.write((tx) => putGrant(tx, { serverId: id, tool: 'send', sessionId: null, boundTo: Buffer.alloc(32) }, 1));
    await servers.remove(id);
    expect(host.open('tool-server')).toEqual([]);
    await expect(offered?.run({}, never, () => {})).rejects.toThrow('is no longer there');
    for (const table of ['tool_servers', 'tool_grants', 'secrets'])
      expect(engine.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0);
    expect(names()).toEqual([]);
  });

  test('changed they are begun anew as they are now; a secret that is not entered again stays', async () => {
    await ready('send');
    await servers.change(first().id, 'Post', {
      ...MAIL,
      command: 'post',
      variables: [{ name: 'MAIL_TOKEN', value: null }],
    });
    expect(host.open('tool-server')).toHaveLength(1);
    expect((host.last('tool-server').job as ServerJob).launch).toMatchObject({
      command: 'post',
      variables: { MAIL_TOKEN: 'entered-for-mail' },
    });
    host.last('tool-server').emit(listed('send'));
    expect(names()).toEqual(['mail__send']); // its tools keep their names
    await servers.change(first().id, 'Post', { ...MAIL, variables: [] });
    expect(engine.db.prepare('SELECT count(*) FROM secrets').pluck().get()).toBe(0);
  });

  test('changed while a call of theirs waits for the user, the call is not made: the word was given for another start', async () => {
    await ready('send');
    const [allowed] = servers.toolsFor();
    await servers.change(first().id, 'Mail', { ...MAIL, command: 'another-program' });
    host.last('tool-server').emit(listed('send'));
    await expect(allowed?.run({}, never, () => {})).rejects.toThrow('it was not called');
    expect(host.open('tool-call')).toEqual([]);

    const [anew] = servers.toolsFor();
    const running = anew?.run({}, never, () => {});
    await engine.settle();
    host.last('tool-call').answer('sent');
    await expect(running).resolves.toBe('sent');
  });

  test('a call that comes while its server is being ended waits, and has it begun again', async () => {
    await ready('send');
    const ending = host.last('tool-server');
    ending.onCancel = 'ignore';
    engine.clock.advance(600_000);
    expect(ending.cancels).toEqual(['user']);
    const [tool] = servers.toolsFor();
    const running = tool?.run({}, never, () => {});
    await engine.settle();
    expect(host.open('tool-call')).toEqual([]);
    ending.settle({ t: 'stopped' });
    await engine.settle();
    expect(first().state).toEqual({ kind: 'starting' });
    host.last('tool-server').emit(listed('send'));
    await engine.settle();
    host.last('tool-call').answer('sent');
    await expect(running).resolves.toBe('sent');
  });

  test('needed while they are being ended they are begun again, unless they were switched off since', async () => {
    await ready('send');
    const end = () => {
      const ending = host.last('tool-server');
      ending.onCancel = 'ignore';
      engine.clock.advance(600_000);
      servers.needed();
      return ending;
    };
    end().exit(1); // by force, as it did not end by itself: that is no failure of it
    expect(first().state).toEqual({ kind: 'starting' });
    host.last('tool-server').emit(listed('send'));
    const ending = end();
    const off = servers.setOn(first().id, false);
    ending.settle({ t: 'stopped' });
    await off;
    expect(jobs()).toHaveLength(2);
  });

  test('a token goes over TLS or to this machine, and does not follow to another server', async () => {
    const at = (url: string, token: string | null): EnteredTransport => ({ kind: 'http', url, token });
    await expect(servers.add('Far', at('http://far.example/mcp', 'secret'))).rejects.toMatchObject({
      code: 'insecure-address',
    });
    await servers.add('Far', at('https://far.example/mcp', 'secret'));
    const token = () => {
      const { launch } = host.last('tool-server').job as ServerJob;
      return launch.kind === 'http' ? launch.token : undefined;
    };
    expect(token()).toBe('secret');
    await servers.change(first().id, 'Far', at('https://far.example/other', null));
    expect(token()).toBe('secret');
    await expect(servers.change(first().id, 'Far', at('http://far.example/mcp', 'secret'))).rejects.toMatchObject({
      code: 'insecure-address',
    });
    await servers.change(first().id, 'Far', at('https://elsewhere.example/mcp', null));
    expect(token()).toBeNull();
    expect(first().transport).toMatchObject({ hasToken: false });
  });

  test('an address with a name or a password in it is refused, and nothing is changed', async () => {
    const at = (url: string): EnteredTransport => ({ kind: 'http', url, token: null });
    const refused = { code: 'password-in-address' };
    await expect(servers.add('Far', at('https://me:pw@far.example/mcp'))).rejects.toMatchObject(refused);
    expect(servers.list()).toEqual([]);
    await ready('send');
    await expect(servers.change(first().id, 'Far', at('https://me@far.example/mcp'))).rejects.toMatchObject(refused);
    expect(first()).toMatchObject({ name: 'Mail', transport: { kind: 'stdio' }, state: { kind: 'ready' } });
    expect(engine.db.prepare('SELECT count(*) FROM secrets').pluck().get()).toBe(1);
  });

  test('of one name have names of their own for their tools, whichever goes', async () => {
    await ready('send');
    await servers.add('Mail', MAIL);
    host.last('tool-server').emit(listed('send'));
    expect(names()).toEqual(['mail__send', 'mail-2__send']);
    await servers.remove(first().id);
    expect(names()).toEqual(['mail-2__send']);
  });

  test('a list is told of when it has changed, and only then; the order is the server’s first', async () => {
    await ready('send');
    const before = offered;
    host.last('tool-server').emit(listed('send'));
    expect(offered).toBe(before);
    host.last('tool-server').emit(listed('read', 'send'));
    expect(offered).toBe(before + 1);
    expect(names()).toEqual(['mail__read', 'mail__send']);
    expect(
      start()
        .toolsFor()
        .map(({ name }) => name),
    ).toEqual(['mail__read', 'mail__send']);
  });

  test('a tool that is always allowed is shown so as long as it is what was allowed', async () => {
    await ready('send', 'read');
    const [send] = servers.toolsFor();
    if (!send || send.approval === 'none') throw new Error('it asks nothing');
    const { serverId, tool, boundTo } = send.approval;
    engine.write((tx) => putGrant(tx, { serverId, tool, boundTo, sessionId: null }, 1));
    const always = () => first().tools.map((one) => one.always);
    expect(always()).toEqual([true, false]);
    host.last('tool-server').emit({ ...listed('read'), tools: [hosted('send', 'changed'), hosted('read')] });
    expect(always()).toEqual([false, false]);
    host.last('tool-server').emit(listed('send', 'read'));
    await servers.change(first().id, 'Mail', { ...MAIL, args: ['--outbox'] });
    expect(always()[0]).toBe(false);
    await servers.change(first().id, 'Mail', MAIL);
    expect(always()[0]).toBe(true);
    await servers.revoke(first().id, 'send');
    expect(always()[0]).toBe(false);
  });
});
