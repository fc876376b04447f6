/** Which models may write the summary of a session. Pure. */
import type { NoModelReason } from '../../shared/model/compression';
import type { ModelFacts } from '../providers/registry-types';
import { LEAST_SUMMARY_WINDOW } from './policy';

export interface Writers {
  readonly first: ModelFacts;
  /** Tried once after a stall, a ceiling or a death of the first; null = none is named, or it may not. */
  readonly second: ModelFacts | null;
}

/**
 * The chat's own model, or the one that the user named for summaries. One that would carry the chat's text to a service
 * where the chat's own model does not run is passed over: no fallback crosses from here to there by itself.
 */
export function writersOf(own: ModelFacts, named: ModelFacts | null, second: ModelFacts | null): Writers {
  const first = named && mayRead(own, named) && whyNot(named) === null ? named : own;
  const other = second && !isSame(second, first) && mayRead(own, second) && whyNot(second) === null ? second : null;
  return { first, second: other };
}

/** Why this model cannot write a summary; null = it can. An unknown window is taken to be large enough. */
export function whyNot(model: ModelFacts): Extract<NoModelReason, 'cannot-summarize' | 'window-too-small'> | null {
  if (!model.canSummarize) return 'cannot-summarize';
  const { served } = model.window;
  return served !== null && served < LEAST_SUMMARY_WINDOW ? 'window-too-small' : null;
}

const mayRead = (own: ModelFacts, other: ModelFacts) =>
  !other.remote || (own.remote && own.ref.providerId === other.ref.providerId);

const isSame = (one: ModelFacts, other: ModelFacts) =>
  one.ref.providerId === other.ref.providerId && one.ref.model === other.ref.model;
