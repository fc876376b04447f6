import { useEffect } from 'react';
import { isCommand } from './components/keys';
import { appStore } from './stores/app-store';
import { layoutStore } from './stores/layout-store';
import { newChat } from './stores/open-session';
import { told } from './stores/toast-store';

/** The shortcuts that work everywhere in the main window. */
export function useAppKeys(): void {
  useEffect(() => {
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}

function pressed(event: KeyboardEvent): void {
  // What a menu, a dialog or a field took is not meant for the window.
  if (event.defaultPrevented || event.isComposing) return;
  const layout = layoutStore.getState();
  const app = appStore.getState();
  const toggled = (overlay: 'palette' | 'keyboard-help') =>
    layout.overlayShown(layout.overlay === overlay ? 'none' : overlay);
  if (isCommand(event, 'k')) toggled('palette');
  else if (isCommand(event, '/')) toggled('keyboard-help');
  else if (layout.overlay !== 'none') return;
  else if (isCommand(event, 'n')) void told(newChat());
  else if (isCommand(event, 'f')) {
    if (app.page === 'settings') app.pageShown('chat');
    layout.searchWanted();
  } else if (isCommand(event, 'f', true)) {
    app.pageShown('chat');
    layout.findingChanged(true);
  } else if (isCommand(event, 'b')) layout.sidebarToggled();
  else if (isCommand(event, 'i')) layout.panelToggled();
  else if (isCommand(event, ',')) app.pageShown('settings');
  else if (event.key === 'Escape' && (app.page === 'settings' || app.page === 'bin')) app.pageShown('chat');
  else return;
  event.preventDefault();
}
