import type { TFunction } from 'i18next';
import { assertNever } from '../../shared/exhaustive';
import type { ModelRef } from '../../shared/model/ids';
import type { Model, Provider } from '../../shared/model/provider';

/** A model as the picker shows it: the mark before its name, and the words after it. */
export interface ModelLook {
  readonly mark: 'loaded' | 'not-loaded' | 'busy' | 'away';
  readonly words: string;
  /** True where a message sent now would be answered without the provider coming back first. */
  readonly usable: boolean;
}

/**
 * State of a model in words.
 * @param brief true = the state; false = the served window, where it is known.
 */
export function modelLook(t: TFunction, provider: Provider, model: Model | undefined, brief: boolean): ModelLook {
  switch (provider.state.kind) {
    case 'offline':
      return { mark: 'away', words: t('composer.picker.offline'), usable: false };
    case 'refused':
      return { mark: 'away', words: t('composer.picker.refused'), usable: false };
    case 'asking':
      return { mark: 'busy', words: t('composer.picker.asking'), usable: false };
    case 'ready':
      return model === undefined
        ? { mark: 'away', words: t('composer.picker.gone'), usable: false }
        : readyLook(t, model, brief);
    default:
      return assertNever(provider.state);
  }
}

function readyLook(t: TFunction, model: Model, brief: boolean): ModelLook {
  const served = model.served === null || brief ? null : t('composer.picker.served', { tokens: model.served });
  switch (model.state) {
    case 'loading':
      return { mark: 'busy', words: t('composer.picker.loading'), usable: true };
    case 'not-loaded':
      return { mark: 'not-loaded', words: served ?? t('composer.picker.notLoaded'), usable: true };
    case 'loaded':
      return { mark: 'loaded', words: served ?? t('composer.picker.loaded'), usable: true };
    case 'unknown':
      // A service that does not load models is ready when it answers.
      return { mark: 'loaded', words: served ?? (brief ? '' : t('composer.picker.unknown')), usable: true };
    default:
      return assertNever(model.state);
  }
}

/** Whether the next request fits a model: `unknown` where the model does not say its window or nothing was counted. */
export function fitOf(model: Model, needTokens: number | null): 'fits' | 'small' | 'unknown' {
  if (model.served === null || needTokens === null) return 'unknown';
  return needTokens <= model.served ? 'fits' : 'small';
}

/** The head of a provider's group; a remote one is named as such. */
export function providerGroup(t: TFunction, provider: Provider): string {
  if (provider.kind === 'embedded') return t('composer.picker.group.embedded');
  return provider.remote
    ? t('composer.picker.group.remote', { name: provider.name })
    : t('composer.picker.group.local', { name: provider.name });
}

export function isSameModel(a: ModelRef | null, b: ModelRef | null): boolean {
  return a !== null && b !== null && a.providerId === b.providerId && a.model === b.model;
}

/** The last part of an embedded model's path, or a server model's name: what is shown when the model itself is gone. */
export function refName(ref: ModelRef): string {
  return ref.model.split(/[\\/]/).pop() ?? ref.model;
}
