import type { ModelRef } from '../../shared/model/ids';
import type { ModelFacts, Models } from './registry-types';

/** The model that answers in a session: its own, else the one that new sessions begin with. null = there is none. */
export function modelOf(
  models: Pick<Models, 'facts' | 'defaultModel'>,
  session: { readonly model: ModelRef | null } | null,
): ModelFacts | null {
  const ref = session?.model ?? models.defaultModel();
  return ref && models.facts(ref);
}
