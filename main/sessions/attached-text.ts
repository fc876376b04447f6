/** A message with files as text: what is stored, sent, searched and compressed. Pure. */
import type { Attached, AttachedFile } from '../db/message-parts';
import { firstChars } from '../lib/first-chars';

/** A file with its words. */
export type ReadFile = Omit<AttachedFile, 'from' | 'to'> & { readonly text: string };

/** Lines and UTF-16 units of a covered file that are still told. */
const FIRST_LINES = 5;
const FIRST_CHARS = 400;

/** The typed words, then each file quoted under its name. The words of a file are kept letter for letter. */
export function attachedText(typed: string, files: readonly ReadFile[]): { text: string; attached: Attached } {
  let text = typed;
  const placed = files.map(({ text: words, ...file }): AttachedFile => {
    text += `${text === '' ? '' : '\n\n'}${headOf(file)}`;
    if (file.kind === 'image') return { ...file, from: text.length, to: text.length };
    const fence = fenceFor(words);
    text += `\n${fence}${languageOf(file)}\n`;
    const from = text.length;
    text += words;
    const to = text.length;
    text += `${words.endsWith('\n') ? '' : '\n'}${fence}`;
    return { ...file, from, to };
  });
  return { text, attached: { typed: typed.length, files: placed } };
}

/** The same with each file as name, size and first lines: all that a summary is made from. */
export function shortenedText(text: string, { typed, files }: Attached): string {
  const stubs = files.map((file) => `${headOf(file)}\n${firstLines(text.slice(file.from, file.to))}`.trimEnd());
  return [text.slice(0, typed), ...stubs].filter((part) => part !== '').join('\n\n');
}

/** The files of a message with their words, for an edited version of it. */
export function filesOf(text: string, { files }: Attached): ReadFile[] {
  return files.map(({ from, to, ...file }) => ({ ...file, text: text.slice(from, to) }));
}

const HOW: Record<AttachedFile['kind'], string> = {
  text: '',
  paste: '',
  pdf: ', its text',
  docx: ', its text',
  image: ', an image',
};

function headOf({ name, bytes, kind }: Pick<AttachedFile, 'name' | 'bytes' | 'kind'>): string {
  // a name is quoted material too: it must not end its own line
  return `[Attached file: ${name.replace(/[\r\n\]]+/g, ' ')}, ${bytes} bytes${HOW[kind]}]`;
}

/** Longer than any run of backticks inside, so that nothing in the file ends the quotation. */
function fenceFor(words: string): string {
  let longest = 2;
  for (const [run] of words.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

function languageOf({ name, kind }: Pick<AttachedFile, 'name' | 'kind'>): string {
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return kind === 'text' ? extension : '';
}

function firstLines(words: string): string {
  const start = words.trimStart().slice(0, FIRST_CHARS + 1);
  const lines = start.split('\n', FIRST_LINES).join('\n');
  const shown = firstChars(lines, FIRST_CHARS);
  return shown.length < words.trim().length ? `${shown.trimEnd()} …` : shown.trimEnd();
}
