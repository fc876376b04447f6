import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** What is open in this window. Not stored: a restart begins with the plain window. */
export interface LayoutState {
  readonly sidebarHidden: boolean;
  /** In a window too narrow for it, the sidebar lies over the page while it is called. */
  readonly sidebarOver: boolean;
  /** The bar that finds words in the open chat. */
  readonly finding: boolean;
  /** The context panel at the right. */
  readonly panelOpen: boolean;
  /** Grows with each wish to see what is pinned; the panel's list takes the focus when it changes. */
  readonly pinsFocus: number;
  /** The dialog for another window of the open chat's model; it stands over the panel. */
  readonly windowAsked: boolean;
  readonly overlay: 'none' | 'palette' | 'keyboard-help';
  /** Grows with each wish for the caret to go into the composer; the composer focuses when it changes. */
  readonly composerFocus: number;
  /** Grows with each wish for the caret to go into the search field. */
  readonly searchFocus: number;

  sidebarToggled(): void;
  sidebarOverCalled(over: boolean): void;
  findingChanged(finding: boolean): void;
  panelToggled(): void;
  overlayShown(overlay: LayoutState['overlay']): void;
  composerWanted(): void;
  /** Opens the panel at what is pinned. */
  pinsWanted(): void;
  /** Opens the panel with the dialog for another window of the model. */
  windowWanted(): void;
  windowClosed(): void;
  searchWanted(): void;
}

export const layoutStore = createStore<LayoutState>()((set) => ({
  sidebarHidden: false,
  sidebarOver: false,
  finding: false,
  panelOpen: false,
  pinsFocus: 0,
  windowAsked: false,
  overlay: 'none',
  composerFocus: 0,
  searchFocus: 0,

  sidebarToggled: () => set((state) => ({ sidebarHidden: !state.sidebarHidden })),
  sidebarOverCalled: (sidebarOver) => set({ sidebarOver }),
  findingChanged: (finding) => set({ finding }),
  panelToggled: () => set((state) => ({ panelOpen: !state.panelOpen })),
  overlayShown: (overlay) => set({ overlay }),
  pinsWanted: () => set((state) => ({ panelOpen: true, pinsFocus: state.pinsFocus + 1 })),
  windowWanted: () => set({ panelOpen: true, windowAsked: true }),
  windowClosed: () => set({ windowAsked: false }),
  composerWanted: () => set((state) => ({ composerFocus: state.composerFocus + 1 })),
  searchWanted: () => set((state) => ({ searchFocus: state.searchFocus + 1, sidebarHidden: false, sidebarOver: true })),
}));

export function useLayout<T>(selector: (state: LayoutState) => T): T {
  return useStore(layoutStore, selector);
}
