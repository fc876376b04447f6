/** The check of what a summary kept, and the restoring of anchors it lost. Pure. */
import type { Receipt, ReceiptAnchor, SummaryLine, SummarySection } from '../../shared/model/compression';
import type { PlacedAnchor } from './carriers';
import { occursIn } from './exact-strings';
import { linesOf, renderSections } from './sections';

export interface Checked {
  readonly sections: readonly SummarySection[];
  readonly receipt: Receipt;
}

export interface RestoreOptions {
  /** Tokens of the anchor list. */
  readonly listBudget: number;
  /** Tokens that the summary may have in all. */
  readonly budget: number;
  readonly struckLines: number;
  readonly aboveTarget: boolean;
  count(text: string): number;
}

/** Share of the list's budget that rules and corrections may fill before the others had their turn. */
const SENTENCES = 0.5;

/**
 * The anchor list: the best of `anchors` whose lines fit the list's budget; what the summary holds anyway costs nothing
 * of it. What the sections lost is added back with the words around it, while the summary stays within its own budget;
 * the rest of the list is counted as dropped.
 */
export function restoreAnchors(
  sections: readonly SummarySection[],
  anchors: readonly PlacedAnchor[],
  options: RestoreOptions,
): Checked {
  const price = (text: string) => options.count(text) + 2; // the list mark and the line's end
  const own = linesOf(sections)
    .map((line) => line.text)
    .join('\n');
  let text = own;
  let left = options.budget - options.count(renderSections(sections));
  const restored: SummaryLine[] = [];
  const restore = (line: string, seq: number): boolean => {
    if (price(line) > left) return false;
    left -= price(line);
    restored.push({ text: line, sources: [seq] });
    text += `\n${line}`;
    return true;
  };
  const fates = anchorList(anchors, own, options).map(({ text: exact, line, seq }): ReceiptAnchor => {
    if (occursIn(text, exact)) return { text: exact, seq, fate: occursIn(own, exact) ? 'kept' : 'restored' };
    return { text: exact, seq, fate: restore(line, seq) || restore(exact, seq) ? 'restored' : 'dropped' };
  });
  const before = sections.find((section) => section.name === 'anchors')?.lines ?? [];
  const lines = [...before, ...restored];
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

/** Weight that a token of its line costs an anchor: found by the needle run, and flat around it. */
const ROOM = 0.1;

/** `own` = what the summary says. */
function anchorList(anchors: readonly PlacedAnchor[], own: string, options: RestoreOptions): PlacedAnchor[] {
  const list: PlacedAnchor[] = [];
  let known = own;
  let left = options.listBudget;
  let sentences = left * SENTENCES;
  const worth = new Map(anchors.map((one) => [one, one.weight - options.count(one.line) * ROOM]));
  for (const anchor of [...anchors].sort((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0))) {
    if (left <= CHEAPEST) break;
    const whole = anchor.kind === 'rule' || anchor.kind === 'correction';
    const price = occursIn(known, anchor.text) ? 0 : options.count(anchor.line) + 2;
    if (price > left || (whole && price > sentences)) continue;
    left -= price;
    if (whole) sentences -= price;
    if (price > 0) known += `\n${anchor.line}`;
    list.push(anchor);
  }
  return list;
}
/** Tokens of the shortest anchor with its mark. */
const CHEAPEST = 4;
