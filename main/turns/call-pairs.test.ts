import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../shared/model/message';
import type { ChatMessage } from '../hosts/protocol';
import { flatMessages, pairedMessages } from './call-pairs';
import { assemble, type TailMessage } from './context';

/** A history as it may be stored: calls with all, some or none of their results, in any order, and results of nothing. */
const histories: fc.Arbitrary<TailMessage[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('user', 'answer', 'calls', 'stray'),
      calls: fc.integer({ min: 1, max: 3 }),
      lost: fc.array(fc.nat(2), { maxLength: 3 }),
      turned: fc.boolean(),
      text: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((steps) => {
    const tail: TailMessage[] = [];
    const add = (message: Omit<TailMessage, 'rid' | 'seq'>) =>
      tail.push({ rid: tail.length + 1, seq: tail.length + 1, ...message });
    for (const [i, { kind, calls, lost, turned, text }] of steps.entries()) {
      if (kind === 'user') add({ role: 'user', text: `question ${i}`, parts: null });
      else if (kind === 'answer') add({ role: 'assistant', text: `answer ${i}`, parts: null });
      else if (kind === 'stray') add({ role: 'tool', text: `imported ${i}`, parts: null });
      else {
        const made = Array.from(
          { length: calls },
          (_, n): ToolCall => ({ id: `c${i}-${n}`, name: 'probe', args: '{}' }),
        );
        add({ role: 'assistant', text: text ? `looking ${i}` : '', parts: { calls: made } });
        const kept = made.filter((_, n) => !lost.includes(n));
        for (const call of turned ? kept.reverse() : kept)
          add({ role: 'tool', text: `result ${call.id}`, parts: { result: { call, state: 'done', tookMs: 1 } } });
      }
    }
    return tail;
  });

const nothing = { system: null, pins: [], summaries: [], recalled: new Map<number, string>() };

function pairsHold(messages: readonly ChatMessage[]): void {
  for (const [i, { role, calls, answers }] of messages.entries()) {
    const after = messages.slice(i + 1, i + 1 + (calls?.length ?? 0));
    if (calls) expect(after.map((one) => one.answers?.id)).toEqual(calls.map(({ id }) => id));
    if (role === 'tool') expect(answers).toBeDefined();
  }
  const made = messages.flatMap(({ calls = [] }) => calls.map(({ id }) => id));
  expect(messages.flatMap(({ answers }) => (answers ? [answers.id] : []))).toEqual(made);
}

describe('calls and results in a request', () => {
  test('S42 a call is never parted from its result, whatever is missing', () => {
    fc.assert(
      fc.property(histories, (tail) => {
        pairsHold(pairedMessages(tail).map(({ message }) => message));
        pairsHold(assemble({ ...nothing, tail }, true));
      }),
    );
  });

  test('no text of a history is lost or doubled, with tools or without', () => {
    fc.assert(
      fc.property(histories, fc.boolean(), (tail, calls) => {
        const sent = assemble({ ...nothing, tail }, calls).map(({ content }) => content);
        for (const { text } of tail.filter((one) => one.text !== ''))
          expect(sent.join('\n').split(text.endsWith('\n') ? text : new RegExp(`${text}(?!\\d)`))).toHaveLength(2);
      }),
    );
  });

  test('a model without tools sees neither calls nor the role of a result', () => {
    fc.assert(
      fc.property(histories, (tail) => {
        for (const { message } of flatMessages(tail)) {
          expect(message.calls).toBeUndefined();
          expect(message.role).not.toBe('tool');
        }
      }),
    );
  });
});
