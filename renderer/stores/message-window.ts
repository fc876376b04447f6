import type { Message } from '../../shared/model/message';

/** Messages a page holds: page n has seq n * 50 + 1 to n * 50 + 50. */
export const PAGE_SIZE = 50;
/** Pages kept around what is read: 2,000 messages, whatever the session's length. */
export const PAGES_KEPT = 40;

/** A sparse window on a path. A hole is a message that was not fetched. */
export type MessageWindow = Readonly<Record<number, readonly (Message | undefined)[]>>;

export function pageOf(seq: number): number {
  return Math.floor((seq - 1) / PAGE_SIZE);
}

export function messageAt(window: MessageWindow, seq: number): Message | undefined {
  return window[pageOf(seq)]?.[(seq - 1) % PAGE_SIZE];
}

/** The window with these messages in their places; pages that get none stay the same objects. */
export function withMessages(window: MessageWindow, messages: readonly Message[]): MessageWindow {
  const changed: Record<number, (Message | undefined)[]> = {};
  for (const message of messages) {
    const page = pageOf(message.seq);
    changed[page] ??= Array.from({ length: PAGE_SIZE }, (_, at) => window[page]?.[at]);
    changed[page][(message.seq - 1) % PAGE_SIZE] = message;
  }
  return { ...window, ...changed };
}

/** The window with a hole in the place of one message. */
export function without(window: MessageWindow, seq: number): MessageWindow {
  const held = window[pageOf(seq)];
  return held ? { ...window, [pageOf(seq)]: held.with((seq - 1) % PAGE_SIZE, undefined) } : window;
}

/** True where every message of the page that exists on the path is here. */
export function isPageHere(window: MessageWindow, page: number, lastSeq: number): boolean {
  const held = window[page];
  if (!held) return false;
  const size = Math.min(PAGE_SIZE, lastSeq - page * PAGE_SIZE);
  for (let at = 0; at < size; at++) if (!held[at]) return false;
  return true;
}

/** The window without the pages that lie far from the one being read; the last page of the path always stays. */
export function trimmed(window: MessageWindow, around: number, lastSeq: number): MessageWindow {
  const pages = Object.keys(window).map(Number);
  if (pages.length <= PAGES_KEPT) return window;
  const last = pageOf(Math.max(1, lastSeq));
  const near = pages.sort((a, b) => Math.abs(a - around) - Math.abs(b - around)).slice(0, PAGES_KEPT - 1);
  const kept: Record<number, readonly (Message | undefined)[]> = {};
  for (const page of [...near, last]) {
    const held = window[page];
    if (held) kept[page] = held;
  }
  return kept;
}
