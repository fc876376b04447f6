import { createHash } from 'node:crypto';
import { AppError } from '../../../shared/errors';
import type { AttachmentHash } from '../../../shared/model/attachment';
import type { Strategy } from '../../../shared/model/compression';
import type { BranchId, MessageId, SessionId } from '../../../shared/model/ids';
import { putAttachment } from '../../db/attachments-table';
import { lastSeq, messagesBefore } from '../../db/messages-table';
import { outboxOf, removeFromOutbox } from '../../db/outbox-table';
import { pinsOnPath } from '../../db/pins-table';
import { changeSession, getSession } from '../../db/sessions-table';
import { countChars } from '../../lib/char-counts';
import { attachedText, filesOf } from '../../sessions/attached-text';
import { answerAgain, editMessage } from '../../sessions/branches';
import { addToDraft, withFiles } from '../../sessions/draft-files';
import { addPin, unpin } from '../../sessions/pins';
import type { Verb } from './action';
import type { Process } from './process';

export interface Accepted {
  readonly session: SessionId;
  /** As it is stored, with its files. */
  readonly text: string;
  /** As it waits. */
  readonly typed: string;
  /** Taken out of the outbox by the user. */
  removed: boolean;
}

interface VerbWorld {
  /** Every message that was accepted, by id. */
  readonly accepted: Map<MessageId, Accepted>;
  /** Every file that was attached, by hash. */
  readonly attached: Map<AttachmentHash, { removed: boolean }>;
  /** The product threw what is no answer. */
  fault(error: unknown): void;
  mint(): MessageId;
}

const STRATEGIES: Record<'all' | 'summarize' | 'extract', Strategy[]> = {
  all: ['prune', 'summarize', 'extract'],
  summarize: ['summarize'],
  extract: ['extract'],
};

/** What a user can ask for. A refusal with a code is an answer. */
export function ask(
  world: VerbWorld,
  process: Process,
  session: { readonly sessionId: SessionId; readonly branchId: BranchId },
  verb: Verb,
): void {
  const { engine } = process;
  const { sessionId } = session;
  const branchId = getSession(engine.db, sessionId)?.lastBranch ?? session.branchId;
  const here = { sessionId, branchId };
  const attempt = async (fn: () => unknown) => {
    try {
      await fn();
    } catch (error) {
      if (!(error instanceof AppError) && !process.seam.dead) world.fault(error);
    }
  };
  const accept = (id: MessageId, text: string, typed = text) =>
    world.accepted.set(id, { session: sessionId, text, typed, removed: false });
  switch (verb.do) {
    case 'send': {
      const id = world.mint();
      const text = said(id, verb.words);
      const files = getSession(engine.db, sessionId)?.draftFiles ?? [];
      const { text: whole } = withFiles(engine.db, text, files);
      return void attempt(async () => {
        await engine.turns.send({ ...here, id, text, attachments: files.map(({ hash }) => hash) });
        accept(id, whole, text);
      });
    }
    case 'attach': {
      const text = `${world.mint()} words of a file`;
      const hash = createHash('sha256').update(text).digest('hex') as AttachmentHash;
      const file = { hash, name: 'file.txt', kind: 'text', bytes: text.length, chars: countChars(text) } as const;
      return void attempt(async () => {
        await engine.seam.write(sessionId, (tx) => {
          putAttachment(tx, { ...file, media: 'text/plain', text, now: engine.clock.wall() });
          addToDraft(tx, sessionId, file);
        });
        world.attached.set(hash, { removed: false });
      });
    }
    case 'compress': {
      const { how } = verb;
      return void attempt(() =>
        how === 'ahead' ? engine.compress(here, 'ahead') : engine.compress(here, 'manual', STRATEGIES[how]),
      );
    }
    case 'compress-range': {
      const from = Math.max(1, lastSeq(engine.db, branchId) - verb.back);
      const range = { from, to: from + verb.many - 1 };
      return void attempt(() => engine.compress(here, 'manual', STRATEGIES.all, range));
    }
    case 'edit':
    case 'answer-again': {
      const seq = Math.max(1, lastSeq(engine.db, branchId) - 1 - 2 * verb.back);
      const env = engine;
      const id = world.mint();
      const text = `${id} edited`;
      return void attempt(async () => {
        if (verb.do === 'answer-again') return answerAgain(env, { ...here, seq: seq + 1 });
        const [old] = messagesBefore(engine.db, branchId, seq + 1, 1);
        const attached = old?.seq === seq ? old.parts?.attached : undefined;
        await editMessage(env, { ...here, seq, id, text });
        accept(id, old && attached ? attachedText(text, filesOf(old.text, attached)).text : text);
      });
    }
    case 'drop-waiting': {
      const waiting = outboxOf(engine.db, sessionId).at(-1);
      if (!waiting) return;
      return void attempt(async () => {
        const gone = await engine.seam
          .write(sessionId, (tx) => removeFromOutbox(tx, sessionId, waiting.id))
          .catch((error: unknown) => {
            if (process.seam.dead) return true; // it may have been stored: nobody heard
            throw error;
          });
        const known = world.accepted.get(waiting.id);
        if (gone && known) known.removed = true;
        for (const { hash } of gone ? waiting.files : []) {
          const file = world.attached.get(hash);
          if (file) file.removed = true;
        }
      });
    }
    case 'undo': {
      const shown = engine.shown(branchId).at(-1);
      return shown && void attempt(() => engine.summaries.undo(sessionId, shown.id));
    }
    case 'redo': {
      const last = engine.summaries.list(branchId).find((one) => one.place === 'undone');
      return last && void attempt(() => engine.summaries.redo(sessionId, [last.id]));
    }
    case 'edit-summary': {
      const shown = engine.shown(branchId).at(-1);
      const text = `- edited after ${shown?.id}`;
      return shown && void attempt(() => engine.summaries.edit({ ...here, summaryId: shown.id, text }));
    }
    case 'roll-back': {
      const earlier = engine.summaries.list(branchId).find((one) => one.place === 'contained');
      return earlier && void attempt(() => engine.summaries.rollBack({ ...here, summaryId: earlier.id }));
    }
    case 'pin': {
      const [message] = messagesBefore(engine.db, branchId, lastSeq(engine.db, branchId) + 1 - verb.back, 1);
      if (!message) return;
      const excerpt = verb.whole ? null : { from: 0, to: Math.ceil(message.text.length / 3) };
      return void attempt(() => addPin(engine.pins, { sessionId, messageId: message.id, excerpt }));
    }
    case 'unpin': {
      const pin = pinsOnPath(engine.db, branchId)[0];
      return pin && void attempt(() => unpin(engine.pins, sessionId, pin.id));
    }
    case 'review':
      return void attempt(() =>
        engine.seam.write(sessionId, (tx) => changeSession(tx, sessionId, { review: verb.on })),
      );
    case 'accept':
    case 'reject':
    case 'edit-proposal': {
      const waiting = engine.proposal(sessionId);
      if (!waiting) return;
      if (verb.do === 'accept') return void attempt(() => engine.review.accept(sessionId, waiting.id));
      if (verb.do === 'reject') return void attempt(() => engine.review.reject(sessionId, waiting.id));
      return void attempt(() => engine.review.edit(sessionId, waiting.id, `- said of ${waiting.id}`));
    }
    case 'cancel':
      return void attempt(() => engine.coordinator.cancel(sessionId, null, 'user'));
    case 'skip-model': {
      const running = engine.coordinator.running(sessionId);
      return void attempt(() => running && engine.coordinator.skipModel(sessionId, running.spec.id));
    }
    case 'stop':
      return void attempt(() => engine.turns.stop(sessionId));
    case 'send-now':
      return void attempt(() => engine.turns.sendNow(sessionId));
    case 'send-again':
      return void attempt(() => engine.turns.sendAgain(sessionId, branchId));
    case 'continue':
      return void attempt(() => engine.turns.continueAnswer(sessionId, branchId));
  }
}

const PASTES = 900;

/** What a user sends: words, and where they are many a part of them in a pasted block, which may be pruned later. */
function said(id: MessageId, words: number): string {
  if (words < PASTES) return `${id} ${'words '.repeat(words)}`;
  return `${id} words before\n\`\`\`\n${'words '.repeat(words)}\n\`\`\`\nand after`;
}
