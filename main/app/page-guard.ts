import type { Session, WebContents } from 'electron';
import { ORIGIN } from './app-protocol';

/** A page stays where it is, opens no windows and hosts no other pages; links go through `app.openLink`. */
export function guardPage(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => {
    if (new URL(event.url).origin !== ORIGIN && !event.url.startsWith(`${ORIGIN}/`)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** No page gets camera, location, notifications of its own, or any other right of the browser. */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
}
