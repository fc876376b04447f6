import { AppError } from '../../shared/errors';
import { runsAs } from '../../shared/runs-as';
import type { StoredToolServer, StoredTransport } from '../db/tool-servers-table';
import type { HostedTool } from '../hosts/tool-protocol';
import type { Clock } from '../lib/clock';
import { boundTo, sameStart } from './bound-to';
import { failureWords } from './failure-words';
import { CHANGED, runInHost, type ToolHost } from './host-call';
import type { ServerLife } from './server-life';
import type { Tool } from './tool';
import { offeredName } from './tool-names';

/** A server that says nothing is given up; one that ends is noticed at once. Milliseconds. */
const CALL_MS = 240_000;

/** One tool of a server as it is offered to a model. Each call is asked about, unless a grant holds. */
export function serverTool(from: {
  readonly host: ToolHost;
  readonly clock: Clock;
  readonly life: ServerLife;
  readonly server: StoredToolServer;
  readonly tool: HostedTool;
  /** How that which runs now was started. @throws where it is no longer what is stored. */
  runs(): StoredTransport;
}): Tool {
  const { host, clock, life, server, tool, runs } = from;
  const { name, fingerprint, description, schema } = tool;
  return {
    name: offeredName(server.prefix, name),
    description,
    schema,
    approval: {
      serverId: server.id,
      server: server.name,
      tool: name,
      runs: runsAs(server.transport),
      boundTo: boundTo(server.transport, fingerprint),
    },
    deadlineMs: CALL_MS,
    quotes: false,
    run: async (args, signal, progress) => {
      const job = { kind: 'tool-call', server: server.id, tool: name, fingerprint, args } as const;
      try {
        return await life.using(signal, () => {
          // the word was given for another start of it
          if (!sameStart(runs(), server.transport)) throw new Error(CHANGED);
          return runInHost(host, clock, job, signal, progress);
        });
      } catch (error) {
        if (error instanceof AppError) throw new Error(failureWords(error.code, error.fields, error.message));
        throw error;
      }
    },
  };
}
