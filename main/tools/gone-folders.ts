import type { ToolFolder } from '../../shared/model/tools';
import type { Clock } from '../lib/clock';
import { runInHost, type ToolHost } from './host-call';

/** Names of granted folders that are not there now. Looked for in the files host: a disk that hangs does not hold up main. */
export async function goneFolders(
  host: ToolHost,
  clock: Clock,
  folders: readonly ToolFolder[],
): Promise<readonly string[]> {
  if (folders.length === 0) return [];
  const job = { kind: 'gone-folders', folders } as const;
  const names = await runInHost(host, clock, job, new AbortController().signal, () => {});
  return names.split('\n').filter((name) => name !== '');
}
