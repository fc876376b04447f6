/** The routes of the core, each one line: what it does is the named service's. */
import { AppError } from '../../shared/errors';
import type { AppSnapshot } from '../../shared/ipc/contract';
import type { ModelRef, SessionId } from '../../shared/model/ids';
import type { CoreHandlers, Shell } from '../app/core';
import type { ToolsParts } from '../compose-tools';
import type { Recover } from '../compression/recover';
import type { Review } from '../compression/review';
import type { Compression } from '../compression/service';
import type { Summaries } from '../compression/summaries';
import type { WriteTx } from '../db/database';
import { editOutboxItem, moveInOutbox, removeFromOutbox } from '../db/outbox-table';
import type { DataThread } from '../db/thread/client';
import type { WriteSeam } from '../db/write-seam';
import type { Downloads } from '../providers/downloads';
import type { Registry } from '../providers/registry';
import { removeModel } from '../providers/remove-model';
import type { Attachments } from '../sessions/attachments';
import { answerAgain, editMessage } from '../sessions/branches';
import { carryOn } from '../sessions/carry-on';
import { dismiss } from '../sessions/dismiss';
import { exportSession } from '../sessions/export';
import { type ImportEnv, importFile } from '../sessions/import';
import { addPin, type PinsEnv, unpin } from '../sessions/pins';
import type { Publisher } from '../sessions/publisher';
import type { Sessions } from '../sessions/service';
import type { SettingsStore } from '../settings/settings';
import type { TurnRunner } from '../turns/runner';
import { toolHandlers } from './tool-handlers';

export interface CoreParts {
  readonly seam: WriteSeam;
  readonly data: DataThread;
  readonly shell: Shell;
  readonly settings: SettingsStore;
  readonly sessions: Sessions;
  readonly publisher: Publisher;
  readonly turns: TurnRunner;
  readonly compression: Compression;
  readonly summaries: Summaries;
  readonly review: Review;
  readonly recover: Recover;
  readonly registry: Registry;
  readonly downloads: Downloads;
  /** Memory of this computer, in bytes. */
  readonly memoryBytes: number;
  readonly imports: ImportEnv;
  readonly attachments: Attachments;
  readonly pins: PinsEnv;
  readonly tools: ToolsParts;
  readonly branches: Parameters<typeof editMessage>[0];
}

export function coreHandlers(parts: CoreParts): CoreHandlers {
  const { seam, data, shell, settings, sessions, publisher, turns, compression, summaries, review, registry } = parts;
  const { recover, downloads, memoryBytes } = parts;
  /** A change of one waiting message; another window may have sent it meanwhile. */
  const outbox = async (sessionId: SessionId, change: (tx: WriteTx) => boolean) => {
    const done = await seam.write(sessionId, change);
    publisher.outbox(sessionId);
    if (!done) throw new AppError('already-ended');
  };
  /** What waits may fit by now. */
  const windowMoved = (of: (model: ModelRef) => boolean) => {
    for (const { spec } of turns.all()) {
      const { model } = sessions.get(spec.sessionId);
      if (model && of(model)) turns.wake(spec.sessionId, true);
    }
  };
  return {
    'app.snapshot': (): AppSnapshot => ({
      ...shell.facts(),
      revision: 0, // the feed puts the asking window's own in
      settings: settings.current,
      providers: registry.list(),
      defaultModel: registry.defaultModel(),
      tools: parts.tools.view(),
      catalogue: downloads.rows(),
      memoryBytes,
      sessions: sessions.snapshotPage(),
    }),

    'sessions.list': (page) => sessions.list(page),
    'sessions.create': ({ model }) => sessions.create(model),
    'sessions.carryOn': (at) => carryOn(parts, at),
    'sessions.open': ({ sessionId, branchId }) => sessions.open(sessionId, branchId),
    'sessions.page': ({ branchId, from, to }) => sessions.page(branchId, from, to),
    'sessions.rename': ({ sessionId, title }) => sessions.rename(sessionId, title),
    'sessions.pin': ({ sessionId, pinned }) => sessions.pin(sessionId, pinned),
    'sessions.bin': ({ sessionId }) => sessions.bin(sessionId),
    'sessions.restore': ({ sessionId }) => sessions.restore(sessionId),
    'sessions.emptyBin': () => sessions.emptyBin(),
    'sessions.search': (search) => data.ask('search', search),
    'sessions.import': async (_input, caller) => {
      const files = caller.files.length > 0 ? caller.files : await shell.pickFiles(caller, 'conversations');
      const made: SessionId[] = [];
      for (const file of files) {
        const id = await importFile(parts.imports, file);
        publisher.session(id);
        made.push(id);
      }
      return made;
    },
    'sessions.export': ({ sessionId }, caller) => exportSession(data, shell, sessions.get(sessionId), caller),
    'sessions.saveDraft': ({ sessionId, draft }) => sessions.saveDraft(sessionId, draft),
    'sessions.renew': ({ sessionId }) => sessions.renew(sessionId),
    'sessions.chooseModel': async ({ sessionId, model }) => {
      await sessions.chooseModel(sessionId, model);
      turns.wake(sessionId, true);
    },
    'sessions.setAutomatic': ({ sessionId, automatic }) => sessions.setAutomatic(sessionId, automatic),
    'sessions.setKeepTurns': ({ sessionId, turns: keep }) => sessions.setKeepTurns(sessionId, keep),
    'sessions.setReview': ({ sessionId, review: on }) => sessions.setReview(sessionId, on),
    'sessions.context': ({ sessionId, branchId }) => {
      requireBranch(sessions, { sessionId, branchId });
      return publisher.contextOf(sessions.get(sessionId), branchId);
    },
    'sessions.spend': (of) => data.ask('spend', of),

    'messages.send': (message) => {
      requireBranch(sessions, message);
      return turns.send(message);
    },
    'messages.edit': (edit) => {
      requireBranch(sessions, edit);
      return editMessage(parts.branches, edit);
    },
    'messages.answerAgain': (again) => {
      requireBranch(sessions, again);
      return answerAgain(parts.branches, again);
    },

    'attachments.add': async ({ sessionId }, caller) => {
      const files = caller.files.length > 0 ? caller.files : await shell.pickFiles(caller, 'attachments');
      return parts.attachments.add(sessionId, files);
    },
    'attachments.paste': ({ sessionId, name, text }) => parts.attachments.paste(sessionId, name, text),
    'attachments.pasteImage': ({ sessionId, name, bytes }) => parts.attachments.pasteImage(sessionId, name, bytes),
    'attachments.remove': ({ sessionId, hash }) => parts.attachments.remove(sessionId, hash),
    'attachments.preview': ({ hash }) => parts.attachments.preview(hash),

    'pins.add': (pin) => addPin(parts.pins, pin),
    'pins.remove': ({ sessionId, pinId }) => unpin(parts.pins, sessionId, pinId),

    'messages.fullResult': ({ sessionId, id }) => sessions.fullResult(sessionId, id),

    'outbox.edit': ({ sessionId, id, text }) => outbox(sessionId, (tx) => editOutboxItem(tx, sessionId, id, text)),
    'outbox.remove': ({ sessionId, id }) => outbox(sessionId, (tx) => removeFromOutbox(tx, sessionId, id)),
    'outbox.move': ({ sessionId, id, before }) => outbox(sessionId, (tx) => moveInOutbox(tx, sessionId, id, before)),

    'turns.stop': ({ sessionId }) => turns.stop(sessionId),
    'turns.continue': (at) => {
      requireBranch(sessions, at);
      return turns.continueAnswer(at.sessionId, at.branchId);
    },
    'turns.sendAgain': (at) => {
      requireBranch(sessions, at);
      return turns.sendAgain(at.sessionId, at.branchId);
    },
    'turns.sendNow': ({ sessionId }) => turns.sendNow(sessionId),

    'compression.start': (start) => {
      requireBranch(sessions, start);
      return compression.start(start);
    },
    'compression.again': ({ sessionId, attemptId }) => compression.start(compression.wishOf(sessionId, attemptId)),
    'compression.recover': ({ sessionId, attemptId }) => recover.begin(compression.wishOf(sessionId, attemptId)),
    'compression.previewRecover': ({ sessionId }) => recover.preview(sessionId),
    'compression.stopRecovering': ({ sessionId }) => recover.cancel(sessionId),
    'compression.previewRange': (at) => {
      requireBranch(sessions, at);
      return compression.previewRange(at);
    },
    'compression.cancel': ({ sessionId, attemptId }) => compression.cancel(sessionId, attemptId),
    'compression.skipModel': ({ sessionId, attemptId }) => compression.skipModel(sessionId, attemptId),
    'compression.undo': ({ sessionId, summaryId }) => summaries.undo(sessionId, summaryId),
    'compression.redo': ({ sessionId, summaryIds }) => summaries.redo(sessionId, summaryIds),
    'compression.rollBack': (at) => {
      requireBranch(sessions, at);
      return summaries.rollBack(at);
    },
    'compression.previewUndo': (at) => {
      requireBranch(sessions, at);
      return summaries.preview(at);
    },
    'compression.edit': (edit) => {
      requireBranch(sessions, edit);
      return summaries.edit(edit);
    },
    'compression.accept': ({ sessionId, summaryId }) => review.accept(sessionId, summaryId),
    'compression.reject': ({ sessionId, summaryId }) => review.reject(sessionId, summaryId),
    'compression.editProposal': ({ sessionId, summaryId, text }) => review.edit(sessionId, summaryId, text),
    'compression.summaries': (at) => {
      requireBranch(sessions, at);
      return summaries.list(at.branchId);
    },
    'compression.clearBackoff': ({ sessionId }) => compression.clearBackoff(sessionId),
    'compression.attempts': ({ sessionId }) => compression.attempts(sessionId),

    'notices.dismiss': ({ id }) => dismiss(seam, publisher, parts.imports.clock, id),

    'providers.add': (provider) => registry.add(provider),
    'providers.change': async ({ providerId, ...patch }) => {
      const changed = await registry.change(providerId, patch);
      windowMoved((ref) => ref.providerId === providerId);
      return changed;
    },
    'providers.remove': ({ providerId }) => registry.remove(providerId),
    'providers.test': ({ providerId }) => registry.test(providerId),
    'models.add': async (_input, caller) => {
      const files = caller.files.length > 0 ? caller.files : await shell.pickFiles(caller, 'models');
      return registry.addFiles(files);
    },
    'models.remove': (ref) => removeModel(parts, ref),
    'models.download': ({ id }) => downloads.begin(id),
    'models.pauseDownload': ({ id }) => downloads.pause(id),
    'models.cancelDownload': ({ id }) => downloads.cancel(id),
    'models.setWindow': async ({ tokens, ...ref }) => {
      await registry.setWindow(ref, tokens);
      windowMoved(({ providerId, model }) => providerId === ref.providerId && model === ref.model);
    },
    'models.load': (ref) => registry.load(ref),
    'models.unload': (ref) => registry.unload(ref),

    ...toolHandlers({ ...parts.tools, shell }),

    'settings.change': (patch) => settings.change(patch),
  };
}

function requireBranch(
  sessions: Sessions,
  at: { sessionId: SessionId; branchId: Parameters<Sessions['ownsBranch']>[1] },
): void {
  if (!sessions.ownsBranch(at.sessionId, at.branchId)) throw new AppError('not-found', { what: 'branch' });
}
