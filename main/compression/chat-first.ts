/**
 * Chat goes first: while a chat request wants a model, or a server that works on one request at a time, an attempt that
 * uses it and that no turn waits for stands back. An embedded one pauses where it is; one on a server ends deferred,
 * keeps its finished chunks, and is wished for again when the chat is done.
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
}

export class ChatFirst {
  readonly #env: ChatFirstEnv;
  /** Chat requests that want a place or use it. */
  readonly #chats = new Map<string, number>();
  readonly #stoodBack = new Map<SessionId, { readonly place: string; readonly wish: Wish }>();

  constructor(env: ChatFirstEnv) {
    this.#env = env;
  }

  /** A chat request is about to want this model. Call what it answers once the request has ended. */
  begins(model: ModelFacts): () => void {
    const place = placeOf(model);
    if (place === null) return () => {};
    this.#chats.set(place, (this.#chats.get(place) ?? 0) + 1);
    for (const attempt of this.#env.running()) this.look(attempt);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = (this.#chats.get(place) ?? 1) - 1;
      if (left > 0) this.#chats.set(place, left);
      else this.#chats.delete(place);
      if (left <= 0) this.#goOn(place);
    };
  }

  /** True while a chat request wants this model or its server. */
  wants(model: ModelFacts): boolean {
    const place = placeOf(model);
    return place !== null && this.#chats.has(place);
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

  #goOn(place: string): void {
    for (const attempt of this.#env.running()) this.look(attempt);
    for (const [sessionId, waiting] of this.#stoodBack) {
      if (waiting.place !== place) continue;
      this.#stoodBack.delete(sessionId);
      this.#env.again(waiting.wish);
    }
  }
}

/** What two requests would contend for: one GGUF file, or a server that works on one request at a time; null = nothing. */
function placeOf({ target, oneAtATime }: ModelFacts): string | null {
  if (target.kind === 'embedded') return target.path;
  return oneAtATime ? target.address : null;
}
