/**
 * The whole mode of `summarize`: where the model has the chat in its cache, the instruction is put to the end of what it
 * was sent, so that only the instruction has to be read. One request, one checkpoint.
 */
import type { ReadDb } from '../db/database';
import { messagesBetween } from '../db/messages-table';
import { activeRanges } from '../db/summaries-table';
import type { ChatMessage } from '../hosts/protocol';
import type { ModelFacts } from '../providers/registry-types';
import { wholePrompt } from '../turns/whole-prompt';
import type { AttemptSpec } from './attempt';
import type { Plan } from './plan';
import { INSTRUCTION_ROOM, type PartSizes } from './policy';
import { wholeInstruction, wordsOf } from './prompts';
import type { Whole } from './summarize-run';
import { coveringSummary, shownSummaries } from './view';

/** An estimate that is this much too small still fits. */
const MARGIN = 1.1;

/** The chat as that model has it, with the instruction; null = it has to be read in chunks. */
export function wholeOf(
  db: ReadDb,
  spec: AttemptSpec,
  range: Extract<Plan, { kind: 'range' }>,
  writer: ModelFacts,
  sizes: PartSizes,
): (Whole & { readonly tokens: number }) | null {
  const { served } = writer.window;
  // what only an extract covers is read again from its originals; what a person chose is read by itself
  const inPieces = spec.range !== null || range.readAsText.length > 0;
  const readsAgain = range.base !== null && !range.buildsOnBase;
  if (served === null || writer !== spec.model || inPieces || readsAgain) return null;
  const firstKept = range.cutoff + 1;
  // a summary in the middle may be what stays first: then no message that the model has says where the range ends
  if (coveringSummary(shownSummaries(activeRanges(db, spec.branchId)), firstKept)) return null;
  const limit = Math.floor((served - INSTRUCTION_ROOM - sizes.summary) / MARGIN);
  const prompt = wholePrompt(db, spec, writer, limit);
  if (!prompt) return null;
  const [kept] = messagesBetween(db, spec.branchId, firstKept, firstKept);
  const instruction = wholeInstruction(kept?.text ?? null, wordsOf(sizes.summary / 2));
  return { ...prompt, messages: appended(prompt.messages, instruction) };
}

/** Neighbours of one role go out as one message, as in every request: the bytes before stay as they are. */
function appended(messages: readonly ChatMessage[], content: string): ChatMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content }];
  return [...messages.slice(0, -1), { role: 'user', content: `${last.content}\n\n${content}` }];
}
