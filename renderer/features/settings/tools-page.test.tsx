import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors';
import type { ToolServer, ToolsView } from '../../../shared/model/tools';
import { appStore } from '../../stores/app-store';
import { fixtureServer, fixtureTools, serverId } from '../../testing/fixture-tools';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { SettingsPage } from './settings-page';

afterEach(closeFixture);

async function show(change: Partial<ToolsView> = {}) {
  const bridge = await openFixture({ change: (snapshot) => ({ ...snapshot, tools: fixtureTools(change) }) });
  appStore.getState().settingsPageShown('tools');
  await act(async () => renderIn(<SettingsPage />));
  return bridge;
}
const press = (name: string | RegExp, within_ = screen as Pick<typeof screen, 'getByRole'>) =>
  act(async () => fireEvent.click(within_.getByRole('button', { name })));
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const card = () => within(screen.getByRole('region', { name: 'Mail' }));
const one = (change: Partial<ToolServer>) => show({ servers: [fixtureServer(change)] });

describe('the settings of tools', () => {
  it('ask for what is as it is now, once', async () => {
    const bridge = await show();
    expect(askedFor(bridge, 'tools.show')).toHaveLength(1);
  });

  it('switch the tool that tells the time', async () => {
    const bridge = await show();
    await act(async () => fireEvent.click(screen.getByRole('switch', { name: 'Current time' })));
    expect(askedFor(bridge, 'settings.change')).toEqual([{ timeTool: false }]);
  });

  it('list folders that may be read, grant another one by main’s dialog, and take one back', async () => {
    const bridge = await show();
    const list = within(screen.getByRole('list', { name: 'Folders' }));
    expect(list.getByRole('listitem').textContent).toContain('/home/u/notes');
    await press('Add folder…');
    await press('Take notes back');
    expect(askedFor(bridge, 'tools.addFolder')).toEqual([{}]);
    expect(askedFor(bridge, 'tools.removeFolder')).toEqual([{ name: 'notes' }]);
    act(() => bridge.emit({ type: 'tools.changed', tools: fixtureTools({ folders: [] }) }));
    expect(screen.getByText('No folder may be read.')).toBeTruthy();
  });

  it('mark a granted folder that is not there now', async () => {
    const bridge = await openFixture({
      change: (snapshot) => ({
        ...snapshot,
        tools: fixtureTools({ folders: ['notes', 'stick'].map((name) => ({ name, path: `/media/${name}` })) }),
      }),
    });
    bridge.handlers['tools.goneFolders'] = () => ['stick'];
    appStore.getState().settingsPageShown('tools');
    await act(async () => renderIn(<SettingsPage />));
    const items = within(screen.getByRole('list', { name: 'Folders' })).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent?.includes('Not there now'))).toEqual([false, true]);
  });

  it('show a server with what runs, its tools, what is allowed, what was left out, and its last lines', async () => {
    const bridge = await show();
    expect(card().getByRole('status').textContent).toBe('ready, 2 tools');
    await press('Show Mail');
    expect(card().getByText('npx -y "mail server"')).toBeTruthy();
    expect(card().getByText('MAIL_TOKEN')).toBeTruthy();
    expect(card().getByRole('region', { name: 'Last lines that Mail wrote' }).textContent).toBe('listening');
    const items = card()
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(items[0]).toContain('always allowed');
    expect(items[1]).toBe('readReads the inbox.');
    expect(items[2]).toContain('left out: what it takes is not described as models need it');
    await press('Ask again before send runs');
    await press('Restart', card());
    await press('Remove', card());
    await act(async () => fireEvent.click(screen.getByRole('switch', { name: 'Use Mail' })));
    expect(askedFor(bridge, 'tools.revoke')).toEqual([{ serverId, tool: 'send' }]);
    expect(askedFor(bridge, 'tools.restartServer')).toEqual([{ serverId }]);
    expect(askedFor(bridge, 'tools.removeServer')).toEqual([{ serverId }]);
    expect(askedFor(bridge, 'tools.switchServer')).toEqual([{ serverId, on: false }]);
  });

  it('name the first tools of many, and all on demand', async () => {
    const tools = Array.from({ length: 20 }, (_, n) => ({
      name: `tool ${n}`,
      description: '',
      always: false,
      leftOut: null,
    }));
    await one({ tools });
    await press('Show Mail');
    expect(card().queryByText('tool 19')).toBeNull();
    await press('Show all 20 tools');
    expect(card().getByText('tool 19')).toBeTruthy();
  });

  it.each([
    [{ kind: 'off' }, 'off'],
    [{ kind: 'resting' }, 'not running, starts when needed'],
    [{ kind: 'starting' }, 'starting'],
    [{ kind: 'failed', code: 'tool-server-silent', fields: { seconds: 60 } }, 'failed'],
  ] as const)('say how a server is: %o', async (state, words) => {
    await one({ state });
    expect(card().getByRole('status').textContent).toBe(words);
  });

  it('open a server that failed, and say why and what to do', async () => {
    await one({ state: { kind: 'failed', code: 'tool-no-command', fields: { command: 'npx' } } });
    expect(card().getByRole('alert').textContent).toContain('There is no program “npx”. Check its name');
    expect(card().getByRole('button', { name: 'Start' })).toBeTruthy();
  });

  it('take no address for this computer that only looks like it', async () => {
    await one({ transport: { kind: 'http', url: 'https://127.evil.example/mcp', hasToken: false } });
    expect(card().getByText('remote')).toBeTruthy();
  });

  it('name a remote one as such', async () => {
    await one({ transport: { kind: 'http', url: 'https://far.example/mcp', hasToken: true } });
    expect(card().getByText('remote')).toBeTruthy();
    await press('Show Mail');
    expect(card().getByText('https://far.example/mcp')).toBeTruthy();
    expect(card().getByText('set')).toBeTruthy();
  });
});

describe('the form of a tool server', () => {
  it('adds a program with arguments and variables; declined in the system’s dialog it stays open', async () => {
    const bridge = await show();
    let confirmed = false;
    bridge.handlers['tools.addServer'] = () => confirmed;
    await press('Add server');
    const add = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Add' });
    expect(add().disabled).toBe(true);
    type('Name', ' Files ');
    type('Command', ' npx ');
    type('Arguments', '-y\na package\n');
    await press('Add variable');
    type('Name of variable 1', '1BAD');
    expect(add().disabled).toBe(true);
    expect(screen.getByText(/no digit first/)).toBeTruthy();
    type('Name of variable 1', 'TOKEN');
    type('Value of variable 1', 'secret');
    await press('Add');
    expect(screen.getByRole('dialog', { name: 'Add tool server' })).toBeTruthy();
    confirmed = true;
    await press('Add');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(askedFor(bridge, 'tools.addServer').at(-1)).toEqual({
      name: 'Files',
      transport: {
        kind: 'stdio',
        command: 'npx',
        args: ['-y', 'a package'],
        variables: [{ name: 'TOKEN', value: 'secret' }],
      },
    });
  });

  it('takes a JSON array for arguments, and says when one line holds several', async () => {
    const bridge = await show();
    bridge.handlers['tools.addServer'] = () => true;
    await press('Add server');
    type('Name', 'Files');
    type('Command', 'npx');
    type('Arguments', '-y pkg');
    expect(screen.getByText(/goes to the program as one argument/)).toBeTruthy();
    type('Arguments', '["-y", "a package"]');
    expect(screen.queryByText(/goes to the program as one argument/)).toBeNull();
    await press('Add');
    expect(askedFor(bridge, 'tools.addServer')).toMatchObject([{ transport: { args: ['-y', 'a package'] } }]);
  });

  it('adds an address with a token, and keeps what was typed where main refuses it', async () => {
    const bridge = await show();
    bridge.handlers['tools.addServer'] = () => {
      throw new AppError('insecure-address');
    };
    await press('Add server');
    await act(async () => fireEvent.keyDown(screen.getByRole('button', { name: /^Kind/ }), { key: 'Enter' }));
    await act(async () => fireEvent.click(screen.getByRole('menuitemradio', { name: 'Address' })));
    type('Name', 'Far');
    type('Address', 'http://far.example/mcp');
    type('Token', 'secret');
    await press('Add');
    expect(screen.getByRole('alert').textContent).toContain('is not sent to a remote address without encryption');
    expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('http://far.example/mcp');
    expect(askedFor(bridge, 'tools.addServer')).toEqual([
      { name: 'Far', transport: { kind: 'http', url: 'http://far.example/mcp', token: 'secret' } },
    ]);
  });

  it('changes one: secrets are not shown, and stay unless others are typed', async () => {
    const bridge = await show();
    bridge.handlers['tools.changeServer'] = () => true;
    await press('Show Mail');
    await press('Edit…');
    expect(screen.getByLabelText<HTMLInputElement>('Value of variable 1').value).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>('Value of variable 1').placeholder).toBe('as stored');
    type('Name', 'Post');
    await press('Save');
    expect(askedFor(bridge, 'tools.changeServer')).toEqual([
      {
        serverId,
        name: 'Post',
        transport: {
          kind: 'stdio',
          command: 'npx',
          args: ['-y', 'mail server'],
          variables: [{ name: 'MAIL_TOKEN', value: null }],
        },
      },
    ]);
    await press('Edit…');
    await press('Remove variable 1');
    await press('Save');
    expect(askedFor(bridge, 'tools.changeServer').at(-1)).toMatchObject({ transport: { variables: [] } });
  });
});
