import { ipcMain, type WebContents, webContents } from 'electron';
import { CHANNELS } from '../../shared/ipc/bridge';
import type { Numbered } from '../../shared/ipc/events';
import type { Caller } from './handlers';
import type { Router } from './router';

/** Answers what app window this is, or null where it is none of ours. */
export type WindowKindOf = (contents: WebContents) => Caller['kind'] | null;

/**
 * Opens the one channel on which the pages ask. Only the top frame of an app window that shows our own pages is
 * let through: a frame inside it, or a page that came from elsewhere, is not.
 */
export function openRequestDoor(router: Router, kindOf: WindowKindOf, origin: string): void {
  ipcMain.handle(CHANNELS.request, (event, route: unknown, input: unknown, files: unknown) => {
    const kind = kindOf(event.sender);
    const frame = event.senderFrame;
    const trusted = kind !== null && frame !== null && frame === event.sender.mainFrame && frame.origin === origin;
    return router.answer(trusted ? { windowId: event.sender.id, kind } : null, { route, input, files });
  });
}

/** Sends a batch of events to one app window; a window that is gone hears nothing. */
export function sendEvents(windowId: number, batch: readonly Numbered[]): void {
  const contents = webContents.fromId(windowId);
  if (contents && !contents.isDestroyed() && !contents.isCrashed()) contents.send(CHANNELS.events, batch);
}
