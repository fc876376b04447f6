import type { DownloadFailure } from '../../shared/model/download';
import { AskFailure, type Asking, askJson } from './ask-http';
import { list, record, text, whole } from './asked-server';
import type { CatalogueEntry, Pin } from './catalogue';

/** The public hub that the catalogue's files lie on. */
export const HUB = 'https://huggingface.co';

/** Larger than any file of the catalogue will ever be, in bytes. */
const LARGEST = 1e12;

/** Address of a file at a commit, or at the newest one (`main`). */
export function fileAddress(hub: string, { repo, file }: CatalogueEntry, revision: string): string {
  return `${hub}/${repo}/resolve/${revision}/${encodeURIComponent(file)}`;
}

export type HubAnswer =
  | { readonly ok: true; readonly pin: Pin }
  | { readonly ok: false; readonly why: DownloadFailure };

/** Asks the hub what a file of the catalogue has to be. Nothing is sent but the file's name. Never throws for a refusal. */
export async function askHub(hub: string, entry: CatalogueEntry, asking: Omit<Asking, 'key'>): Promise<HubAnswer> {
  const address = `${hub}/api/models/${entry.repo}/paths-info/main`;
  try {
    const answer = await askJson(address, { ...asking, key: null }, { paths: [entry.file] });
    const listed = list(answer).find(({ path }) => path === entry.file);
    if (!listed) return { ok: false, why: Array.isArray(answer) ? { kind: 'gone' } : oddAnswer(200) };
    const lfs = record(listed.lfs);
    const sha256 = text(lfs.oid);
    const bytes = whole(lfs.size);
    if (sha256 === null || !/^[0-9a-f]{64}$/.test(sha256) || bytes === null || bytes > LARGEST) {
      return { ok: false, why: oddAnswer(200) };
    }
    return { ok: true, pin: { revision: 'main', bytes, sha256 } };
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error;
    return { ok: false, why: refusalOf(error, new URL(hub).host) };
  }
}

function refusalOf(error: AskFailure, host: string): DownloadFailure {
  const { status, reason } = error.fields;
  if (error.kind === 'offline') return { kind: 'unreachable', host, reason: String(reason ?? 'unknown') };
  return statusFailure(typeof status === 'number' ? status : 0);
}

/** What a status that is no success means for a download. */
export function statusFailure(status: number): DownloadFailure {
  if (status === 401 || status === 403) return { kind: 'refused', status };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status === 408 || status === 425 || status === 429 || status >= 500) return { kind: 'server-busy', status };
  return oddAnswer(status);
}

function oddAnswer(status: number): DownloadFailure {
  return { kind: 'odd-answer', status };
}
