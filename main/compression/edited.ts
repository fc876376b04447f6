/** A summary's text as the user changed it. Pure. */
import type { Receipt, SummarySection } from '../../shared/model/compression';
import type { SourceMessage } from './chunks';
import type { Range } from './plan';
import { linesOf, parseSections, renderSections } from './sections';
import { linkSources } from './sources';
import { stripForSummary } from './strip';

export interface EditedText {
  readonly text: string;
  readonly sections: readonly SummarySection[];
  readonly receipt: Receipt | null;
}

/** Lines that stayed keep their sources, new ones are linked like any other. null = nothing is left. */
export function editedText(
  old: { readonly sections: readonly SummarySection[]; readonly receipt: Receipt | null },
  typed: string,
  messages: readonly SourceMessage[],
  range: Range,
): EditedText | null {
  const parsed = parseSections(stripForSummary(typed, 'person'));
  if (linesOf(parsed).length === 0) return null;
  const known = new Map(linesOf(old.sections).map((line) => [line.text, line.sources]));
  const linked = linkSources(
    parsed.map(({ name, lines }) => ({
      name,
      lines: lines.map(({ text }) => ({ text, sources: known.get(text) ?? [] })),
    })),
    messages,
    range,
  );
  const text = renderSections(linked);
  return { text, sections: linked, receipt: old.receipt && lookedUpAgain(old.receipt, text) };
}

/** The same anchors, looked for in the new text: what the user took out is dropped, and nothing is put back. */
function lookedUpAgain(receipt: Receipt, text: string): Receipt {
  const anchors = receipt.anchors.map((anchor) => {
    if (!text.includes(anchor.text)) return { ...anchor, fate: 'dropped' as const };
    return anchor.fate === 'dropped' ? { ...anchor, fate: 'kept' as const } : anchor;
  });
  const many = (fate: (typeof anchors)[number]['fate']) => anchors.filter((one) => one.fate === fate).length;
  const counts = { kept: many('kept'), restored: many('restored'), dropped: many('dropped') };
  return { ...receipt, ...counts, anchors, struckLines: 0 };
}
