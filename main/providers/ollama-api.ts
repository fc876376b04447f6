import { attentionShape, cacheBytes } from '../../shared/model/memory';
import { serverRoot } from '../hosts/process/address';
import { AskFailure, type Asking, askJson } from './ask-http';
import { type AskedModel, type AskedServer, list, record, text, whole } from './asked-server';

/** Trained windows by model and digest: `/api/show` is asked once for each. */
export type ShowCache = Map<string, Shown>;
interface Shown {
  readonly trained: number | null;
  readonly cacheBytesPerToken: number | null;
  readonly talks: boolean;
  readonly tools: boolean;
  readonly sees: boolean;
}
/** `/api/show` questions at once. */
const ABREAST = 4;

/** Models of an Ollama server with the windows that are loaded and trained. Throws AskFailure. */
export async function askOllama(address: string, asking: Asking, shown: ShowCache): Promise<AskedServer> {
  const root = serverRoot(address);
  const [tags, ps, version] = await Promise.all([
    askJson(`${root}/api/tags`, asking),
    askJson(`${root}/api/ps`, asking),
    askJson(`${root}/api/version`, asking).catch(() => null),
  ]);
  if (!Array.isArray(record(tags).models)) {
    throw new AskFailure('refused', 'refused-by-server', { status: 200, message: 'not an Ollama server' });
  }
  const running = new Map(
    list(record(ps).models).map((model) => [text(model.name) ?? '', whole(model.context_length)] as const),
  );
  const queue = list(record(tags).models);
  const models: AskedModel[] = [];
  const work = async () => {
    for (let tag = queue.shift(); tag; tag = queue.shift()) {
      const name = text(tag.name) ?? text(tag.model);
      if (name === null) continue;
      const { trained, cacheBytesPerToken, talks, tools, sees } = await show(
        root,
        name,
        `${name} ${String(tag.digest)}`,
        asking,
        shown,
      );
      if (!talks) continue;
      models.push({
        model: name,
        name: name.replace(/:latest$/, ''),
        state: running.has(name) ? 'loaded' : 'not-loaded',
        reported: running.get(name) ?? null,
        trained,
        bytes: whole(tag.size),
        cacheBytesPerToken,
        parallel: null,
        tools,
        sees,
      });
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, work));
  models.sort((a, b) => a.name.localeCompare(b.name));
  return { flavor: 'ollama', refusesLong: obeysTruncate(text(record(version).version)), models };
}

async function show(root: string, model: string, key: string, asking: Asking, shown: ShowCache): Promise<Shown> {
  const known = shown.get(key);
  if (known) return known;
  try {
    const answer = record(await askJson(`${root}/api/show`, asking, { model }));
    const info = record(answer.model_info);
    const sizeOf = (name: string) => whole(info[`${String(info['general.architecture'])}.${name}`]);
    const shape = attentionShape(sizeOf);
    // Models that only embed are of no use for chats; older servers do not tell.
    const can = (what: string) => !Array.isArray(answer.capabilities) || answer.capabilities.includes(what);
    const says = (what: string) => Array.isArray(answer.capabilities) && answer.capabilities.includes(what);
    const found = {
      trained: sizeOf('context_length'),
      cacheBytesPerToken: shape && cacheBytes(shape),
      talks: can('completion'),
      tools: can('tools'),
      sees: says('vision'),
    };
    shown.set(key, found);
    return found;
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error;
    return { trained: null, cacheBytesPerToken: null, talks: true, tools: true, sees: false }; // the list is worth having without it
  }
}

/** First version that obeys `truncate: false` on `/api/chat`. Source: ollama/ollama pull request 12582, October 2025. */
const OBEYS_TRUNCATE = [0, 12, 6] as const;

/** True for that version and later ones; what cannot be read, a build from source among them, is not believed. */
function obeysTruncate(version: string | null): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  if (!parts) return false;
  const differs = OBEYS_TRUNCATE.findIndex((least, i) => parts[i] !== least);
  return differs < 0 || (parts[differs] ?? 0) > (OBEYS_TRUNCATE[differs] ?? 0);
}
