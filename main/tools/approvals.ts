/**
 * Asks the user before a call runs. What was said is in the database before anything runs: the question when it is put,
 * the answer with the grant that it gives, each in one durable transaction.
 */
import { AppError } from '../../shared/errors';
import type { SessionId } from '../../shared/model/ids';
import type { ToolAnswer, ToolQuestion } from '../../shared/model/tools';
import { askAbout, type Decision, decide } from '../db/tool-approvals-table';
import { grantState, putGrant } from '../db/tool-grants-table';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import type { Approval } from './tool';

export interface ApprovalsEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  /** A call of the session waits for the user, or no longer does. */
  changed(sessionId: SessionId): void;
  /** A tool may be called in every chat from now on. */
  granted(): void;
  failed(error: unknown): void;
}

/** What became of a question. `withdrawn` = nobody waits for the call any more; it did not run. */
export type Word = 'allowed' | 'denied' | 'withdrawn';

interface Open {
  readonly sessionId: SessionId;
  readonly approval: Approval;
  readonly question: ToolQuestion;
  settle(word: Word): void;
}

const decisions: Readonly<Record<ToolAnswer, Decision>> = {
  once: 'once',
  session: 'session',
  always: 'always',
  deny: 'denied',
};

export class Approvals {
  readonly #env: ApprovalsEnv;
  /** By the ids of their calls. */
  readonly #open = new Map<string, Open>();

  constructor(env: ApprovalsEnv) {
    this.#env = env;
  }

  /** The call of the session that waits for the user here; calls run one after another. */
  questionOf(sessionId: SessionId): ToolQuestion | null {
    return [...this.#open.values()].find((one) => one.sessionId === sessionId)?.question ?? null;
  }

  /** Resolves at once where a grant holds, else when the user has answered or the signal is aborted. */
  async ask(sessionId: SessionId, callId: string, approval: Approval, signal: AbortSignal): Promise<Word> {
    const { seam, clock } = this.#env;
    const granted = grantState(seam.db, { ...approval, sessionId });
    if (granted === 'granted') return 'allowed';
    await seam.persist(sessionId, (tx) => askAbout(tx, callId, sessionId, clock.wall()), { durable: true });
    return new Promise((resolve) => {
      const settle = (word: Word) => {
        if (!this.#open.delete(callId)) return;
        signal.removeEventListener('abort', withdraw);
        resolve(word);
        this.#env.changed(sessionId);
      };
      /** At once, however long the database is busy: an answer that comes now finds nothing to answer. */
      const withdraw = () => {
        settle('withdrawn');
        seam
          .persist(sessionId, (tx) => decide(tx, callId, 'withdrawn', clock.wall()))
          .then(() => this.#env.changed(sessionId))
          .catch(this.#env.failed);
      };
      const { server, tool } = approval;
      const question = { callId, server, tool, changed: granted === 'changed' };
      this.#open.set(callId, { sessionId, approval, question, settle });
      if (signal.aborted) return withdraw();
      signal.addEventListener('abort', withdraw, { once: true });
      this.#env.changed(sessionId);
    });
  }

  /**
   * The user's word. `always` is confirmed first, where the page cannot reach; false = it was not, and the call waits on.
   * @throws AppError `already-ended` where the call no longer waits.
   */
  async answer(
    sessionId: SessionId,
    callId: string,
    answer: ToolAnswer,
    confirm: (approval: Approval) => Promise<boolean>,
  ): Promise<boolean> {
    const open = this.#open.get(callId);
    if (open?.sessionId !== sessionId) throw new AppError('already-ended');
    if (answer === 'always' && !(await confirm(open.approval))) return false;
    const { seam, clock } = this.#env;
    await seam.write(
      sessionId,
      (tx) => {
        const now = clock.wall();
        if (this.#open.get(callId) !== open || !decide(tx, callId, decisions[answer], now))
          throw new AppError('already-ended');
        const { serverId, tool, boundTo } = open.approval;
        if (answer === 'session' || answer === 'always')
          putGrant(tx, { serverId, tool, boundTo, sessionId: answer === 'always' ? null : sessionId }, now);
      },
      { durable: true, first: true },
    );
    open.settle(answer === 'deny' ? 'denied' : 'allowed');
    if (answer === 'always') this.#env.granted();
    return true;
  }
}
