/** The routes of tools: what only the user can allow is confirmed in a dialog of the system first. */
import { AppError } from '../../shared/errors';
import { isLoopback } from '../../shared/loopback';
import type { EnteredTransport } from '../../shared/model/tools';
import type { CoreHandlers, Shell } from '../app/core';
import type { Approvals } from '../tools/approvals';
import { runsWith, sameStart, transportOf } from '../tools/bound-to';
import type { Folders } from '../tools/folders';
import type { ToolServers } from '../tools/tool-servers';
import type { Caller } from './handlers';

/** UTF-16 units of a command line that can be allowed for ever. */
const ALWAYS_CHARS = 2_000;

export interface ToolParts {
  readonly shell: Pick<Shell, 'confirm' | 'pickFolder'>;
  readonly servers: ToolServers;
  readonly folders: Folders;
  readonly approvals: Approvals;
  goneFolders(): Promise<readonly string[]>;
}

type ToolHandlers = Pick<CoreHandlers, Extract<keyof CoreHandlers, `tools.${string}`>>;

export function toolHandlers({ shell, servers, folders, approvals, goneFolders }: ToolParts): ToolHandlers {
  const confirmed = (caller: Caller, name: string, entered: EnteredTransport) =>
    shell.confirm(caller, { kind: 'tool-server', name, runs: runsWith(transportOf(entered)), place: placeOf(entered) });
  return {
    'tools.show': () => servers.needed(),
    'tools.addServer': async ({ name, transport }, caller) => {
      if (!(await confirmed(caller, name, transport))) return false;
      await servers.add(name, transport);
      return true;
    },
    'tools.changeServer': async ({ serverId, name, transport }, caller) => {
      // another name, or another token, runs nothing else than what was confirmed; a variable may (`LD_PRELOAD`)
      const same = sameStart(transportOf(transport), servers.transport(serverId)) && entersNoVariable(transport);
      if (!same && !(await confirmed(caller, name, transport))) return false;
      await servers.change(serverId, name, transport);
      return true;
    },
    'tools.switchServer': ({ serverId, on }) => servers.setOn(serverId, on),
    'tools.restartServer': ({ serverId }) => servers.restart(serverId),
    'tools.removeServer': ({ serverId }) => servers.remove(serverId),
    'tools.revoke': ({ serverId, tool }) => servers.revoke(serverId, tool),
    'tools.addFolder': async (_input, caller) => {
      const path = await shell.pickFolder(caller);
      if (path !== null) await folders.add(path);
      return path !== null;
    },
    'tools.goneFolders': () => goneFolders(),
    'tools.removeFolder': ({ name }) => folders.remove(name),
    'tools.answer': ({ sessionId, callId, answer }, caller) =>
      approvals.answer(sessionId, callId, answer, async ({ server, tool, runs }) => {
        // nobody reads more in a dialog, and what is not read is not allowed for ever
        if (runs.length > ALWAYS_CHARS) throw new AppError('tool-runs-too-long', { limit: ALWAYS_CHARS });
        return shell.confirm(caller, { kind: 'tool-always', server, tool, runs });
      }),
  };
}

function entersNoVariable(entered: EnteredTransport): boolean {
  return entered.kind === 'http' || entered.variables.every(({ value }) => value === null);
}

function placeOf(entered: EnteredTransport): 'program' | 'local' | 'remote' {
  if (entered.kind === 'stdio') return 'program';
  return isLoopback(new URL(entered.url)) ? 'local' : 'remote';
}
