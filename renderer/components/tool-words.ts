import type { TFunction } from 'i18next';
import type { LucideIcon } from 'lucide-react';
import { assertNever } from '../../shared/exhaustive';
import { oneLine, unhidden } from '../../shared/hidden-characters';
import type { ResultState, ToolCall } from '../../shared/model/message';
import type { ToolServer } from '../../shared/model/tools';
import { IconFile, IconSearch, IconTool, IconWaits } from './icons';

/** Between the name of a tool server and that of its tool, where models are told of them. */
const BETWEEN = '__';

/** What a call does, in the words of the app where it knows the tool, else by the tool's own name. */
export function toolVerb(name: string, t: TFunction): string {
  switch (name) {
    case 'recall':
    case 'current_time':
    case 'read_file':
    case 'search_folder':
      return t(`transcript.tool.verb.${name}`);
    default:
      return unhidden(name.includes(BETWEEN) ? name.slice(name.indexOf(BETWEEN) + BETWEEN.length) : name);
  }
}

/** The name of the server whose tool it is, as the user gave it; '' = a tool of the app. */
export function toolServer(name: string, servers: readonly ToolServer[]): string {
  if (!name.includes(BETWEEN)) return '';
  const prefix = name.slice(0, name.indexOf(BETWEEN));
  return servers.find((server) => server.prefix === prefix)?.name ?? prefix;
}

export function toolIcon(name: string): LucideIcon {
  switch (name) {
    case 'recall':
    case 'search_folder':
      return IconSearch;
    case 'current_time':
      return IconWaits;
    case 'read_file':
      return IconFile;
    default:
      return IconTool;
  }
}

/** The argument that says most: the only text among them, else all of them. */
export function toolSubject({ args }: ToolCall): string {
  const parsed = objectIn(args);
  const texts = Object.values(parsed ?? {}).filter((value) => typeof value === 'string');
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return oneLine(only);
  const all = parsed ? JSON.stringify(parsed) : args;
  return all === '{}' ? '' : parsed ? unhidden(all) : oneLine(all);
}

/**
 * The arguments in full as they are run, not as they were written: numbers as they are read, one value a name, hidden
 * characters as `\u{…}`. One a line, where they do not fit into one. '' = none.
 */
export function toolArguments({ args }: ToolCall, t: TFunction): string {
  const parsed = objectIn(args);
  if (!parsed) return `${t('transcript.tool.notRead')}\n${lines(args)}`;
  const short = JSON.stringify(parsed);
  if (short === '{}') return '';
  return short.length <= SHORT ? unhidden(short) : lines(JSON.stringify(parsed, null, 2));
}

const SHORT = 72;

function objectIn(args: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(args);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const lines = (text: string) => text.split('\n').map(unhidden).join('\n');

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
