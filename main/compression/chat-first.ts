/**
 * Chat goes first: while a chat request wants a model, or a server that works on one request at a time, an attempt that
 * uses it and that no turn waits for stands back. An embedded one pauses where it is; one on a server ends deferred,
 * keeps its finished chunks, and is wished for again when the chat is done: not between two requests of a turn, the next
 * of which would push it aside again.
 */
import type { SessionId } from '../../shared/model/ids';
import type { ModelFacts } from '../providers/registry-types';
import type { AttemptRun } from './attempt';
import type { Wish } from './wish';

export interface ChatFirstEnv {
  /** Attempts that run in this instance. */
  running(): readonly AttemptRun[];
  /** Wishes again for what stood back. */
  again(wish: Wish): void;
  /** Nobody wants a model any more that was wanted until now. */
  free(): void;
}

export class ChatFirst {
  readonly #env: ChatFirstEnv;
  /** Chat requests that want a place or use it. */
  readonly #chats = new Places();
  /** Turns that go on by themselves to a request there. */
  readonly #turns = new Places();
  /** Chat requests that let another one go first. */
  readonly #waiting = new Set<{ readonly place: string | null; readonly fn: () => void }>();
  readonly #stoodBack = new Map<SessionId, { readonly place: string; readonly wish: Wish }>();

  constructor(env: ChatFirstEnv) {
    this.#env = env;
  }

  /** True while a chat request has what this model runs on, which takes one at a time. */
  busy(model: ModelFacts): boolean {
    const place = placeOf(model);
    return place !== null && this.#chats.has(place);
  }

  /**
   * Lets the chat end that a server works on, before a part that a turn waits for is asked of it: its time in the server's
   * queue would be taken for a stall. null = nothing is in the way; else the way to wait no longer.
   */
  letChatEnd(model: ModelFacts, fn: () => void): (() => void) | null {
    return model.target.kind === 'embedded' || !this.busy(model) ? null : this.whenFree(model, fn);
  }

  /** Calls once no chat request has it any more; in the order in which they came. Answers the way to wait no longer. */
  whenFree(model: ModelFacts, fn: () => void): () => void {
    const waiting = { place: placeOf(model), fn };
    this.#waiting.add(waiting);
    return () => this.#waiting.delete(waiting);
  }

  /** A chat request is about to want this model. Call what it answers once the request has ended. */
  begins(model: ModelFacts): () => void {
    const place = placeOf(model);
    if (place === null) return () => {};
    const leave = this.#chats.take(place, () => this.#goOn(place));
    for (const attempt of this.#env.running()) this.look(attempt);
    return leave;
  }

  /** A turn with this model is under way, between its requests too. Call what it answers once it has ended, or waits. */
  stays(model: ModelFacts): () => void {
    const place = placeOf(model);
    return place === null ? () => {} : this.#turns.take(place, () => this.#goOn(place));
  }

  /** True while a turn wants this model or its server. */
  wants(model: ModelFacts): boolean {
    const place = placeOf(model);
    return place !== null && (this.#chats.has(place) || this.#turns.has(place));
  }

  /**
   * To be called before an attempt asks its model, and when a turn began or ceased to wait for it. True = it has to
   * stand back before it asks anything.
   */
  look(attempt: AttemptRun): boolean {
    const { model, spec } = attempt;
    const place = placeOf(model);
    const back =
      place !== null && this.#chats.has(place) && attempt.turnId === null && attempt.state.phase.at === 'summarizing';
    // one that reads the chat itself works in the chat's own place: paused there, it would keep the chat out
    if (model.target.kind === 'embedded' && !attempt.readsWhole) attempt.standBack(back);
    else if (back && place !== null) {
      const wish: Wish = { ...spec, need: attempt.need, turnId: null, bypass: false };
      // what went ahead of need is tried again by its own rules: idle, on power, still wanted
      if (attempt.need !== 'ahead') this.#stoodBack.set(spec.sessionId, { place, wish });
      attempt.dispatch({ in: 'model-busy' });
      return true;
    }
    return false;
  }

  /** Nothing of this session is wished for again: something newer began, or the user does not want it. */
  forget(sessionId: SessionId): boolean {
    return this.#stoodBack.delete(sessionId);
  }

  /** One that was paused goes on as soon as no request wants the place; one that ended begins anew only for good. */
  #goOn(place: string): void {
    if (this.#chats.has(place)) return;
    for (const waiting of [...this.#waiting]) {
      if (waiting.place !== place || !this.#waiting.delete(waiting)) continue;
      waiting.fn();
    }
    for (const attempt of this.#env.running()) this.look(attempt);
    if (this.#turns.has(place)) return;
    for (const [sessionId, waiting] of this.#stoodBack) {
      if (waiting.place !== place) continue;
      this.#stoodBack.delete(sessionId);
      this.#env.again(waiting.wish);
    }
    this.#env.free();
  }
}

/** How many want each place. */
class Places {
  readonly #wanted = new Map<string, number>();

  has(place: string): boolean {
    return this.#wanted.has(place);
  }

  /** Answers the way to leave the place again; `free` is told once nobody of these wants it any more. */
  take(place: string, free: () => void): () => void {
    this.#wanted.set(place, (this.#wanted.get(place) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const others = (this.#wanted.get(place) ?? 1) - 1;
      if (others > 0) this.#wanted.set(place, others);
      else {
        this.#wanted.delete(place);
        free();
      }
    };
  }
}

/** What two requests would contend for: one GGUF file, or a server that works on one request at a time; null = nothing. */
function placeOf({ target, oneAtATime }: ModelFacts): string | null {
  if (target.kind === 'embedded') return target.path;
  return oneAtATime ? target.address : null;
}
