import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isJSONRPCErrorResponse, isJSONRPCResultResponse } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../../lib/clock';
import type { ServerLaunch } from '../../tool-protocol';
import type { JobFailure } from '../job-failure';
import { guardedFetch } from './guarded-fetch';
import type { StderrTail } from './stderr-tail';
import { StdioTransport } from './stdio-transport';

/** The way to one server, whichever it is. */
export interface Wire {
  readonly transport: Transport;
  /** What is wrong with it, once something is. */
  fault(): JobFailure | null;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** A server that is told goodbye over HTTP need not answer; milliseconds. */
const GOODBYE_MS = 500;

/** `failed` is told at once what ends the server before anybody asks for it. */
export function openWire(
  launch: ServerLaunch,
  clock: Clock,
  stderr: StderrTail,
  failed: (fault: JobFailure) => void,
): Wire {
  return launch.kind === 'stdio' ? stdioWire(launch, clock, stderr) : httpWire(launch, clock, failed);
}

function stdioWire(launch: Extract<ServerLaunch, { kind: 'stdio' }>, clock: Clock, stderr: StderrTail): Wire {
  const transport = new StdioTransport(launch, clock, stderr);
  return {
    transport,
    fault: () => transport.fault,
    close: () => transport.close(),
  };
}

function httpWire(
  launch: Extract<ServerLaunch, { kind: 'http' }>,
  clock: Clock,
  failed: (fault: JobFailure) => void,
): Wire {
  const url = new URL(launch.url);
  const open = new Set<unknown>();
  let fault: JobFailure | null = null;
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: guardedFetch({
      url,
      token: launch.token,
      clock,
      broke: (found, request) => {
        const flooded = found.failure.name === 'tool-server-flooded';
        // the answer itself comes a moment before the end of its stream
        clock.nextTurn(() => {
          if (!flooded && (request === undefined || !open.has(request))) return;
          fault ??= found;
          failed(found);
        });
      },
    }),
  });
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    const id = !Array.isArray(message) && 'method' in message && 'id' in message ? message.id : undefined;
    if (id !== undefined) open.add(id);
    await send(message, options);
  };
  const wire: Transport = transport;
  return {
    transport: hearing(wire, (id) => open.delete(id)),
    fault: () => fault,
    close: async () => {
      const bye = transport.terminateSession().catch(() => {});
      await Promise.race([bye, new Promise<void>((resolve) => void bye.then(clock.after(GOODBYE_MS, resolve)))]);
      await transport.close();
    },
  };
}

/** Tells of each answer before its reader is. */
function hearing(transport: Transport, answered: (id: unknown) => void): Transport {
  transport.onmessage = (message) => {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) answered(message.id);
  };
  return transport; // the client keeps what listens before it
}
