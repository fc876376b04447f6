import { BrowserWindow, Notification } from 'electron';
import type { SessionId } from '../../shared/model/ids';
import type { TurnNews } from './turn-news';
import { words } from './words';

/** Shows what happened, only while no window of the app has the focus; a click opens that session. */
export function notify(news: TurnNews, title: string, at: number, open: (sessionId: SessionId) => void): void {
  if (!Notification.isSupported() || BrowserWindow.getFocusedWindow() !== null) return;
  const notification = new Notification({ title, body: bodyOf(news, at) });
  notification.on('click', () => open(news.sessionId));
  notification.show();
}

function bodyOf(news: TurnNews, at: number): string {
  switch (news.kind) {
    case 'answered':
      return words.answerReady;
    case 'waiting-sent':
      return words.waitingSent(new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(at));
    case 'asks':
      return words.wantsTool(news.server, news.tool);
  }
}
