import { useSyncExternalStore } from 'react';
import type { Options } from 'react-markdown';

type Plugins = NonNullable<Options['rehypePlugins']>;
export interface RichPlugins {
  readonly remark: Plugins;
  readonly math: Plugins;
  readonly highlight: Plugins;
}

let loaded: RichPlugins | null = null;
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** Fetches highlighter and math. Called when a text that needs them is shown, and when the window has time. */
export function loadRichPlugins(): Promise<void> {
  loading ??= import('./rich-plugins').then((module) => {
    loaded = module.richPlugins;
    for (const listener of [...listeners]) listener();
  });
  return loading;
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  void loadRichPlugins();
  return () => listeners.delete(listener);
}

const stand = () => () => undefined;

/** Highlighter and math, or null until they are here; text is shown plain meanwhile. */
export function useRichPlugins(needed: boolean): RichPlugins | null {
  return useSyncExternalStore(needed ? listen : stand, () => (needed ? loaded : null));
}
