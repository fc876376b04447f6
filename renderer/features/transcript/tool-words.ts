import type { TFunction } from 'i18next';
import { assertNever } from '../../../shared/exhaustive';
import type { ResultState, ToolCall } from '../../../shared/model/message';

/** What a call does, in the words of the app where it knows the tool, else by the tool's own name. */
export function toolVerb(name: string, t: TFunction): string {
  return name === 'recall' ? t('transcript.tool.recall') : name;
}

/** The argument that says most: the only text among them, else all of them as they were written. */
export function toolSubject({ args }: ToolCall): string {
  const parsed = objectIn(args);
  const texts = Object.values(parsed ?? {}).filter((value) => typeof value === 'string');
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return oneLine(only);
  return args === '{}' ? '' : oneLine(args);
}

/** The arguments in full: one a line, where they do not fit into one. */
export function toolArguments({ args }: ToolCall): string {
  const parsed = objectIn(args);
  return !parsed || args.length <= SHORT ? args : JSON.stringify(parsed, null, 2);
}

const SHORT = 72;

function objectIn(args: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** How a call ended, in a word. */
export function stateWord(state: ResultState, t: TFunction): string {
  switch (state) {
    case 'done':
    case 'failed':
    case 'cancelled':
    case 'interrupted':
    case 'denied':
      return t(`transcript.tool.state.${state}`);
    case 'timed-out':
      return t('transcript.tool.state.timedOut');
    default:
      return assertNever(state);
  }
}
