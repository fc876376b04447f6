import type { BranchId, MessageId } from '../../shared/model/ids';
import { request } from '../bridge/request';
import { isPageHere, PAGE_SIZE, pageOf } from './message-window';
import { sessionStore } from './session-store';
import { told } from './toast-store';

/** Pages on their way, by branch, so that scrolling back and forth asks once. */
const asked = new Set<string>();

/**
 * Reads the pages around what is on screen and lets far ones go. Called by the transcript while it scrolls.
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

/** Reads one growing message again: a piece of its text was lost. */
export function readAgain(id: MessageId): void {
  const { branchId, growing } = sessionStore.getState();
  const seq = growing[id];
  if (branchId !== null && seq !== undefined) void told(read(branchId, seq, seq));
}

async function readPage(branchId: BranchId, page: number, lastSeq: number): Promise<void> {
  await read(branchId, page * PAGE_SIZE + 1, Math.min(lastSeq, (page + 1) * PAGE_SIZE));
}

async function read(branchId: BranchId, from: number, to: number): Promise<void> {
  const key = `${branchId}:${from}:${to}`;
  if (asked.has(key)) return;
  asked.add(key);
  try {
    sessionStore.getState().messagesRead(branchId, await request('sessions.page', { branchId, from, to }));
  } finally {
    asked.delete(key);
  }
}
