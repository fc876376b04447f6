import { createHash } from 'node:crypto';
import { AppError } from '../../shared/errors';
import type { EnteredTransport } from '../../shared/model/tools';
import { runsAs } from '../../shared/runs-as';
import type { StoredTransport } from '../db/tool-servers-table';
import { holdsPassword } from '../hosts/process/address';

/** How it is started or reached, with the names of its variables: what is confirmed before it runs. */
export function runsWith(transport: StoredTransport): string {
  const variables = transport.kind === 'stdio' ? transport.variables : [];
  return [runsAs(transport), ...[...variables].sort().map((name) => `${name}=…`)].join('\n');
}

/**
 * What a grant holds for: how the server is started, with the names of its variables, and the tool's name, description
 * and schema. Any change of it is another thing, which is asked about anew.
 */
export function boundTo(transport: StoredTransport, fingerprint: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([startOf(transport), fingerprint]))
    .digest();
}

/** Whether both start or reach the same thing, with variables of the same names. */
export function sameStart(one: StoredTransport, other: StoredTransport): boolean {
  return JSON.stringify(startOf(one)) === JSON.stringify(startOf(other));
}

/** What is stored of what was entered: everything but the secrets. @throws AppError where one stands in the address. */
export function transportOf(entered: EnteredTransport): StoredTransport {
  if (entered.kind === 'http') {
    if (holdsPassword(new URL(entered.url))) throw new AppError('password-in-address');
    return { kind: 'http', url: entered.url };
  }
  const { command, args, variables } = entered;
  return { kind: 'stdio', command, args, variables: variables.map(({ name }) => name) };
}

function startOf(transport: StoredTransport) {
  return transport.kind === 'http'
    ? ['http', transport.url]
    : ['stdio', transport.command, transport.args, [...transport.variables].sort()];
}
