/** Whether a candidate may become a summary. No summary, no removal. Pure. */
import type { FailureKind, SummarySection } from '../../shared/model/compression';
import { tokensIn } from './anchors';
import { INVENTED_SHARE, LARGEST_SHARE } from './policy';
import { linesOf } from './sections';

export interface Candidate {
  readonly text: string;
  readonly sections: readonly SummarySection[];
  readonly finish: 'stop' | 'length';
  readonly tokens: number;
}
export interface Covered {
  /** All covered originals and the base's text, joined: what identifiers are looked up in. */
  readonly source: string;
  readonly tokens: number;
  readonly lastReply: string;
}

export type Verdict =
  | { readonly ok: true; readonly sections: readonly SummarySection[]; readonly struckLines: number }
  | {
      readonly ok: false;
      readonly failure: Extract<FailureKind, 'empty' | 'refused' | 'cut' | 'too-large'>;
      readonly why: string;
    };

const ERROR_SHAPED =
  /^\W*(?:error|exception|traceback|fatal|internal server error|\d{3} (?:internal|bad|service|too many)|fehler\b)/i;
const TOOL_SHAPED = /^\s*(?:<tool_call>|\{\s*"(?:name|tool|function|tool_calls)"\s*:|\[\s*\{\s*"(?:name|function)")/;
const REFUSAL =
  /^\W*(?:i(?:['’]m| am) sorry|i can(?:no|['’])t|as an ai\b|es tut mir leid|ich kann (?:das|dir|ihnen) nicht|抱歉)/i;

const squeeze = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export function verify(candidate: Candidate, covered: Covered): Verdict {
  const text = squeeze(candidate.text);
  if (text === '' || linesOf(candidate.sections).length === 0) return refuse('empty', 'blank');
  if (candidate.finish === 'length') return refuse('cut', 'the answer ended at its limit');
  const echo = squeeze(covered.lastReply);
  if (echo !== '' && text === echo) return refuse('refused', 'an echo of the last reply');
  if (ERROR_SHAPED.test(candidate.text)) return refuse('refused', 'shaped like an error');
  if (TOOL_SHAPED.test(candidate.text)) return refuse('refused', 'shaped like a tool call');
  if (REFUSAL.test(candidate.text)) return refuse('refused', 'a refusal');
  if (candidate.tokens > covered.tokens * LARGEST_SHARE) return refuse('too-large', 'not smaller than its source');
  return strikeInvented(candidate.sections, covered.source);
}

function refuse(failure: 'empty' | 'refused' | 'cut' | 'too-large', why: string): Verdict {
  return { ok: false, failure, why };
}

/** Refuses over a tenth of invented identifiers; fewer are struck out with their lines. */
function strikeInvented(sections: readonly SummarySection[], source: string): Verdict {
  let known = 0;
  let invented = 0;
  let struckLines = 0;
  const kept = sections.map((section) => ({
    name: section.name,
    lines: section.lines.filter((line) => {
      const names = tokensIn(line.text).filter((token) => token.kind !== 'name' && token.kind !== 'date');
      const missing = names.filter((token) => !source.includes(token.text)).length;
      known += names.length - missing;
      invented += missing;
      if (missing > 0) struckLines++;
      return missing === 0;
    }),
  }));
  if (invented > 0 && invented > (known + invented) * INVENTED_SHARE) return refuse('refused', 'invented identifiers');
  const left = kept.filter((section) => section.lines.length > 0);
  if (left.length === 0) return refuse('empty', 'nothing left after striking invented lines');
  return { ok: true, sections: left, struckLines };
}
