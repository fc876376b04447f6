import type { ContextUse } from '../../../shared/model/context';
import type { ModelRef } from '../../../shared/model/ids';
import type { Model, Provider } from '../../../shared/model/provider';
import { modelOf, useApp } from '../../stores/app-store';
import { useSession } from '../../stores/session-store';

/** What may be done about a window: ask for a larger one, ask for another one, or say what the server does not tell. */
export type WindowChange = 'raise' | 'change' | 'enter';

export function windowChange(
  provider: Pick<Provider, 'kind'>,
  model: Pick<Model, 'trained' | 'chosenWindow'>,
  use: Pick<ContextUse, 'window' | 'source'>,
): WindowChange | null {
  if (provider.kind === 'openai') return use.source === 'unknown' || use.source === 'user' ? 'enter' : null;
  if (model.trained === null || use.window === null || use.window < model.trained) return 'raise';
  return model.chosenWindow === null ? null : 'change';
}

/** The model of the open chat with what may be done about its window; null = there is none, or nothing. */
export function useWindowChange(use: Pick<ContextUse, 'window' | 'source'> | null): {
  readonly modelRef: ModelRef;
  readonly provider: Provider;
  readonly model: Model;
  readonly change: WindowChange;
} | null {
  const sessionId = useSession((state) => state.sessionId);
  const modelRef = useApp((state) => modelOf(state, sessionId));
  const provider = useApp((state) => state.providers.find(({ id }) => id === modelRef?.providerId));
  const model = provider?.models.find((one) => one.model === modelRef?.model);
  const change = provider && model && use ? windowChange(provider, model, use) : null;
  return modelRef && provider && model && change ? { modelRef, provider, model, change } : null;
}
