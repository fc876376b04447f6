import type { BranchId, MessageId } from '../../shared/model/ids';
import { request } from '../bridge/request';
import { isPageHere, PAGE_SIZE, pageOf } from './message-window';
import { sessionStore } from './session-store';
import { told } from './toast-store';

/** Messages on each side of one in the middle that may be on screen with it. */
const AROUND = 12;

/** Pages on their way, by branch, so that scrolling back and forth asks once. */
const asked = new Map<string, Promise<void>>();

/** Milliseconds of rest before pages are read that the reader drags through. */
const REST_MS = 40;
let rest: ReturnType<typeof setTimeout> | null = null;

/**
 * What is on screen while the reader scrolls: who reads on has the next page before it is needed, who drags through a long
 * session is waited for.
 * @param from first and `to` last message number on screen.
 */
export function rangeScrolled(from: number, to: number): void {
  noRange();
  const { window, lastSeq } = sessionStore.getState();
  if (isPageHere(window, pageOf(from), lastSeq)) rangeShown(from, to);
  else rest = setTimeout(() => rangeShown(from, to), REST_MS);
}

/** The path is left: what was scrolled to is not read any more. */
export function noRange(): void {
  if (rest !== null) clearTimeout(rest);
  rest = null;
}

/**
 * Reads the pages around what is on screen and lets far ones go.
 * @param from first and `to` last message number on screen.
 */
export function rangeShown(from: number, to: number): void {
  const { branchId, lastSeq, window } = sessionStore.getState();
  if (branchId === null || lastSeq === 0) return;
  const first = Math.max(0, pageOf(from) - 1);
  const last = Math.min(pageOf(lastSeq), pageOf(to) + 1);
  for (let page = first; page <= last; page++) {
    if (!isPageHere(window, page, lastSeq)) void told(readPage(branchId, page, lastSeq));
  }
  sessionStore.getState().rangeRead(pageOf(from));
}

/**
 * Reads the pages that are shown when a message stands in the middle of the screen.
 * @returns once they are here, or at once where they are already.
 * @throws AppError when main refuses.
 */
export async function readAround(seq: number): Promise<void> {
  const { branchId, lastSeq, window } = sessionStore.getState();
  if (branchId === null) return;
  const first = pageOf(Math.max(1, seq - AROUND));
  const last = pageOf(Math.min(lastSeq, seq + AROUND));
  const reads: Promise<void>[] = [];
  for (let page = first; page <= last; page++) {
    if (!isPageHere(window, page, lastSeq)) reads.push(readPage(branchId, page, lastSeq));
  }
  await Promise.all(reads);
}

/** Reads one growing message again: a piece of its text was lost. */
export function readAgain(id: MessageId): void {
  const { branchId, growing } = sessionStore.getState();
  const seq = growing[id];
  if (branchId !== null && seq !== undefined) void told(read(branchId, seq, seq));
}

async function readPage(branchId: BranchId, page: number, lastSeq: number): Promise<void> {
  await read(branchId, page * PAGE_SIZE + 1, Math.min(lastSeq, (page + 1) * PAGE_SIZE));
}

function read(branchId: BranchId, from: number, to: number): Promise<void> {
  const key = `${branchId}:${from}:${to}`;
  const known = asked.get(key);
  if (known) return known;
  const reading = request('sessions.page', { branchId, from, to })
    .then((messages) => sessionStore.getState().messagesRead(branchId, messages))
    .finally(() => asked.delete(key));
  asked.set(key, reading);
  return reading;
}
