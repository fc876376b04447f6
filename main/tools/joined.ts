import type { Toolbox } from './tool';

/** Several sources as one. Each keeps its own order, and they stand in the order given: the list is part of the prompt. */
export function joined(sources: readonly Toolbox[]): Toolbox {
  return {
    needed: () => {
      for (const source of sources) source.needed();
    },
    toolsFor: (scope) => sources.flatMap((source) => source.toolsFor(scope)),
  };
}
