import { assertNever } from '../../shared/exhaustive';
import type { Model, Provider, ProviderState } from '../../shared/model/provider';
import { LEAST_SUMMARY_WINDOW } from '../compression/policy';
import type { Target } from '../hosts/protocol';
import { isRemote } from './ask-http';
import type { AskedModel, Flavor } from './asked-server';
import { DEFAULT_WINDOW, type EmbeddedModel } from './embedded-models';
import type { ProviderRow } from './provider-rows';
import type { ServedWindow } from './registry-types';
import { servedWindow } from './served-window';

/** One provider as this run knows it. Replaced as a whole when something of it changes. */
export interface KnownProvider {
  readonly row: ProviderRow;
  readonly state: ProviderState;
  readonly flavor: Flavor;
  /** True where the server is known to refuse prompts that are too long, rather than cut them in silence. */
  readonly refusesLong: boolean;
  /** Where the system sends requests to it; null = straight, as always to this machine. */
  readonly proxy: string | null;
  /** Of a server; kept while it is away, so that its models can still be named. */
  readonly asked: readonly AskedModel[];
  /** Of the embedded provider. */
  readonly files: readonly EmbeddedModel[];
}

/** One model with what its provider says about it. */
export interface KnownModel {
  readonly model: string;
  readonly name: string;
  readonly trained: number | null;
  readonly reported: number | null;
  readonly bytes: number | null;
  /** Cache of one token in one context, in bytes; null = its sizes are not known. */
  readonly cacheBytesPerToken: number | null;
  /** Requests that its server works on at once; null = it does not say. */
  readonly parallel: number | null;
  readonly state: Model['state'];
  readonly practice: boolean;
  /** True where it may be given tools, as far as its server says. */
  readonly tools: boolean;
  /** True where it says that it takes pictures. */
  readonly sees: boolean;
  /** GGUF file of an embedded model. */
  readonly path: string | null;
}

export function modelsOf(known: KnownProvider): KnownModel[] {
  if (known.row.kind === 'embedded') {
    return known.files.map((file) => ({
      ...file,
      reported: null,
      parallel: null,
      state: 'not-loaded' as const,
      tools: false,
      sees: false,
    }));
  }
  return known.asked.map((asked) => ({ ...asked, practice: false, path: null }));
}

/**
 * null = no such model. While a server has not answered its models are taken for what the reference says, so that a
 * session can name one and its request can fail by itself.
 */
export function findModel(known: KnownProvider, model: string): KnownModel | null {
  const found = modelsOf(known).find((one) => one.model === model);
  if (found) return found;
  if (known.row.kind === 'embedded' || known.state.kind === 'ready') return null;
  const unknown = {
    trained: null,
    reported: null,
    bytes: null,
    cacheBytesPerToken: null,
    parallel: null,
    practice: false,
    tools: true,
    sees: false,
    path: null,
  };
  return { model, name: model, state: 'unknown', ...unknown };
}

/** The window that requests ask for; null where this kind of server does not let one ask. Tokens. */
export function askedWindow(row: ProviderRow, model: KnownModel): number | null {
  if (row.kind === 'openai') return null;
  const wanted = chosenWindow(row, model.model) ?? DEFAULT_WINDOW;
  return model.trained === null ? wanted : Math.min(wanted, model.trained);
}

/** The window that the user has set for this model, else for all of its provider; null = none. Tokens. */
export function chosenWindow(row: ProviderRow, model: string): number | null {
  return row.fields.askWindows?.[model] ?? row.fields.askWindow ?? null;
}

/** Names the settings under which a window was learned. */
export function settingsHash(row: ProviderRow, model: string): string {
  return `window=${chosenWindow(row, model) ?? 'default'}`;
}

export function windowOf(row: ProviderRow, model: KnownModel, learned: number | null): ServedWindow {
  return servedWindow({
    asked: askedWindow(row, model),
    reported: model.reported,
    trained: model.trained,
    learned,
    entered: chosenWindow(row, model.model),
  });
}

/** What this app decides for all models of its profile. */
export interface TargetRules {
  readonly threads: number;
  /** How long a model is kept without work; null = until the app ends. Milliseconds. */
  readonly keepMs: number | null;
}

export function targetOf(known: KnownProvider, model: KnownModel, key: string | null, rules: TargetRules): Target {
  const { row } = known;
  const { threads, keepMs } = rules;
  const address = row.address ?? '';
  const proxy = known.proxy === null ? {} : { proxy: known.proxy };
  switch (row.kind) {
    case 'embedded':
      return {
        kind: 'embedded',
        path: model.path ?? '',
        askWindow: askedWindow(row, model) ?? DEFAULT_WINDOW,
        threads,
        ...(model.practice ? { greedy: true as const } : {}),
      };
    case 'ollama':
      return {
        kind: 'ollama',
        address,
        model: model.model,
        key,
        ...proxy,
        askWindow: askedWindow(row, model) ?? DEFAULT_WINDOW,
        keepSeconds: keepMs === null ? -1 : Math.round(keepMs / 1_000),
      };
    case 'openai':
      return {
        kind: 'openai',
        address,
        model: model.model,
        key,
        ...proxy,
        ...(known.flavor === 'llama.cpp' ? { llamaServer: true as const } : {}),
      };
    default:
      return assertNever(row.kind);
  }
}

/** What the renderer is shown. */
export function shown(
  known: KnownProvider,
  hasKey: boolean,
  view: (model: KnownModel) => {
    readonly window: ServedWindow;
    readonly state: Model['state'];
    readonly downloaded: boolean;
  },
): Provider {
  const { row, state } = known;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    address: row.address,
    origin: row.origin,
    remote: isRemote(row.address),
    hasKey,
    askWindow: row.fields.askWindow ?? null,
    state,
    models: modelsOf(known).map((model) => {
      const { window, state: modelState, downloaded } = view(model);
      return {
        model: model.model,
        name: model.name,
        state: modelState,
        served: window.served,
        trained: model.trained,
        bytes: model.bytes,
        cacheBytesPerToken: model.cacheBytesPerToken,
        chosenWindow: row.fields.askWindows?.[model.model] ?? null,
        downloaded,
        canSummarize: !model.practice && (window.served === null || window.served >= LEAST_SUMMARY_WINDOW),
        practice: model.practice,
        sees: model.sees,
      };
    }),
  };
}

/** True where the request just answered may have loaded the model with a window that is not known yet. */
export function loadsOnDemand(known: KnownProvider, model: string): boolean {
  const found = findModel(known, model);
  if (!found || (known.flavor !== 'ollama' && known.flavor !== 'lm-studio')) return false;
  return found.reported === null || (known.flavor === 'ollama' && found.reported !== askedWindow(known.row, found));
}
