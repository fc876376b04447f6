import { BrowserWindow } from 'electron';
import type { Clock } from '../lib/clock';

/** A page that hangs is not waited for longer than this, in milliseconds: a quit has 2 s in all. */
const LIMIT_MS = 250;

/**
 * Tells every page that it goes, as closing it would: the app's end closes no window, and what was typed a moment ago
 * is not stored yet. What a page asks for then reaches main before its answer does.
 */
export async function bidFarewell(clock: Clock): Promise<void> {
  const told = BrowserWindow.getAllWindows().map((window) =>
    window.webContents.executeJavaScript(`dispatchEvent(new Event('pagehide'))`).catch(() => undefined),
  );
  await new Promise<void>((resolve) => {
    const cancel = clock.after(LIMIT_MS, resolve);
    void Promise.all(told).then(() => {
      cancel();
      resolve();
    });
  });
}
