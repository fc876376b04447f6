import type { ModelRef } from '../../shared/model/ids';
import type { Downloads } from './downloads';
import type { Registry } from './registry';

/**
 * Takes a GGUF file off the list. Only one that the app itself downloaded is deleted; a user's own file stays where it is.
 * @throws AppError `model-in-use`, `model-downloading`: nothing was done then; `file-unreadable`.
 */
export async function removeModel(
  { registry, downloads }: { readonly registry: Registry; readonly downloads: Downloads },
  ref: ModelRef,
): Promise<void> {
  // a file's reference is its path
  await downloads.alone(ref.model, async () => {
    const path = await registry.removeModel(ref);
    if (downloads.owns(path)) await downloads.erase(path);
  });
}
