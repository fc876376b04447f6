import type { ServerFault } from '../../tool-protocol';
import { JobFailure } from '../job-failure';

/** What is wrong with a tool server, told by its name and fields; `message` is for the log. */
export function serverFault(name: ServerFault, fields: JobFailure['failure']['fields']): JobFailure {
  const { kind, cause } = kinds[name];
  return new JobFailure(kind, cause, `${name} ${JSON.stringify(fields)}`, fields, name);
}

type Failure = JobFailure['failure'];
const kinds: Readonly<Record<ServerFault, Pick<Failure, 'kind' | 'cause'>>> = {
  'tool-no-command': { kind: 'refused', cause: 'unreachable' },
  'tool-not-started': { kind: 'refused', cause: 'unreachable' },
  'tool-server-exited': { kind: 'died', cause: 'server-error' },
  'tool-server-silent': { kind: 'stalled', cause: 'timeout' },
  'tool-server-flooded': { kind: 'malformed', cause: 'protocol' },
  'tool-server-unknown': { kind: 'malformed', cause: 'protocol' },
  'tool-server-version': { kind: 'malformed', cause: 'protocol' },
  'tool-server-refused': { kind: 'refused', cause: 'http' },
  'tool-server-lost': { kind: 'died', cause: 'unreachable' },
};
