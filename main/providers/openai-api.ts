import { apiRoot, serverRoot } from '../hosts/process/address';
import { AskFailure, type Asking, askJson } from './ask-http';
import { type AskedModel, type AskedServer, type Flavor, list, record, text, whole } from './asked-server';

/** Models of an OpenAI-compatible server, with the served windows of those that tell them. Throws AskFailure. */
export async function askOpenAi(address: string, asking: Asking): Promise<AskedServer> {
  const answer = record(await askJson(`${apiRoot(address)}/models`, asking));
  if (!Array.isArray(answer.data)) {
    throw new AskFailure('refused', 'refused-by-server', { status: 200, message: 'no list of models' });
  }
  const rows = list(answer.data);
  const flavor = flavorOf(rows);
  if (flavor === 'llama.cpp') return { flavor, refusesLong: false, models: await llamaModels(address, asking, rows) };
  if (flavor === 'other' && new URL(address).protocol === 'http:') {
    const studio = await lmStudioModels(address, asking);
    if (studio) return { flavor: 'lm-studio', refusesLong: false, models: studio };
  }
  return { flavor, refusesLong: false, models: rows.flatMap((row) => plainModel(row)) };
}

function flavorOf(rows: readonly Record<string, unknown>[]): Flavor {
  const owner = rows[0]?.owned_by;
  if (owner === 'llamacpp' || record(rows[0]?.meta).n_ctx_train !== undefined) return 'llama.cpp';
  if (owner === 'vllm') return 'vllm';
  return owner === 'jan' ? 'jan' : 'other';
}

/** llama.cpp's server holds one model; `/props` tells the window of one of its slots. */
async function llamaModels(
  address: string,
  asking: Asking,
  rows: readonly Record<string, unknown>[],
): Promise<AskedModel[]> {
  const props = record(await optional(`${serverRoot(address)}/props`, asking));
  const slot = whole(record(props.default_generation_settings).n_ctx);
  return rows.flatMap((row) => {
    const id = text(row.id);
    if (id === null) return [];
    const meta = record(row.meta);
    const name =
      id
        .split(/[/\\]/)
        .at(-1)
        ?.replace(/\.gguf$/i, '') ?? id;
    return [
      {
        model: id,
        name,
        state: 'loaded' as const,
        reported: slot ?? whole(meta.n_ctx),
        trained: whole(meta.n_ctx_train),
        bytes: whole(meta.size),
        cacheBytesPerToken: null,
        parallel: whole(props.total_slots),
        tools: true,
        sees: record(props.modalities).vision === true,
      },
    ];
  });
}

/** LM Studio's own list tells which models are loaded and with which window; null = this is another server. */
async function lmStudioModels(address: string, asking: Asking): Promise<AskedModel[] | null> {
  const answer = record(await optional(`${serverRoot(address)}/api/v0/models`, asking));
  if (!Array.isArray(answer.data)) return null;
  return list(answer.data).flatMap((row) => {
    const id = text(row.id);
    if (id === null || row.type === 'embeddings') return [];
    const loaded = row.state === 'loaded';
    return [
      {
        model: id,
        name: id,
        state: loaded ? ('loaded' as const) : ('not-loaded' as const),
        reported: loaded ? whole(row.loaded_context_length) : null,
        trained: whole(row.max_context_length),
        bytes: null,
        cacheBytesPerToken: null,
        parallel: null,
        tools: true,
        sees: row.type === 'vlm',
      },
    ];
  });
}

/** Servers that tell a window at all use one of these names in their list. */
const WINDOW_NAMES = ['max_model_len', 'context_window', 'context_length', 'max_context_length'] as const;

function plainModel(row: Record<string, unknown>): AskedModel[] {
  const id = text(row.id);
  if (id === null || /embed|whisper|tts-|dall-e|moderation|rerank/i.test(id)) return [];
  const reported = WINDOW_NAMES.map((name) => whole(row[name])).find((tokens) => tokens !== null) ?? null;
  return [
    {
      model: id,
      name: text(row.name) ?? id,
      state: 'unknown',
      reported,
      trained: null,
      bytes: null,
      cacheBytesPerToken: null,
      parallel: null,
      tools: true,
      sees: saysItSees(row),
    },
  ];
}

/** Lists that tell what a model takes at all use one of these forms. */
function saysItSees(row: Record<string, unknown>): boolean {
  const taken = record(row.architecture).input_modalities ?? row.input_modalities;
  return (Array.isArray(taken) && taken.includes('image')) || record(row.capabilities).vision === true;
}

async function optional(address: string, asking: Asking): Promise<unknown> {
  try {
    return await askJson(address, asking);
  } catch (error) {
    if (error instanceof AskFailure) return null;
    throw error;
  }
}
