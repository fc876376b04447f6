import type { ModelRef } from '../../../shared/model/ids';
import type { Model, Provider } from '../../../shared/model/provider';

/** One way to begin: a provider with the model it would begin with; null = it lists none yet. */
export interface Choice {
  readonly provider: Provider;
  readonly model: Model | null;
}

/** The ways to begin, best first: servers that answer, services added by hand, then the model inside the app. */
export function firstChoices(providers: readonly Provider[]): readonly Choice[] {
  const rank = (provider: Provider) => (provider.kind === 'embedded' ? 2 : provider.remote ? 1 : 0);
  return providers
    .filter((provider) => provider.kind === 'embedded' || provider.state.kind === 'ready')
    .map((provider) => ({ provider, model: bestModel(provider.models) }))
    .filter((choice) => choice.provider.kind !== 'embedded' || choice.model !== null)
    .sort((a, b) => rank(a.provider) - rank(b.provider));
}

/** True where no real model is here, so that one can be offered for download. */
export function lacksModel(providers: readonly Provider[]): boolean {
  return providers.every((provider) => provider.models.every((model) => model.practice));
}

/** Servers that are usually on this computer and did not answer. */
export function absentServers(providers: readonly Provider[]): readonly string[] {
  return providers
    .filter((provider) => provider.kind !== 'embedded' && !provider.remote && provider.state.kind === 'offline')
    .map((provider) => provider.name);
}

/** A loaded model answers at once; a model of the user's own is better than the practice model. */
function bestModel(models: readonly Model[]): Model | null {
  return (
    models.find((model) => model.state === 'loaded' && !model.practice) ??
    models.find((model) => !model.practice) ??
    models[0] ??
    null
  );
}

export function refOf(choice: Choice): ModelRef | null {
  return choice.model === null ? null : { providerId: choice.provider.id, model: choice.model.model };
}
