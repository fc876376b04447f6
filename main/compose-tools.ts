/** Constructs and wires what models may call: the chat's own tools, the clock, granted folders, tool servers. */
import { realpathSync } from 'node:fs';
import type { AppEvent } from '../shared/ipc/events';
import type { SessionId } from '../shared/model/ids';
import type { ToolsView } from '../shared/model/tools';
import { secretRows } from './db/rows';
import type { DataThread } from './db/thread/client';
import type { WriteSeam } from './db/write-seam';
import type { Clock } from './lib/clock';
import type { Emitter } from './lib/emitter';
import type { Ids } from './lib/ids';
import { type Keyring, Secrets } from './settings/secrets';
import type { SettingsStore } from './settings/settings';
import { Approvals } from './tools/approvals';
import { chatTools } from './tools/chat-tools';
import { Folders } from './tools/folders';
import { goneFolders } from './tools/gone-folders';
import type { ToolHost } from './tools/host-call';
import { joined } from './tools/joined';
import { ServerSecrets } from './tools/server-secrets';
import { timeTools } from './tools/time-tool';
import type { Toolbox } from './tools/tool';
import { ToolServers } from './tools/tool-servers';

export interface ToolsEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly data: DataThread;
  readonly host: ToolHost;
  readonly keyring: Keyring;
  readonly settings: SettingsStore;
  readonly events: Emitter<AppEvent>;
  /** This app's own folder: no tool reads in it. */
  readonly profile: string;
  readonly appVersion: string;
  /** A call of the session waits for the user, or no longer does. */
  asks(sessionId: SessionId): void;
  /** What is offered to models changed: what windows show of the next request is out of date. */
  offered(): void;
  failed(error: unknown): void;
}

export interface ToolsParts {
  readonly toolbox: Toolbox;
  readonly servers: ToolServers;
  readonly folders: Folders;
  readonly approvals: Approvals;
  view(): ToolsView;
  /** Names of granted folders that are not there now. */
  goneFolders(): Promise<readonly string[]>;
  /** Another instance wrote to the database: what is offered and shown follows. */
  moved(): void;
}

export function composeTools(env: ToolsEnv): ToolsParts {
  const { seam, clock, ids, data, host, settings, events } = env;
  const view = (): ToolsView => ({ servers: servers.list(), folders: folders.list });
  const changed = () => events.emit({ type: 'tools.changed', tools: view() });
  const folders = new Folders({
    ...{ seam, clock, host },
    closed: [realpathSync(env.profile)], // paths are compared as they really are
    changed: () => {
      changed();
      env.offered();
    },
  });
  const servers: ToolServers = new ToolServers({
    ...{ seam, clock, ids, host, changed },
    secrets: new ServerSecrets(new Secrets(env.keyring, secretRows(seam))),
    appVersion: env.appVersion,
    offered: env.offered,
    failed: env.failed,
  });
  const approvals = new Approvals({
    ...{ seam, clock },
    changed: env.asks,
    granted: changed,
    failed: env.failed,
  });
  const time = timeTools(clock, () => settings.current.timeTool);
  let timeOn = settings.current.timeTool;
  settings.changed.on(({ timeTool }) => {
    if (timeTool !== timeOn) env.offered();
    timeOn = timeTool;
  });
  const moved = () => {
    folders.look();
    servers.look();
  };
  return {
    toolbox: joined([chatTools(data), time, folders, servers]),
    ...{ servers, folders, approvals, view, moved },
    goneFolders: () => goneFolders(host, clock, folders.list),
  };
}
