import type { Summary } from '../../shared/model/compression';
import type { SessionState } from './session-store';

/** The fold under which a message lies; undefined = the model is sent its words. */
export function foldOver(summaries: readonly Summary[], seq: number): Summary | undefined {
  return summaries.find((summary) => summary.kind === 'text' && summary.coversFrom <= seq && seq <= summary.coversTo);
}

/** Selects whether a message is covered. */
export const isCovered = (seq: number) => (state: SessionState) => foldOver(state.summaries, seq) !== undefined;
