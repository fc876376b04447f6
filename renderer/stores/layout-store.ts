import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** What is open in this window. Not stored: a restart begins with the plain window. */
export interface LayoutState {
  readonly sidebarHidden: boolean;
  /** The context panel at the right. */
  readonly panelOpen: boolean;
  readonly overlay: 'none' | 'palette' | 'keyboard-help';
  /** Grows with each wish for the caret to go into the composer; the composer focuses when it changes. */
  readonly composerFocus: number;
  /** Grows with each wish for the caret to go into the search field. */
  readonly searchFocus: number;

  sidebarToggled(): void;
  panelToggled(): void;
  overlayShown(overlay: LayoutState['overlay']): void;
  composerWanted(): void;
  searchWanted(): void;
}

export const layoutStore = createStore<LayoutState>()((set) => ({
  sidebarHidden: false,
  panelOpen: false,
  overlay: 'none',
  composerFocus: 0,
  searchFocus: 0,

  sidebarToggled: () => set((state) => ({ sidebarHidden: !state.sidebarHidden })),
  panelToggled: () => set((state) => ({ panelOpen: !state.panelOpen })),
  overlayShown: (overlay) => set({ overlay }),
  composerWanted: () => set((state) => ({ composerFocus: state.composerFocus + 1 })),
  searchWanted: () => set((state) => ({ searchFocus: state.searchFocus + 1, sidebarHidden: false })),
}));

export function useLayout<T>(selector: (state: LayoutState) => T): T {
  return useStore(layoutStore, selector);
}
