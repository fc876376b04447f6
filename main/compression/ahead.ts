/**
 * Compression ahead of need: past the soft mark, while nobody needs the model, so that no message has to wait for it
 * later. Tried once per crossing of the mark, and once more when what kept it from succeeding has ended.
 */
import type { AttemptOutcome } from '../../shared/model/compression';
import type { SessionId } from '../../shared/model/ids';
import type { Clock } from '../lib/clock';
import type { SettingsStore } from '../settings/settings';
import type { AttemptRun } from './attempt';
import type { Started } from './coordinator';
import type { Wish } from './wish';

/** A session must have been left alone for this long. Source: design, section 6. */
const IDLE_MS = 3_000;

/** What the next request of a session would be, and the wish that would make it smaller. */
export interface AheadView {
  /** False while a turn is open, an attempt runs, a proposal waits, or automatic compression is off. */
  readonly free: boolean;
  readonly tokens: number;
  readonly softMark: number | null;
  readonly wish: Wish;
}

export interface AheadEnv {
  readonly clock: Clock;
  /** null = no such session, no model, or its window is unknown. */
  view(sessionId: SessionId): AheadView | null;
  /** Whether what an attempt ended with no longer holds: a lease that is free, a model that is not busy. */
  causeEnded(sessionId: SessionId, outcome: AttemptOutcome): boolean;
  /** True while a turn wants the model of that wish. */
  chatWants(wish: Wish): boolean;
  onPower(): boolean;
  start(wish: Wish): Promise<Started>;
  log(line: string): void;
}

/** What is known of a session that was used since the start: nothing begins by itself in one that was not. */
interface Watched {
  /** Monotonic time of the last key, of the last turn's begin or end, or of the click that allowed it. */
  touchedAt: number;
  /** Attempts of this crossing; 0 again once the fill was seen below the mark. */
  tries: number;
  last: AttemptOutcome | null;
  /** Nothing but the battery, or a chat with its model, kept it from beginning. */
  heldBack: boolean;
  cancelTimer: (() => void) | null;
}

/** Tried at the crossing, and once more when the cause of the first outcome has ended. */
const MOST_TRIES = 2;

export class Ahead {
  readonly #env: AheadEnv;
  readonly #watched = new Map<SessionId, Watched>();

  constructor(env: AheadEnv) {
    this.#env = env;
  }

  /** A turn of the session began or ended here. */
  turned(sessionId: SessionId): void {
    this.#touch(sessionId, this.#watch(sessionId));
  }
  /** The user types in it. */
  typed(sessionId: SessionId): void {
    const watched = this.#watched.get(sessionId);
    if (watched) this.#touch(sessionId, watched);
  }
  /** An attempt of this instance has ended. */
  ended(attempt: AttemptRun, outcome: AttemptOutcome): void {
    const { sessionId } = attempt.spec;
    const watched = this.#watched.get(sessionId);
    if (!watched) return;
    watched.last = outcome;
    this.#arm(sessionId, watched, 0);
  }
  /** The user took a summary back: nothing is tried again before the fill was below the mark. */
  undone(sessionId: SessionId): void {
    const watched = this.#watched.get(sessionId);
    if (watched) watched.tries = MOST_TRIES;
  }
  /** The user allowed it in this session again: what is past the mark need not wait for the next turn. */
  switchedOn(sessionId: SessionId): void {
    const watched = this.#watch(sessionId);
    watched.tries = 0; // what was tried before says nothing of what is wanted now
    watched.last = null;
    this.#touch(sessionId, watched);
  }
  /** Looks at all that it watches whenever the setting for all sessions is switched on. */
  follow(settings: Pick<SettingsStore, 'current' | 'changed'>): void {
    let before = settings.current.automaticCompression;
    settings.changed.on(({ automaticCompression: now }) => {
      if (now && !before) for (const [sessionId, watched] of this.#watched) this.#arm(sessionId, watched, 0);
      before = now;
    });
  }
  /** Something that kept attempts from beginning or succeeding may have ended. */
  lookAgain(): void {
    for (const [sessionId, watched] of this.#watched)
      if (watched.tries === 1 || watched.heldBack) this.#arm(sessionId, watched, 0);
  }

  /** No timer of it fires any more. */
  end(): void {
    for (const watched of this.#watched.values()) watched.cancelTimer?.();
    this.#watched.clear();
  }

  #watch(sessionId: SessionId): Watched {
    const known = this.#watched.get(sessionId);
    if (known) return known;
    const watched: Watched = { touchedAt: 0, tries: 0, last: null, heldBack: false, cancelTimer: null };
    this.#watched.set(sessionId, watched);
    return watched;
  }

  #touch(sessionId: SessionId, watched: Watched): void {
    watched.touchedAt = this.#env.clock.monotonic();
    this.#arm(sessionId, watched, 0);
  }

  /** Looks once the session was idle for long enough, and not before `ms` have passed. */
  #arm(sessionId: SessionId, watched: Watched, ms: number): void {
    watched.cancelTimer?.();
    const idleIn = watched.touchedAt + IDLE_MS - this.#env.clock.monotonic();
    watched.cancelTimer = this.#env.clock.after(Math.max(1, idleIn, ms), () => {
      watched.cancelTimer = null;
      this.#look(sessionId, watched);
    });
  }

  #look(sessionId: SessionId, watched: Watched): void {
    const view = this.#env.view(sessionId);
    if (!view) return;
    if (view.softMark === null || view.tokens < view.softMark) {
      watched.tries = 0;
      watched.last = null;
      return;
    }
    const { tries, last } = watched;
    const may = tries === 0 || (tries < MOST_TRIES && last !== null && this.#env.causeEnded(sessionId, last));
    watched.heldBack = may && view.free && (!this.#env.onPower() || this.#env.chatWants(view.wish));
    if (!may || !view.free || watched.heldBack) return;
    this.#env.start(view.wish).then(
      (started) => {
        if (started.kind === 'running') watched.tries++;
        else if (started.kind === 'paused') this.#arm(sessionId, watched, started.forMs);
      },
      (error: unknown) => this.#env.log(`ahead of need: ${String(error)}`),
    );
  }
}
