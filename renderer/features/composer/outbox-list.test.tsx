import { act, createEvent, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { OutboxItem } from '../../../shared/model/message';
import { fixtureAttempt, fixtureTurn } from '../../testing/fixture-attempt';
import { message, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { OutboxList } from './outbox-list';
import { outboxWait } from './outbox-words';

afterEach(closeFixture);

const sessionId = session(1);
const items: readonly OutboxItem[] = ['one', 'two', 'three'].map((text, at) => ({
  id: message(at + 1),
  text,
  files: [],
  createdAt: at,
}));
const list = (outbox = items) => <OutboxList outbox={outbox} sessionId={sessionId} wait="answer" />;
const row = (text: string) => screen.getByText(text).closest('li') as HTMLLIElement;

describe('waiting messages', () => {
  it('say how many there are and what they wait for', async () => {
    await openFixture();
    renderIn(list());
    expect(screen.getByText('3 waiting')).toBeTruthy();
    expect(screen.getByText('sent in this order, after the answer')).toBeTruthy();
  });

  it('move by Alt and arrow keys, and the focus moves along', async () => {
    const bridge = await openFixture();
    const view = renderIn(list());
    await act(async () => fireEvent.keyDown(row('two'), { key: 'ArrowUp', altKey: true }));
    expect(askedFor(bridge, 'outbox.move')).toEqual([{ sessionId, id: message(2), before: message(1) }]);
    const moved = [items[1], items[0], items[2]] as OutboxItem[];
    view.rerender(list(moved));
    expect(document.activeElement?.closest('li')).toBe(row('two'));
    expect(screen.getByText('Message is now at place 1')).toBeTruthy();
    await act(async () => fireEvent.keyDown(row('two'), { key: 'ArrowUp', altKey: true }));
    expect(askedFor(bridge, 'outbox.move')).toHaveLength(1);
  });

  it('move to the end by Alt and Down', async () => {
    const bridge = await openFixture();
    renderIn(list());
    await act(async () => fireEvent.keyDown(row('two'), { key: 'ArrowDown', altKey: true }));
    expect(askedFor(bridge, 'outbox.move')).toEqual([{ sessionId, id: message(2), before: null }]);
  });

  it('are dragged to where they are dropped', async () => {
    const bridge = await openFixture();
    renderIn(list());
    const dataTransfer = { setData: () => undefined, effectAllowed: '' };
    fireEvent.dragStart(row('three'), { dataTransfer });
    const over = createEvent.dragOver(row('one'), { dataTransfer });
    Object.defineProperty(over, 'clientY', { value: -1 }); // the upper half: boxes have no height here
    fireEvent(row('one'), over);
    await act(async () => fireEvent.drop(row('one'), { dataTransfer }));
    expect(askedFor(bridge, 'outbox.move')).toEqual([{ sessionId, id: message(3), before: message(1) }]);
  });

  it('are edited in place', async () => {
    const bridge = await openFixture();
    renderIn(list());
    fireEvent.click(screen.getAllByRole('button', { name: 'Edit' })[1] as HTMLElement);
    const field = screen.getByRole('textbox', { name: 'Edit waiting message 2' });
    fireEvent.change(field, { target: { value: 'two, better' } });
    await act(async () => fireEvent.keyDown(field, { key: 'Enter' }));
    expect(askedFor(bridge, 'outbox.edit')).toEqual([{ sessionId, id: message(2), text: 'two, better' }]);
  });

  it('are left as they were by Escape and by emptying', async () => {
    const bridge = await openFixture();
    renderIn(list());
    for (const [value, key] of [
      ['other', 'Escape'],
      ['  ', 'Enter'],
    ] as const) {
      fireEvent.click(screen.getAllByRole('button', { name: 'Edit' })[0] as HTMLElement);
      const field = screen.getByRole('textbox');
      fireEvent.change(field, { target: { value } });
      await act(async () => fireEvent.keyDown(field, { key }));
    }
    expect(askedFor(bridge, 'outbox.edit')).toHaveLength(0);
    expect(screen.getByText('one')).toBeTruthy();
  });

  it('are removed', async () => {
    const bridge = await openFixture();
    renderIn(list());
    await act(async () => fireEvent.click(screen.getAllByRole('button', { name: 'Remove' })[2] as HTMLElement));
    expect(askedFor(bridge, 'outbox.remove')).toEqual([{ sessionId, id: message(3) }]);
  });
});

describe('what they wait for', () => {
  it.each([
    ['the answer', fixtureTurn(), null, [], 'answer'],
    ['the compression', fixtureTurn({ state: 'compressing' }), fixtureAttempt(), [], 'compression'],
    ['the other window', fixtureTurn({ elsewhere: true }), null, [], 'elsewhere'],
    ['a click', null, null, [{ kind: 'waiting-messages', count: 2 } as const], 'click'],
    [
      'a click',
      fixtureTurn({ state: 'deferred', reason: { state: 'deferred', why: { kind: 'auto-off' } } }),
      null,
      [],
      'click',
    ],
    ['what the notice says', null, null, [{ kind: 'provider-away', name: 'x', nextTryAt: null } as const], null],
  ] as const)('is %s', (_, turn, attempt, notices, wait) => {
    expect(outboxWait(turn, attempt, notices)).toBe(wait);
  });
});
