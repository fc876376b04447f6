/** Whether a candidate may become a summary. No summary, no removal. Pure. */
import type { FailureKind, SummarySection } from '../../shared/model/compression';
import { type ExactString, isMeasure, tokensIn } from './exact-strings';
import { INVENTED_SHARE, LARGEST_SHARE } from './policy';
import { linesOf } from './sections';

export interface Candidate {
  readonly text: string;
  readonly sections: readonly SummarySection[];
  readonly finish: 'stop' | 'length';
  readonly tokens: number;
}
export interface Covered {
  readonly tokens: number;
  /** The last answers that were given, covered or not: a model that lost its thread says them again. */
  readonly lastReplies: readonly string[];
  /** Whether a string occurs in the covered originals or in the summary that was built upon. */
  holds(exact: ExactString): boolean;
}

export type Verdict =
  | { readonly ok: true; readonly sections: readonly SummarySection[]; readonly struckLines: number }
  | {
      readonly ok: false;
      readonly failure: Extract<FailureKind, 'empty' | 'refused' | 'cut' | 'too-large'>;
      readonly why: string;
    };

/** Errors, refusals and the like are short; a summary that begins with such a word is not. In characters. */
const SHORT = 600;
/** Marks may stand before it: {"error": …} is an error too. */
const ERROR_SHAPED =
  /^[^\p{L}\p{N}]*(?:(?:\w+[ _]?)?(?:error|exception)\b\s*(?:[:(\d{,"]|code\b|$)|an? (?:\w+ )?error (?:has )?occurred|error while|traceback \(|fatal:|internal server error|bad gateway|gateway time-?out|service unavailable|too many requests|rate limit|quota exceeded|request failed|connection (?:refused|reset|error)|out of memory|cuda (?:error|out)|context (?:length|window) exceeded|(?:http )?[45]\d\d\b(?:\s|$|:)|fehler\b\s*(?:[:\d]|beim\b|$)|ein fehler ist|zeitüberschreitung|错误|出错|请求失败|服务器(?:内部)?错误|连接失败|超时)/iu;
const MARKUP_SHAPED = /^\s*(?:<!doctype html|<html|<\?xml)/i;
const TOOL_SHAPED =
  /^\s*(?:```(?:json|tool_code)?\s*)?(?:<\/?(?:tool_call|function_call|function=|tool_use|invoke)|\[TOOL_CALLS\]|\{\s*"(?:name|tool|tool_name|function|tool_calls|action)"\s*:|\[\s*\{\s*"(?:name|tool|function|id|type)"\s*:)/i;
const REFUSAL =
  /^[^\p{L}\p{N}]*(?:(?:i(?:['’]m| am) )?(?:very |so )?sorry\b|i (?:can(?:no|['’])t|am (?:not able|unable)|won['’]t|do not have|don['’]t have)|as an ai\b|unfortunately,? i\b|es tut mir (?:sehr )?leid|leider kann ich|ich kann (?:das|dir|ihnen|dabei|diese?)\b.{0,60}\bnicht|als ki\b|抱歉|对不起|很遗憾|我(?:无法|不能)|作为(?:一个)?(?:AI|人工智能))/iu;
/** Answers that say that there is nothing to say. */
const NOTHING_SAID =
  /^[^\p{L}\p{N}]*(?:n\/?a|none|null|undefined|nothing to summarize|no (?:summary|content|conversation)\b.{0,60}|(?:please )?(?:provide|share|paste) (?:me )?(?:with )?the .{0,40}(?:conversation|text|notes).{0,40}|\[?(?:summary|zusammenfassung|摘要)(?: here)?\]?|todo|ok(?:ay)?|sure|done|ja|好的?|无)[^\p{L}\p{N}]*$/iu;

const squeeze = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export function verify(candidate: Candidate, covered: Covered): Verdict {
  const text = squeeze(candidate.text);
  if (text === '') return refuse('empty', 'blank');
  if (candidate.finish === 'length') return refuse('cut', 'the answer ended at its limit');
  if (covered.lastReplies.some((reply) => isEcho(text, squeeze(reply))))
    return refuse('refused', 'an echo of the last reply');
  if (TOOL_SHAPED.test(candidate.text)) return refuse('refused', 'shaped like a tool call');
  if (MARKUP_SHAPED.test(candidate.text)) return refuse('refused', 'shaped like an error');
  if (candidate.text.length <= SHORT && !hasHeadings(candidate.sections)) {
    if (NOTHING_SAID.test(candidate.text)) return refuse('empty', 'nothing was said');
    if (ERROR_SHAPED.test(candidate.text)) return refuse('refused', 'shaped like an error');
    if (REFUSAL.test(candidate.text)) return refuse('refused', 'a refusal');
  }
  if (linesOf(candidate.sections).length === 0) return refuse('empty', 'headings without a line');
  if (candidate.tokens > covered.tokens * LARGEST_SHARE) return refuse('too-large', 'not smaller than its source');
  return strikeInvented(candidate.sections, covered);
}

/** Share of an answer that is the last reply again. */
const ECHO_SHARE = 0.8;

/** The same words, or the same with a few around them; the text is not blank, so a blank reply has no echo. */
const isEcho = (text: string, reply: string) => text.includes(reply) && reply.length >= text.length * ECHO_SHARE;
const hasHeadings = (sections: readonly SummarySection[]) => sections.some((section) => section.name !== 'state');

function refuse(failure: 'empty' | 'refused' | 'cut' | 'too-large', why: string): Verdict {
  return { ok: false, failure, why };
}

/**
 * What a model cannot have from anywhere else. Names are written in many ways, and dates too: 3 March and 2026-03-03 are
 * one; a number of things may be a count of its own.
 */
const isNamed = (exact: ExactString) =>
  exact.kind === 'identifier' || exact.kind === 'path' || exact.kind === 'url' || isMeasure(exact);

/** Refuses over a tenth of invented identifiers; fewer are struck out with their lines. */
function strikeInvented(sections: readonly SummarySection[], covered: Covered): Verdict {
  let known = 0;
  let invented = 0;
  let struckLines = 0;
  const kept = sections.map((section) => ({
    name: section.name,
    lines: section.lines.filter((line) => {
      const names = tokensIn(line.text).filter(isNamed);
      const missing = names.filter((exact) => !covered.holds(exact)).length;
      known += names.length - missing;
      invented += missing;
      if (missing > 0) struckLines++;
      return missing === 0;
    }),
  }));
  if (invented > (known + invented) * INVENTED_SHARE) return refuse('refused', 'invented identifiers');
  const left = kept.filter((section) => section.lines.length > 0);
  if (left.length === 0) return refuse('empty', 'nothing left after striking invented lines');
  return { ok: true, sections: left, struckLines };
}
