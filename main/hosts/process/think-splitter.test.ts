import { expect, test } from 'vitest';
import { ThinkSplitter } from './think-splitter';

function split(pieces: readonly string[]) {
  const said = { answer: '', thinking: '' };
  const splitter = new ThinkSplitter((text, thinking) => {
    said[thinking ? 'thinking' : 'answer'] += text;
  });
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return said;
}

test.each([
  ['<think>a < b</think>\n\nYes.', { thinking: 'a < b', answer: 'Yes.' }],
  ['\n<think></think>Yes </think> no', { thinking: '', answer: 'Yes </think> no' }],
  ['<b>bold</b> and <think>', { thinking: '', answer: '<b>bold</b> and <think>' }],
  ['<think>never closed </thi', { thinking: 'never closed </thi', answer: '' }],
  ['<thi', { thinking: '', answer: '<thi' }],
  ['  ', { thinking: '', answer: '  ' }],
])('%j parts the same, wherever it is cut', (text, parts) => {
  expect(split([text])).toEqual(parts);
  expect(split([...text])).toEqual(parts);
  for (let at = 1; at < text.length; at++) expect(split([text.slice(0, at), text.slice(at)])).toEqual(parts);
});
