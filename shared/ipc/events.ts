import type { Attempt, Proposal, ShownStub, Summary } from '../model/compression';
import type { ContextUse } from '../model/context';
import type { CatalogueRow } from '../model/download';
import type { BranchId, MessageId, ModelRef, SessionId } from '../model/ids';
import type { Message, OutboxItem } from '../model/message';
import type { Notice } from '../model/notice';
import type { Pin } from '../model/pin';
import type { Provider } from '../model/provider';
import type { DraftFiles, SessionRow } from '../model/session';
import type { Settings } from '../model/settings';
import type { ToolQuestion, ToolsView } from '../model/tools';
import type { Turn } from '../model/turn';
import type { ShortcutRefusal } from './contract';

/** Facts that main reports. A call asks, an event reports: no event steers. */
export type AppEvent =
  | { readonly type: 'session.changed'; readonly session: SessionRow }
  | { readonly type: 'session.removed'; readonly sessionId: SessionId }
  | {
      readonly type: 'session.settings';
      readonly sessionId: SessionId;
      readonly automatic: 'on' | 'off' | 'breaker';
      readonly review: boolean;
      readonly keepTurns: number;
    }
  | { readonly type: 'message.added'; readonly sessionId: SessionId; readonly message: Message }
  /** `branchId` = the path that it was read on: what was recalled for it is that path's. */
  | {
      readonly type: 'message.changed';
      readonly sessionId: SessionId;
      readonly branchId: BranchId;
      readonly message: Message;
    }
  /** An answer that ended before it had any text. */
  | { readonly type: 'message.removed'; readonly sessionId: SessionId; readonly messageId: MessageId }
  /** `at` = length of the text before this piece, so that a repeat or a gap is seen. */
  | {
      readonly type: 'message.delta';
      readonly sessionId: SessionId;
      readonly messageId: MessageId;
      readonly at: number;
      readonly text: string;
    }
  /** A line from a tool that runs; its result ends it. */
  | { readonly type: 'tool.progress'; readonly sessionId: SessionId; readonly callId: string; readonly line: string }
  /** A call waits for the user's word; null = none does. */
  | { readonly type: 'tool.asks'; readonly sessionId: SessionId; readonly question: ToolQuestion | null }
  | { readonly type: 'turn.changed'; readonly sessionId: SessionId; readonly turn: Turn }
  | { readonly type: 'attempt.changed'; readonly sessionId: SessionId; readonly attempt: Attempt | null }
  | {
      readonly type: 'summaries.changed';
      readonly sessionId: SessionId;
      readonly branchId: BranchId;
      readonly summaries: readonly Summary[];
    }
  | {
      readonly type: 'stubs.changed';
      readonly sessionId: SessionId;
      readonly branchId: BranchId;
      readonly stubs: readonly ShownStub[];
    }
  | {
      readonly type: 'pins.changed';
      readonly sessionId: SessionId;
      readonly branchId: BranchId;
      readonly pins: readonly Pin[];
    }
  | {
      readonly type: 'proposal.changed';
      readonly sessionId: SessionId;
      readonly branchId: BranchId;
      readonly proposal: Proposal | null;
    }
  | { readonly type: 'draft.files'; readonly sessionId: SessionId; readonly draftFiles: DraftFiles }
  | { readonly type: 'outbox.changed'; readonly sessionId: SessionId; readonly outbox: readonly OutboxItem[] }
  | { readonly type: 'notices.changed'; readonly sessionId: SessionId; readonly notices: readonly Notice[] }
  | {
      readonly type: 'context.changed';
      readonly sessionId: SessionId;
      readonly branchId: BranchId;
      readonly context: ContextUse | null;
    }
  | {
      readonly type: 'providers.changed';
      readonly providers: readonly Provider[];
      readonly defaultModel: ModelRef | null;
    }
  | { readonly type: 'catalogue.changed'; readonly catalogue: readonly CatalogueRow[] }
  | { readonly type: 'tools.changed'; readonly tools: ToolsView }
  | { readonly type: 'settings.changed'; readonly settings: Settings }
  | { readonly type: 'theme.changed'; readonly dark: boolean }
  | { readonly type: 'shortcut.changed'; readonly refusal: ShortcutRefusal | null }
  /** Main asks the app window to show this session (tray, notification, quick chat, second start). */
  | { readonly type: 'show.session'; readonly sessionId: SessionId }
  | { readonly type: 'show.page'; readonly page: 'chat' | 'settings' | 'first-run' | 'quick-chat-settings' }
  /** The quick chat was summoned: put the caret into its field. */
  | { readonly type: 'quickChat.summoned' };

/** An event with its number: each app window counts its own, up by one; a gap means taking the snapshot again. */
export type Numbered = AppEvent & { readonly revision: number };
