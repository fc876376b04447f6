import type { ToolServerId } from '../../shared/model/ids';
import type { ToolServer, ToolsView } from '../../shared/model/tools';

export const serverId = '00000000-0000-4000-9000-000000000001' as ToolServerId;

/** A tool server that runs. */
export function fixtureServer(change: Partial<ToolServer> = {}): ToolServer {
  return {
    id: serverId,
    name: 'Mail',
    prefix: 'mail',
    transport: { kind: 'stdio', command: 'npx', args: ['-y', 'mail server'], variables: ['MAIL_TOKEN'] },
    state: { kind: 'ready', title: 'mail 1' },
    tools: [
      { name: 'send', description: 'Sends a message.', always: true, leftOut: null },
      { name: 'read', description: 'Reads the inbox.', always: false, leftOut: null },
      { name: 'odd', description: '', always: false, leftOut: 'schema' },
    ],
    stderr: ['listening'],
    ...change,
  };
}

export const fixtureTools = (change: Partial<ToolsView> = {}): ToolsView => ({
  servers: [fixtureServer()],
  folders: [{ name: 'notes', path: '/home/u/notes' }],
  ...change,
});
