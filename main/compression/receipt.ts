/** The check of what a summary kept, and the restoring of anchors it lost. Pure. */
import type { Receipt, ReceiptAnchor, SummaryLine, SummarySection } from '../../shared/model/compression';
import type { Anchor } from './anchors';
import { linesOf, renderSections } from './sections';

export interface Checked {
  readonly sections: readonly SummarySection[];
  readonly receipt: Receipt;
}

/**
 * Anchors that the sections do not hold are added back word for word, best first, while the summary stays within
 * `budget` tokens; what does not fit is counted as dropped.
 */
export function restoreAnchors(
  sections: readonly SummarySection[],
  anchors: readonly Anchor[],
  options: { budget: number; struckLines: number; aboveTarget: boolean; count: (text: string) => number },
): Checked {
  const text = linesOf(sections)
    .map((line) => line.text)
    .join('\n');
  let left = options.budget - options.count(renderSections(sections));
  const restored: SummaryLine[] = [];
  const fates: ReceiptAnchor[] = anchors.map((anchor) => {
    if (text.includes(anchor.text)) return { text: anchor.text, seq: anchor.seq, fate: 'kept' };
    const price = options.count(anchor.text) + 2;
    if (price > left) return { text: anchor.text, seq: anchor.seq, fate: 'dropped' };
    left -= price;
    restored.push({ text: anchor.text, sources: [anchor.seq] });
    return { text: anchor.text, seq: anchor.seq, fate: 'restored' };
  });
  const own = sections.find((section) => section.name === 'anchors')?.lines ?? [];
  const lines = [...own, ...restored];
  const all = sections.filter((section) => section.name !== 'anchors');
  const many = (fate: ReceiptAnchor['fate']) => fates.filter((one) => one.fate === fate).length;
  return {
    sections: lines.length > 0 ? [...all, { name: 'anchors', lines }] : all,
    receipt: {
      kept: many('kept'),
      restored: many('restored'),
      dropped: many('dropped'),
      anchors: fates,
      struckLines: options.struckLines,
      aboveTarget: options.aboveTarget,
    },
  };
}
