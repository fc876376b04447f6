import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';
import { type ErrorFields, errorCodes } from '../../shared/errors';
import { errorSentence } from './error-sentence';
import { startI18n } from './i18n';

/** The fields that main sends with each code, as shared/errors.ts lists them. */
const fields: Partial<Record<(typeof errorCodes)[number], ErrorFields>> = {
  'not-found': { what: 'chat' },
  'does-not-fit': { needTokens: 70_000, windowTokens: 65_536 },
  'summary-too-large': { tokens: 1_200, covered: 900 },
  unreachable: { address: 'http://127.0.0.1:1234', reason: 'connection refused' },
  'refused-by-server': { status: 401, message: 'expired' },
  'not-a-model-file': { file: 'a.bin', reason: 'no GGUF header' },
  'tool-runs-too-long': { limit: 2_000 },
  'file-unreadable': { file: 'a.md', reason: 'no permission' },
  'unsupported-file': { file: 'a.png' },
  'attachment-folder': { file: 'src' },
  'attachment-empty': { file: 'a.txt' },
  'attachment-kind': { file: 'a.xlsx' },
  'model-in-use': { model: 'qwen' },
  'model-downloading': { model: 'qwen' },
  'attachment-image': { file: 'a.png', model: 'small' },
  'attachment-too-large': { file: 'a.pdf', bytes: 60_000_000, limit: 50_000_000 },
  'attachment-too-long': { file: 'a.log', limit: 1_000_000 },
  'attachment-locked': { file: 'a.pdf' },
  'attachment-damaged': { file: 'a.docx' },
  'attachment-no-text': { file: 'scan.pdf' },
  'too-many-attachments': { limit: 20 },
  'tool-no-command': { command: 'npx' },
  'tool-not-started': { command: 'npx', reason: 'EACCES' },
  'tool-server-exited': { code: 3, said: 'no disk' },
  'tool-server-silent': { seconds: 60 },
  'tool-server-flooded': { what: 'message' },
  'tool-server-unknown': { said: 'Welcome' },
  'tool-server-version': { version: '1999-01-01' },
  'tool-server-refused': { status: 401, said: 'no such token' },
  'tool-server-unwilling': { said: 'NOTION_TOKEN is missing' },
  'tool-server-lost': { address: 'http://127.0.0.1:1', reason: 'ECONNREFUSED' },
  'shortcut-taken': { shortcut: 'Ctrl+Space' },
  'shortcut-invalid': { shortcut: 'A' },
  internal: { message: 'x is undefined' },
};

beforeAll(startI18n);

it.each(errorCodes)('%s is a plain sentence with its numbers in place', (code) => {
  const sentence = errorSentence(i18next.t, { code, fields: fields[code] ?? {} });
  expect(sentence).not.toContain('errors.');
  expect(sentence).not.toMatch(/[{}]/);
  expect(sentence).toMatch(/^[A-Z“].*\.$/s);
});

it.each([
  ['unreachable', { reason: 'connect ECONNREFUSED', code: 'ECONNREFUSED' }, 'ECONNREFUSED'],
  ['refused-by-server', { status: 0, message: 'socket hang up' }, 'The server failed: “socket hang up”'],
  ['not-a-model-file', { file: '', reason: 'out of memory' }, 'could not be loaded: out of memory'],
] as const)('%s does without what is not known', (code, known, part) => {
  const sentence = errorSentence(i18next.t, { code, fields: known });
  expect(sentence).toContain(part);
  expect(sentence).not.toMatch(/[{}]|“”| 0[: ]/);
});

it('writes numbers with their groups', () => {
  const error = { code: 'does-not-fit', fields: { needTokens: 70_000, windowTokens: 65_536 } } as const;
  expect(errorSentence(i18next.t, error)).toContain('70,000 tokens and the window leaves 65,536');
});

it('does not escape what it quotes', () => {
  const error = { code: 'refused-by-server', fields: { status: 400, message: 'a < b & c' } } as const;
  expect(errorSentence(i18next.t, error)).toContain('“a < b & c”');
});
