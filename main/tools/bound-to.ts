import { createHash } from 'node:crypto';
import { unhidden } from '../../shared/hidden-characters';
import type { StoredTransport } from '../db/tool-servers-table';

/** How a server is started or reached, in one line, for people. */
export function runsAs(transport: StoredTransport): string {
  if (transport.kind === 'http') return transport.url;
  return [transport.command, ...transport.args].map(quoted).join(' ');
}

/** The same with the names of its variables: what is confirmed before it runs. */
export function runsWith(transport: StoredTransport): string {
  const variables = transport.kind === 'stdio' ? transport.variables : [];
  return [runsAs(transport), ...[...variables].sort().map((name) => `${name}=…`)].join('\n');
}

/**
 * What a grant holds for: how the server is started, with the names of its variables, and the tool's name, description
 * and schema. Any change of it is another thing, which is asked about anew.
 */
export function boundTo(transport: StoredTransport, fingerprint: string): Buffer {
  const parts =
    transport.kind === 'http'
      ? ['http', transport.url]
      : ['stdio', transport.command, transport.args, [...transport.variables].sort()];
  return createHash('sha256')
    .update(JSON.stringify([parts, fingerprint]))
    .digest();
}

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : unhidden(JSON.stringify(word)));
