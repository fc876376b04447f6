import { BrowserWindow, Notification } from 'electron';
import type { SessionId } from '../../shared/model/ids';
import type { TurnNews } from './turn-news';
import { words } from './words';

/** Shows what happened, only while no window of the app has the focus; a click opens that session. */
export function notify(news: TurnNews, title: string, at: number, open: (sessionId: SessionId) => void): void {
  if (!Notification.isSupported() || BrowserWindow.getFocusedWindow() !== null) return;
  const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(at);
  const body = news.kind === 'answered' ? words.answerReady : words.waitingSent(time);
  const notification = new Notification({ title, body });
  notification.on('click', () => open(news.sessionId));
  notification.show();
}
