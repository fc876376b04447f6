import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { AppError } from '../../shared/errors';
import type { Attempt, Proposal, ShownStub, Summary } from '../../shared/model/compression';
import type { ContextUse } from '../../shared/model/context';
import type { BranchId, MessageId, SessionId } from '../../shared/model/ids';
import type { Message, OutboxItem } from '../../shared/model/message';
import type { Notice } from '../../shared/model/notice';
import type { Pin } from '../../shared/model/pin';
import type { DraftFiles, SessionView } from '../../shared/model/session';
import type { ToolQuestion } from '../../shared/model/tools';
import type { Turn } from '../../shared/model/turn';
import { type MessageWindow, messageAt, trimmed, withMessages, without } from './message-window';

export interface SessionState {
  /** The open session; null = none is open (yet). */
  readonly sessionId: SessionId | null;
  readonly branchId: BranchId | null;
  /** seq of the last message on the path; 0 = none. */
  readonly lastSeq: number;
  readonly window: MessageWindow;
  /** Where the messages that still grow stand; deltas name only their ids. */
  readonly growing: Readonly<Record<MessageId, number>>;
  readonly summaries: readonly Summary[];
  /** What waits for a review on this path. */
  readonly proposal: Proposal | null;
  readonly pins: readonly Pin[];
  readonly stubs: readonly ShownStub[];
  readonly turn: Turn | null;
  /** What the running tool said last; its result takes it away. */
  readonly toolLine: { readonly callId: string; readonly line: string } | null;
  /** A call that waits for the user. */
  readonly toolQuestion: ToolQuestion | null;
  readonly attempt: Attempt | null;
  readonly outbox: readonly OutboxItem[];
  /** The draft as it was stored when the session was opened; from then on the composer owns it. */
  readonly draft: string;
  readonly draftFiles: DraftFiles;
  readonly notices: readonly Notice[];
  readonly context: ContextUse | null;
  readonly automatic: 'on' | 'off' | 'breaker';
  readonly review: boolean;
  readonly keepTurns: number;
  /**
   * Grows each time another path is opened, so that what belongs to one path (scroll place) starts anew. Taking the
   * same path again after a lost event leaves it.
   */
  readonly opened: number;
  /** Why the chosen session could not be opened; null = it could, or is still being opened. */
  readonly problem: AppError | null;

  viewOpened(view: SessionView): void;
  viewClosed(): void;
  viewFailed(problem: AppError): void;
  messagesRead(branchId: BranchId, messages: readonly Message[]): void;
  rangeRead(page: number): void;
  messageAdded(message: Message): void;
  /** `branchId` = the path that it was read on. */
  messageChanged(branchId: BranchId, message: Message): void;
  /** An answer that ended without a word goes again: it is always the last on its path. */
  messageRemoved(id: MessageId): void;
  /** Answers false where the piece does not join what is here: the message must be read again. */
  textArrived(id: MessageId, at: number, text: string): boolean;
  toolAsked(question: ToolQuestion | null): void;
  toolSaid(callId: string, line: string): void;
  turnChanged(turn: Turn): void;
  attemptChanged(attempt: Attempt | null): void;
  summariesChanged(branchId: BranchId, summaries: readonly Summary[]): void;
  proposalChanged(branchId: BranchId, proposal: Proposal | null): void;
  pinsChanged(branchId: BranchId, pins: readonly Pin[]): void;
  draftFilesChanged(draftFiles: DraftFiles): void;
  stubsChanged(branchId: BranchId, stubs: readonly ShownStub[]): void;
  outboxChanged(outbox: readonly OutboxItem[]): void;
  noticesChanged(notices: readonly Notice[]): void;
  contextChanged(branchId: BranchId, context: ContextUse | null): void;
  ruleChanged(rule: Pick<SessionView, 'automatic' | 'review' | 'keepTurns'>): void;
}

const closed = {
  sessionId: null,
  branchId: null,
  lastSeq: 0,
  window: {},
  growing: {},
  summaries: [],
  proposal: null,
  pins: [],
  stubs: [],
  turn: null,
  toolLine: null,
  toolQuestion: null,
  attempt: null,
  outbox: [],
  draft: '',
  draftFiles: { files: [], reading: [] },
  notices: [],
  context: null,
  automatic: 'on',
  review: false,
  keepTurns: 2,
  problem: null,
} as const;

function grown(messages: readonly Message[]): Record<MessageId, number> {
  const growing: Record<MessageId, number> = {};
  for (const message of messages) if (message.status === 'streaming') growing[message.id] = message.seq;
  return growing;
}

/** The open session of this window. Only pages near what is read are held, so a long one costs what a short one does. */
export const sessionStore = createStore<SessionState>()((set, get) => ({
  ...closed,
  opened: 0,

  viewOpened: (view) =>
    set((state) => ({
      sessionId: view.session.id,
      branchId: view.branchId,
      lastSeq: view.lastSeq,
      window: withMessages({}, view.messages),
      growing: grown(view.messages),
      summaries: view.summaries,
      proposal: view.proposal,
      pins: view.pins,
      stubs: view.stubs,
      turn: view.turn,
      toolLine: null,
      toolQuestion: view.toolQuestion,
      attempt: view.attempt,
      outbox: view.outbox,
      draft: view.draft,
      draftFiles: view.draftFiles,
      notices: view.notices,
      context: view.context,
      automatic: view.automatic,
      review: view.review,
      keepTurns: view.keepTurns,
      problem: null,
      opened: view.session.id === state.sessionId && view.branchId === state.branchId ? state.opened : state.opened + 1,
    })),
  viewClosed: () => set(closed),
  viewFailed: (problem) => set({ ...closed, problem }),

  messagesRead: (branchId, messages) =>
    set((state) => {
      if (branchId !== state.branchId) return state;
      return { window: withMessages(state.window, messages), growing: { ...state.growing, ...grown(messages) } };
    }),
  rangeRead: (page) =>
    set((state) => {
      const window = trimmed(state.window, page, state.lastSeq);
      return window === state.window ? state : { window }; // nobody is told at each step of a scroll
    }),

  messageAdded: (message) =>
    set((state) => {
      if (message.branchId !== state.branchId) return state;
      return {
        lastSeq: Math.max(state.lastSeq, message.seq),
        window: withMessages(state.window, [message]),
        growing: message.status === 'streaming' ? { ...state.growing, [message.id]: message.seq } : state.growing,
        toolLine: message.result?.call.id === state.toolLine?.callId ? null : state.toolLine,
      };
    }),
  messageChanged: (branchId, changed) =>
    set((state) => {
      const known = messageAt(state.window, changed.seq);
      if (known?.id !== changed.id) return state;
      // paths that share a question do not share what was recalled for it
      const message = branchId === state.branchId ? changed : { ...changed, recalled: known.recalled };
      const growing = { ...state.growing };
      if (message.status === 'streaming') growing[message.id] = message.seq;
      else delete growing[message.id];
      return { window: withMessages(state.window, [message]), growing };
    }),
  messageRemoved: (id) =>
    set((state) => {
      if (messageAt(state.window, state.lastSeq)?.id !== id) return state;
      const growing = { ...state.growing };
      delete growing[id];
      return { lastSeq: state.lastSeq - 1, window: without(state.window, state.lastSeq), growing };
    }),
  textArrived: (id, at, text) => {
    const { growing, window } = get();
    const seq = growing[id];
    const message = seq === undefined ? undefined : messageAt(window, seq);
    if (!message || message.id !== id) return true;
    const known = message.text.length;
    if (at > known) return false;
    const piece = text.slice(known - at);
    if (piece !== '') set({ window: withMessages(window, [{ ...message, text: message.text + piece }]) });
    return true;
  },

  toolAsked: (toolQuestion) => set({ toolQuestion }),
  toolSaid: (callId, line) => set({ toolLine: { callId, line } }),
  turnChanged: (turn) => set({ turn }),
  attemptChanged: (attempt) => set({ attempt }),
  summariesChanged: (branchId, summaries) => set((state) => (branchId === state.branchId ? { summaries } : state)),
  stubsChanged: (branchId, stubs) => set((state) => (branchId === state.branchId ? { stubs } : state)),
  pinsChanged: (branchId, pins) => set((state) => (branchId === state.branchId ? { pins } : state)),
  proposalChanged: (branchId, proposal) => set((state) => (branchId === state.branchId ? { proposal } : state)),
  draftFilesChanged: (draftFiles) => set({ draftFiles }),
  outboxChanged: (outbox) => set({ outbox }),
  noticesChanged: (notices) => set({ notices }),
  contextChanged: (branchId, context) => set((state) => (branchId === state.branchId ? { context } : state)),
  ruleChanged: ({ automatic, review, keepTurns }) => set({ automatic, review, keepTurns }),
}));

/** Selectors answer a primitive or a stored reference, never a new object. */
export function useSession<T>(selector: (state: SessionState) => T): T {
  return useStore(sessionStore, selector);
}

/** One message of the open path; undefined = its page is not here (yet). */
export function useMessage(seq: number): Message | undefined {
  return useStore(sessionStore, (state) => messageAt(state.window, seq));
}

/** True while the session has an open turn: what is sent now waits in the outbox. */
export function isBusy(state: SessionState): boolean {
  switch (state.turn?.state) {
    case undefined:
    case 'completed':
    case 'stopped':
    case 'interrupted':
    case 'exhausted':
    case 'failed':
      return false;
    case 'queued':
    case 'preparing':
    case 'compressing':
    case 'requesting':
    case 'streaming':
    case 'tools':
    case 'deferred':
      return true;
  }
}
