import { beforeEach, describe, expect, it } from 'vitest';
import type { AppEvent, Numbered } from '../../shared/ipc/events';
import type { Attempt } from '../../shared/model/compression';
import type { MessageId, SessionId } from '../../shared/model/ids';
import type { Clock } from '../lib/clock';
import { EventFeed } from './event-feed';

const a = '11111111-1111-4111-8111-111111111111' as SessionId;
const b = '22222222-2222-4222-8222-222222222222' as SessionId;
const message = '33333333-3333-4333-8333-333333333333' as MessageId;

/** Time stands still until the test moves it. */
class StillClock implements Clock {
  now = 0;
  #timers: { due: number; fn: () => void }[] = [];
  #turns: (() => void)[] = [];
  wall = () => this.now;
  monotonic = () => this.now;
  after = (ms: number, fn: () => void) => {
    const timer = { due: this.now + ms, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };
  nextTurn = (fn: () => void) => {
    this.#turns.push(fn);
  };
  turn(): void {
    for (const fn of this.#turns.splice(0)) fn();
  }
  advance(ms: number): void {
    this.now += ms;
    const due = this.#timers.filter((timer) => timer.due <= this.now);
    this.#timers = this.#timers.filter((timer) => timer.due > this.now);
    for (const timer of due) timer.fn();
    this.turn();
  }
}

const delta = (sessionId: SessionId, at: number, text: string): AppEvent => ({
  type: 'message.delta',
  sessionId,
  messageId: message,
  at,
  text,
});
const outbox = (sessionId: SessionId): AppEvent => ({ type: 'outbox.changed', sessionId, outbox: [] });
const theme = (dark: boolean): AppEvent => ({ type: 'theme.changed', dark });
const attempt = (sessionId: SessionId, tokensRead: number, ended = false): AppEvent => ({
  type: 'attempt.changed',
  sessionId,
  attempt: { id: 1, tokensRead, outcome: ended ? { kind: 'failed', failure: 'died' } : null } as unknown as Attempt,
});

describe('EventFeed', () => {
  let clock: StillClock;
  let batches: { windowId: number; events: readonly Numbered[] }[];
  let feed: EventFeed;
  const sentTo = (windowId: number) =>
    batches.filter((batch) => batch.windowId === windowId).map(({ events }) => events);

  beforeEach(() => {
    clock = new StillClock();
    batches = [];
    feed = new EventFeed(clock, (windowId, events) => batches.push({ windowId, events }));
    feed.addWindow(1);
    feed.addWindow(2);
    feed.snapshotTaken(1);
    feed.snapshotTaken(2);
  });

  it('sends facts about a session to the windows that show it, everything else to all, each with its own numbers', () => {
    feed.showSession(1, a);
    feed.showSession(2, b);
    feed.publish(outbox(a));
    feed.publish({ type: 'session.removed', sessionId: a });
    feed.publish(theme(true));
    clock.turn();
    expect(sentTo(1)).toEqual([
      [
        { ...outbox(a), revision: 1 },
        { type: 'session.removed', sessionId: a, revision: 2 },
        { ...theme(true), revision: 3 },
      ],
    ]);
    expect(sentTo(2)).toEqual([
      [
        { type: 'session.removed', sessionId: a, revision: 1 },
        { ...theme(true), revision: 2 },
      ],
    ]);
    expect(feed.snapshotTaken(1)).toBe(3);
  });

  it('tells every window of a download, whatever chat it shows', () => {
    const progress: AppEvent = { type: 'catalogue.changed', catalogue: [] };
    feed.showSession(1, a);
    feed.showSession(2, b);
    feed.publish(progress);
    clock.turn();
    expect([sentTo(1), sentTo(2)]).toEqual([[[{ ...progress, revision: 1 }]], [[{ ...progress, revision: 1 }]]]);
  });

  it('joins the pieces of a text over 33 ms, the first at once', () => {
    feed.showSession(1, a);
    feed.publish(delta(a, 0, 'He'));
    clock.turn();
    expect(sentTo(1)).toEqual([[{ ...delta(a, 0, 'He'), revision: 1 }]]);
    for (const [at, text] of [
      [2, 'l'],
      [3, 'l'],
      [4, 'o'],
    ] as const) {
      clock.advance(10);
      feed.publish(delta(a, at, text));
    }
    expect(sentTo(1)).toHaveLength(1);
    clock.advance(3);
    expect(sentTo(1)[1]).toEqual([{ ...delta(a, 2, 'llo'), revision: 2 }]);
  });

  it('never joins over a gap, and never over an event that has to be seen in between', () => {
    feed.showSession(1, a);
    feed.publish(delta(a, 0, 'a'));
    feed.publish(delta(a, 5, 'b'));
    feed.publish(outbox(a));
    feed.publish(delta(a, 6, 'c'));
    clock.turn();
    expect(sentTo(1)[0]?.map((event) => event.type)).toEqual([
      'message.delta',
      'message.delta',
      'outbox.changed',
      'message.delta',
    ]);
  });

  it('keeps only the newest progress of an attempt, and its end waits for nothing', () => {
    feed.showSession(1, a);
    feed.publish(attempt(a, 1));
    clock.turn();
    feed.publish(attempt(a, 2));
    feed.publish(delta(a, 0, 'x'));
    feed.publish(attempt(a, 3));
    clock.turn();
    expect(sentTo(1)).toHaveLength(1);
    feed.publish(attempt(a, 4, true));
    clock.turn();
    expect(sentTo(1)[1]).toEqual([
      { ...attempt(a, 4, true), revision: 2 },
      { ...delta(a, 0, 'x'), revision: 3 },
    ]);
    clock.advance(100);
    expect(sentTo(1)).toHaveLength(2);
  });

  it('an urgent event takes what was waiting with it, in order', () => {
    feed.showSession(1, a);
    feed.publish(delta(a, 0, 'x'));
    clock.turn();
    feed.publish(delta(a, 1, 'y'));
    feed.publish(outbox(a));
    clock.turn();
    expect(sentTo(1)[1]?.map((event) => [event.revision, event.type])).toEqual([
      [2, 'message.delta'],
      [3, 'outbox.changed'],
    ]);
  });

  it('sends nothing to a page before its first snapshot, but keeps what it was asked to show', () => {
    feed.addWindow(3);
    feed.publish(theme(true));
    feed.publishTo(3, { type: 'show.session', sessionId: a });
    clock.advance(100);
    expect(sentTo(3)).toEqual([]);
    expect(feed.snapshotTaken(3)).toBe(0);
    clock.turn();
    expect(sentTo(3)).toEqual([[{ type: 'show.session', sessionId: a, revision: 1 }]]);
  });

  it('a reloaded page starts from its next snapshot, without the session it had shown', () => {
    feed.showSession(1, a);
    feed.publish(outbox(a));
    feed.pageReset(1);
    clock.turn();
    expect(sentTo(1)).toEqual([]);
    expect(feed.snapshotTaken(1)).toBe(0);
    feed.publish(outbox(a));
    feed.publish(theme(false));
    clock.turn();
    expect(sentTo(1)).toEqual([[{ ...theme(false), revision: 1 }]]);
  });

  it('a failed opening gives the window its session back, unless it shows another by now', () => {
    feed.showSession(1, a);
    const undo = feed.showSession(1, b);
    undo();
    feed.publish(outbox(a));
    const late = feed.showSession(1, b);
    feed.showSession(1, a);
    late();
    feed.publish(outbox(a));
    clock.turn();
    expect(sentTo(1)[0]).toHaveLength(2);
  });

  it('a closed window gets nothing more, not even what was planned', () => {
    feed.publish(theme(true));
    feed.removeWindow(1);
    clock.advance(100);
    expect(sentTo(1)).toEqual([]);
    expect(sentTo(2)).toHaveLength(1);
  });
});
