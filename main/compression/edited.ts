/** A summary's text as the user changed it. Pure. */
import { AppError } from '../../shared/errors';
import type { Receipt, SummarySection } from '../../shared/model/compression';
import { occursIn } from './exact-strings';
import { linesOf, parseSections, renderSections } from './sections';
import { stripForSummary } from './strip';

export interface EditedText {
  readonly text: string;
  readonly sections: readonly SummarySection[];
  readonly receipt: Receipt | null;
}

/** Columns of a row that the user wrote in the place of another. */
export const BY_USER = {
  ...{ attemptId: null, epoch: null, strategy: null, model: null, stubs: null },
  author: 'user',
} as const;

/** What an edit comes to, with both counts by the one counter. */
export type EditAnswer =
  | (EditedText & Counts & { readonly kind: 'edited' })
  | { readonly kind: 'gone' | 'empty' }
  /** It would not be smaller than what it covers. */
  | (Counts & { readonly kind: 'too-large' });
interface Counts {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** @throws AppError `not-found`, `summary-empty`, `summary-too-large`. */
export function editedOrThrow(answer: EditAnswer): EditedText & Counts {
  switch (answer.kind) {
    case 'gone':
      throw new AppError('not-found', { what: 'summary' });
    case 'empty':
      throw new AppError('summary-empty');
    case 'too-large':
      throw new AppError('summary-too-large', { tokens: answer.tokensAfter, covered: answer.tokensBefore });
    case 'edited': {
      const { kind: _, ...edited } = answer;
      return edited;
    }
  }
}

/** Lines that stayed keep their sources; new ones have none yet. null = nothing is left. */
export function editedSections(old: readonly SummarySection[], typed: string): SummarySection[] | null {
  const parsed = parseSections(stripForSummary(typed, 'person'), 'person');
  if (linesOf(parsed).length === 0) return null;
  const known = new Map(linesOf(old).map((line) => [line.text, line.sources]));
  return parsed.map(({ name, lines }) => ({
    name,
    lines: lines.map(({ text }) => ({ text, sources: known.get(text) ?? [] })),
  }));
}

/** `linked` = the sections with all their sources. */
export function editedText(linked: readonly SummarySection[], receipt: Receipt | null): EditedText {
  const text = renderSections(linked);
  return { text, sections: linked, receipt: receipt && lookedUpAgain(receipt, text) };
}

/** The same anchors, looked for in the new text: what the user took out is dropped, and nothing is put back. */
function lookedUpAgain(receipt: Receipt, text: string): Receipt {
  const anchors = receipt.anchors.map((anchor) => {
    if (!occursIn(text, anchor.text)) return { ...anchor, fate: 'dropped' as const };
    return anchor.fate === 'dropped' ? { ...anchor, fate: 'kept' as const } : anchor;
  });
  const many = (fate: (typeof anchors)[number]['fate']) => anchors.filter((one) => one.fate === fate).length;
  const counts = { kept: many('kept'), restored: many('restored'), dropped: many('dropped') };
  return { ...receipt, ...counts, anchors, struckLines: 0 };
}
