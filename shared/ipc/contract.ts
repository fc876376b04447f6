import { z } from 'zod';
import type { ErrorCode } from '../errors';
import { oneLine } from '../hidden-characters';
import { ATTACHMENTS_MAX, attachmentHash, type Preview, type RefusedFile } from '../model/attachment';
import {
  type EarlierSummary,
  type RangePreview,
  type RecoverPreview,
  type RollBackPreview,
  strategies,
} from '../model/compression';
import type { ContextUse } from '../model/context';
import { type CatalogueRow, catalogueId } from '../model/download';
import type { BranchId, ModelRef, PinId, SessionId, SummaryId } from '../model/ids';
import {
  attemptId,
  branchId,
  messageId,
  modelRef,
  pinId,
  providerId,
  sessionId,
  summaryId,
  toolServerId,
} from '../model/ids';
import type { Message } from '../model/message';
import type { Provider } from '../model/provider';
import type { AttemptRecord, SearchHit, SessionRow, SessionView } from '../model/session';
import { type Settings, settingsPatch } from '../model/settings';
import type { Spend } from '../model/spend';
import { enteredTransport, type ToolsView, toolAnswers } from '../model/tools';

/** Longest text of one message, in UTF-16 units. */
export const MESSAGE_MAX = 1_000_000;

const text = z.string().max(MESSAGE_MAX);
const session = z.object({ sessionId });
/** It stands in dialogs of the system, whose words it must not push away or turn round. */
const toolServerName = z.string().max(1_000).transform(oneLine).pipe(z.string().min(1).max(60));
const none = z.object({}).strict();
/** First and last message of a range on the path. */
const range = z.object({ from: z.int().min(1), to: z.int().min(1) });

/** Phantom carrier of a route's output type. */
interface Route<I extends z.ZodType, O> {
  readonly input: I;
  readonly output?: O;
}
const route =
  <O>() =>
  <I extends z.ZodType>(input: I): Route<I, O> => ({ input });

/**
 * The one table of everything the renderer may ask of main: handler map, renderer calls and error types derive
 * from it, so that a missing or an extra handler does not compile. No route takes a path as text: files come from
 * drops (their paths are filled in by the preload) or from dialogs that main opens.
 */
export const contract = {
  /** State of the whole app and the revision from which events continue it. */
  'app.snapshot': route<AppSnapshot>()(none),
  'app.openLink': route<void>()(z.object({ url: z.url({ protocol: /^(https?|mailto)$/ }) })),
  'app.copy': route<void>()(z.object({ text: z.string() })),

  'sessions.list': route<SessionPage>()(
    z.object({ before: z.number().nullable(), limit: z.int().min(1).max(200), bin: z.boolean() }),
  ),
  /** A new chat with the summaries of an old path and its unanswered question, in its draft. */
  'sessions.carryOn': route<SessionView>()(session.extend({ branchId })),
  'sessions.create': route<SessionView>()(z.object({ model: modelRef.nullable() })),
  /** Opens a session in the asking app window: its deltas go there from now on. */
  'sessions.open': route<SessionView>()(session.extend({ branchId: branchId.nullable() })),
  'sessions.page': route<readonly Message[]>()(z.object({ branchId, from: z.int().min(1), to: z.int().min(1) })),
  'sessions.rename': route<void>()(session.extend({ title: z.string().max(500) })),
  'sessions.pin': route<void>()(session.extend({ pinned: z.boolean() })),
  'sessions.bin': route<void>()(session),
  'sessions.restore': route<void>()(session),
  'sessions.emptyBin': route<void>()(none),
  'sessions.search': route<readonly SearchHit[]>()(
    z.object({ query: z.string().max(1_000), sessionId: sessionId.nullable(), limit: z.int().min(1).max(100) }),
  ),
  /** Reads dropped text or Markdown conversations; without files main opens a dialog. Answers the new sessions. */
  'sessions.import': route<readonly SessionId[]>()(z.object({ files: z.int().min(0).max(50) })),
  /** Writes one session as Markdown to a place chosen in a dialog. False = the dialog was closed. */
  'sessions.export': route<boolean>()(session),
  'sessions.saveDraft': route<void>()(session.extend({ draft: text })),
  /** An empty chat is taken for a new one: it has the model that a new one takes, unless something was begun in it. */
  'sessions.renew': route<void>()(session),
  'sessions.chooseModel': route<void>()(session.extend({ model: modelRef })),
  'sessions.setAutomatic': route<void>()(session.extend({ automatic: z.enum(['on', 'off']) })),
  'sessions.setKeepTurns': route<void>()(session.extend({ turns: z.int().min(0).max(99) })),
  /** On: a summary waits for the user's word before it is used. */
  'sessions.setReview': route<void>()(session.extend({ review: z.boolean() })),
  'sessions.context': route<ContextUse | null>()(session.extend({ branchId })),
  /** What the session's requests took so far, all paths together. */
  'sessions.spend': route<Spend>()(session),

  /**
   * Sends, or waits in the outbox while the session is busy. The id is the composer's: repeating it is a no-op.
   * `attachments` = files of the session's draft that go with it.
   */
  'messages.send': route<'sent' | 'waiting'>()(
    session
      .extend({ branchId, id: messageId, text, attachments: z.array(attachmentHash).max(ATTACHMENTS_MAX).default([]) })
      .refine((message) => message.text !== '' || message.attachments.length > 0),
  ),
  /** Starts a branch that holds the edited text in the place of that user message, and answers it. */
  'messages.edit': route<BranchId>()(
    session.extend({ branchId, seq: z.int().min(1), id: messageId, text: text.min(1) }),
  ),
  /** Answers the turn of that answer once more, on a branch of its own. */
  'messages.answerAgain': route<BranchId>()(session.extend({ branchId, seq: z.int().min(1) })),

  /** Pins a message or a place in its text; answers the pin that holds it. */
  'pins.add': route<PinId>()(
    session.extend({
      messageId,
      excerpt: z
        .object({ from: z.int().min(0), to: z.int().min(1) })
        .refine(({ from, to }) => from < to)
        .nullable(),
    }),
  ),
  'pins.remove': route<void>()(session.extend({ pinId })),

  /** Attaches dropped files to the draft; without files main opens a dialog. Answers those that could not be, with the reason. */
  'attachments.add': route<readonly RefusedFile[]>()(session.extend({ files: z.int().min(0).max(50) })),
  /** Attaches a text that is too long for the field. */
  'attachments.paste': route<void>()(session.extend({ name: z.string().min(1).max(200), text: text.min(1) })),
  /** Attaches a picture out of the clipboard. */
  'attachments.pasteImage': route<void>()(
    session.extend({ name: z.string().min(1).max(200), bytes: z.instanceof(Uint8Array) }),
  ),
  'attachments.remove': route<void>()(session.extend({ hash: attachmentHash })),
  'attachments.preview': route<Preview>()(z.object({ hash: attachmentHash })),

  /** The whole text of a tool's result that the model got shortened. */
  'messages.fullResult': route<string>()(session.extend({ id: messageId })),

  'outbox.edit': route<void>()(session.extend({ id: messageId, text: text.min(1) })),
  'outbox.remove': route<void>()(session.extend({ id: messageId })),
  'outbox.move': route<void>()(session.extend({ id: messageId, before: messageId.nullable() })),

  'turns.stop': route<void>()(session),
  /** Goes on with a partial answer. */
  'turns.continue': route<void>()(session.extend({ branchId })),
  /** The way on where an answer is still due: from a turn that waits for a click, or that ended without its answer. */
  'turns.sendAgain': route<void>()(session.extend({ branchId })),
  /** Sends a deferred message without compressing, if it fits. */
  'turns.sendNow': route<void>()(session),

  'compression.start': route<void>()(
    session.extend({
      branchId,
      strategies: z.array(z.enum(strategies)).min(1).max(strategies.length),
      range: range.nullable().default(null),
    }),
  ),
  /** What that attempt was asked for by hand, once more. */
  'compression.again': route<void>()(session.extend({ attemptId })),
  /** The same where another window holds it: once that one is gone, or gives no sign of life. */
  'compression.recover': route<void>()(session.extend({ attemptId })),
  'compression.previewRecover': route<RecoverPreview>()(session),
  /** Stops watching the other window, or takes away what came of it. */
  'compression.stopRecovering': route<void>()(session),
  /** What compressing a range would cover and gain; nothing is changed. */
  'compression.previewRange': route<RangePreview>()(session.extend({ branchId, range })),
  'compression.cancel': route<void>()(session.extend({ attemptId })),
  'compression.skipModel': route<void>()(session.extend({ attemptId })),
  'compression.undo': route<void>()(session.extend({ summaryId })),
  'compression.redo': route<void>()(session.extend({ summaryIds: z.array(summaryId).min(1).max(1_000) })),
  /** Undoes every summary of the path that is newer than this one. Answers those it undid, newest first. */
  'compression.rollBack': route<readonly SummaryId[]>()(session.extend({ branchId, summaryId })),
  /** What an undo, or a roll back to that summary, would make of the next request. */
  'compression.previewUndo': route<RollBackPreview>()(
    session.extend({ branchId, summaryId, how: z.enum(['undo', 'roll-back']) }),
  ),
  /** A new text for what a summary says: a newer summary of the same messages. Answers it. */
  'compression.edit': route<SummaryId>()(session.extend({ branchId, summaryId, text })),
  /** Uses the summary that waits for a review. Answers when it is used. */
  'compression.accept': route<void>()(session.extend({ summaryId })),
  'compression.reject': route<void>()(session.extend({ summaryId })),
  /** Another text for the summary that waits: a new one in its place. Answers it. */
  'compression.editProposal': route<SummaryId>()(session.extend({ summaryId, text })),
  /** Every summary of the path, newest first. */
  'compression.summaries': route<readonly EarlierSummary[]>()(session.extend({ branchId })),
  'compression.clearBackoff': route<void>()(session),
  'compression.attempts': route<readonly AttemptRecord[]>()(session),

  'notices.dismiss': route<void>()(z.object({ id: z.int() })),

  'providers.add': route<Provider>()(
    z.object({
      kind: z.enum(['ollama', 'openai']),
      name: z.string().max(200),
      address: z.url({ protocol: /^https?$/ }),
      key: z.string().max(2_000).nullable(),
    }),
  ),
  /** What is not named stays. `key`: an empty text takes it away. `askWindow`: null = the default. */
  'providers.change': route<Provider>()(
    z.object({
      providerId,
      address: z.url({ protocol: /^https?$/ }).optional(),
      key: z.string().max(2_000).optional(),
      askWindow: z.int().min(256).max(10_000_000).nullable().optional(),
    }),
  ),
  'providers.remove': route<void>()(z.object({ providerId })),
  /** Asks one provider, or all, now. */
  'providers.test': route<void>()(z.object({ providerId: providerId.nullable() })),
  /** Adds dropped GGUF files; without files main opens a dialog. */
  'models.add': route<number>()(z.object({ files: z.int().min(0).max(50) })),
  /** Takes a GGUF file off the list, and deletes it where the app downloaded it. */
  'models.remove': route<void>()(modelRef),
  /** Begins, resumes or tries again; how it goes is told by `catalogue.changed`. */
  'models.download': route<void>()(z.object({ id: catalogueId })),
  /** Stops a download; what has arrived stays. */
  'models.pauseDownload': route<void>()(z.object({ id: catalogueId })),
  /** Stops a download and deletes what has arrived. */
  'models.cancelDownload': route<void>()(z.object({ id: catalogueId })),
  /** The window asked for with this model alone; null = its provider's. */
  'models.setWindow': route<void>()(modelRef.extend({ tokens: z.int().min(256).max(10_000_000).nullable() })),
  'models.load': route<void>()(modelRef),
  'models.unload': route<void>()(modelRef),

  /** The settings show tools: servers that are on are started. */
  'tools.show': route<void>()(none),
  /** Names of granted folders that are not there now. */
  'tools.goneFolders': route<readonly string[]>()(none),
  /** Answers false where the user did not confirm it in a dialog of the system. */
  'tools.addServer': route<boolean>()(z.object({ name: toolServerName, transport: enteredTransport })),
  'tools.changeServer': route<boolean>()(
    z.object({ serverId: toolServerId, name: toolServerName, transport: enteredTransport }),
  ),
  'tools.switchServer': route<void>()(z.object({ serverId: toolServerId, on: z.boolean() })),
  'tools.restartServer': route<void>()(z.object({ serverId: toolServerId })),
  'tools.removeServer': route<void>()(z.object({ serverId: toolServerId })),
  /** Calls of that tool are asked about again, in every chat. */
  'tools.revoke': route<void>()(z.object({ serverId: toolServerId, tool: z.string().max(500) })),
  /** Main opens a dialog for a folder that models may read. False = the dialog was closed. */
  'tools.addFolder': route<boolean>()(none),
  'tools.removeFolder': route<void>()(z.object({ name: z.string().max(500) })),
  /** The user's word on a call that waits. False = "always" was not confirmed, and it waits on. */
  'tools.answer': route<boolean>()(session.extend({ callId: z.string().max(200), answer: z.enum(toolAnswers) })),

  'settings.change': route<Settings>()(settingsPatch),
  /** Registers the global shortcut of quick chat; null takes it away. */
  'quickChat.setShortcut': route<void>()(z.object({ shortcut: z.string().max(100).nullable() })),
  /** Answers true once the shortcut was pressed, false when 10 s passed without it. */
  'quickChat.checkShortcut': route<boolean>()(none),
  'quickChat.show': route<void>()(none),
  'quickChat.hide': route<void>()(none),
  'quickChat.pin': route<void>()(z.object({ pinned: z.boolean() })),
  'quickChat.moveToMain': route<void>()(session),
  /** Height the quick chat wants, in CSS pixels. */
  'quickChat.resize': route<void>()(z.object({ height: z.int().min(120).max(2_000) })),
  'window.act': route<void>()(z.object({ act: z.enum(['minimize', 'maximize', 'close']) })),
} as const;

export interface AppSnapshot {
  readonly revision: number;
  readonly platform: 'darwin' | 'win32' | 'linux';
  readonly version: string;
  readonly dark: boolean;
  readonly settings: Settings;
  readonly providers: readonly Provider[];
  /** The model that answers where a chat has none of its own; null = there is none. */
  readonly defaultModel: ModelRef | null;
  readonly tools: ToolsView;
  /** Models that can be downloaded, with what is here of each. */
  readonly catalogue: readonly CatalogueRow[];
  /** Memory of this computer, in bytes. */
  readonly memoryBytes: number;
  readonly sessions: SessionPage;
  readonly trayAvailable: boolean;
  /** Why global shortcuts may not work here, null = they do. */
  readonly shortcutDoubt: 'wayland' | null;
  readonly shortcutRefusal: ShortcutRefusal | null;
}
/** Why the chosen shortcut could not be had when the app started; null once one was set, or none was wanted. */
export type ShortcutRefusal = Extract<ErrorCode, 'shortcut-taken' | 'shortcut-invalid'>;
export interface SessionPage {
  readonly rows: readonly SessionRow[];
  /** Pass as `before` to go on; null = that was all. */
  readonly next: number | null;
}

export type RouteName = keyof typeof contract;
export type Input<R extends RouteName> = z.input<(typeof contract)[R]['input']>;
export type Parsed<R extends RouteName> = z.output<(typeof contract)[R]['input']>;
export type Output<R extends RouteName> = (typeof contract)[R] extends Route<z.ZodType, infer O> ? O : never;
