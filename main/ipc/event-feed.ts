import type { AppEvent, Numbered } from '../../shared/ipc/events';
import type { SessionId } from '../../shared/model/ids';
import type { Clock } from '../lib/clock';
import { Disposables } from '../lib/disposables';
import { queued } from './event-queue';

/** Streaming text and progress reach a window at most this often, in milliseconds: about 30 times a second. */
const COALESCE_MS = 33;

interface Feed {
  /** Number of the last event that was sent. */
  revision: number;
  /** False until the page has taken its first snapshot: what is true by then is in it. */
  live: boolean;
  shown: SessionId | null;
  queue: AppEvent[];
  sentAt: number;
  /** Takes back the planned sending, null = none is planned. */
  planned: { readonly soon: boolean; readonly cancel: () => void } | null;
}

/**
 * Brings main's events to the app windows: numbered for each window, in order, batched. Facts about one session go
 * to the windows that show it, all others to every window. Deltas and progress are joined over 33 ms; any other
 * event goes out in the same turn of the loop, after what was waiting.
 */
export class EventFeed {
  readonly #clock: Clock;
  readonly #send: (windowId: number, batch: readonly Numbered[]) => void;
  readonly #feeds = new Map<number, Feed>();

  constructor(clock: Clock, send: (windowId: number, batch: readonly Numbered[]) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  addWindow(windowId: number): void {
    const sentAt = Number.NEGATIVE_INFINITY;
    this.#feeds.set(windowId, { revision: 0, live: false, shown: null, queue: [], sentAt, planned: null });
  }

  removeWindow(windowId: number): void {
    this.#feeds.get(windowId)?.planned?.cancel();
    this.#feeds.delete(windowId);
  }

  /** The page is loaded anew: it knows nothing until its next snapshot, and shows no session. */
  pageReset(windowId: number): void {
    const feed = this.#feeds.get(windowId);
    if (!feed) return;
    feed.live = false;
    feed.shown = null;
    feed.queue = feed.queue.filter(waitsForPage);
  }

  /**
   * Called before a snapshot is made: answers the revision from which events continue it. What happens while it is
   * being made is sent as well; telling a fact twice does no harm.
   */
  snapshotTaken(windowId: number): number {
    const feed = this.#feeds.get(windowId);
    if (!feed) return 0;
    const { revision } = feed;
    feed.live = true;
    if (feed.queue.length > 0) this.#plan(windowId, feed, true);
    return revision;
  }

  /** From now on the window hears of this session, and no longer of another. Answers the way back. */
  showSession(windowId: number, sessionId: SessionId): () => void {
    const feed = this.#feeds.get(windowId);
    if (!feed) return () => undefined;
    const before = feed.shown;
    feed.shown = sessionId;
    return () => {
      if (feed.shown === sessionId) feed.shown = before;
    };
  }

  publish(event: AppEvent): void {
    for (const [windowId, feed] of this.#feeds) {
      if (feed.live && concerns(feed, event)) this.#enqueue(windowId, feed, event);
    }
  }

  /** To one window alone. It waits where that window has not taken its snapshot yet. */
  publishTo(windowId: number, event: Extract<AppEvent, { type: 'show.session' | 'show.page' | 'quickChat.summoned' }>) {
    const feed = this.#feeds.get(windowId);
    if (feed) this.#enqueue(windowId, feed, event);
  }

  #enqueue(windowId: number, feed: Feed, event: AppEvent): void {
    feed.queue = queued(feed.queue, event);
    if (feed.live) this.#plan(windowId, feed, !mayWait(event));
  }

  #plan(windowId: number, feed: Feed, soon: boolean): void {
    if (feed.planned && (feed.planned.soon || !soon)) return;
    feed.planned?.cancel();
    const wait = soon ? 0 : feed.sentAt + COALESCE_MS - this.#clock.monotonic();
    const undo = new Disposables();
    let cancelled = false;
    undo.add(() => {
      cancelled = true;
    });
    const flush = () => {
      if (!cancelled) this.#flush(windowId, feed);
    };
    if (wait > 0) undo.add(this.#clock.after(wait, flush));
    else this.#clock.nextTurn(flush);
    feed.planned = { soon, cancel: () => undo.dispose() };
  }

  #flush(windowId: number, feed: Feed): void {
    feed.planned = null;
    if (!feed.live || feed.queue.length === 0) return;
    const batch = feed.queue.map((event) => {
      feed.revision += 1;
      return { ...event, revision: feed.revision };
    });
    feed.queue = [];
    feed.sentAt = this.#clock.monotonic();
    this.#send(windowId, batch);
  }
}

/** Which windows an event is for. */
function concerns(feed: Feed, event: AppEvent): boolean {
  switch (event.type) {
    case 'message.added':
    case 'message.changed':
    case 'message.removed':
    case 'message.delta':
    case 'tool.progress':
    case 'tool.asks':
    case 'turn.changed':
    case 'attempt.changed':
    case 'summaries.changed':
    case 'proposal.changed':
    case 'draft.files':
    case 'stubs.changed':
    case 'pins.changed':
    case 'outbox.changed':
    case 'notices.changed':
    case 'context.changed':
    case 'session.settings':
      return feed.shown === event.sessionId;
    case 'session.changed':
    case 'session.removed':
    case 'providers.changed':
    case 'catalogue.changed':
    case 'tools.changed':
    case 'settings.changed':
    case 'theme.changed':
    case 'shortcut.changed':
    case 'show.session':
    case 'show.page':
    case 'quickChat.summoned':
      return true;
  }
}

function mayWait(event: AppEvent): boolean {
  return event.type === 'message.delta' || (event.type === 'attempt.changed' && event.attempt?.outcome === null);
}

function waitsForPage(event: AppEvent): boolean {
  return event.type === 'show.session' || event.type === 'show.page' || event.type === 'quickChat.summoned';
}
