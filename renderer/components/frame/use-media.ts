import { useSyncExternalStore } from 'react';

/** Follows a media query. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Below this width, in CSS pixels, the sidebar hides and lies over the page when it is called; zooming counts too. */
export const useSidebarLiesOver = () => useMedia('(max-width: 719px)');

/** Below this width the context panel lies over the transcript. */
export const usePanelLiesOver = () => useMedia('(max-width: 1039px)');
