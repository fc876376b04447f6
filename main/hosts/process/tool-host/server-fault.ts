import { type ServerFault, TOOL_LIMITS } from '../../tool-protocol';
import { JobFailure } from '../job-failure';
import type { Mask } from './mask';

/** What is wrong with a tool server, told by its name and fields; `message` is for the log. */
export function serverFault(name: ServerFault, fields: JobFailure['failure']['fields']): JobFailure {
  const { kind, cause } = kinds[name];
  return new JobFailure(kind, cause, `${name} ${JSON.stringify(fields)}`, fields, name);
}

/** The same as it may leave the process: first masked, then cut, in every field and in its message. */
export function shownFault(error: JobFailure, mask: Mask): JobFailure {
  const { kind, cause, name, fields } = error.failure;
  const shown = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      typeof value === 'string' ? mask(value).slice(0, TOOL_LIMITS.stderrLineChars) : value,
    ]),
  );
  return isServerFault(name) ? serverFault(name, shown) : new JobFailure(kind, cause, mask(error.message), shown, name);
}

const isServerFault = (name: string): name is ServerFault => Object.hasOwn(kinds, name);

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
  'tool-server-unwilling': { kind: 'refused', cause: 'server-error' },
  'tool-server-lost': { kind: 'died', cause: 'unreachable' },
};
