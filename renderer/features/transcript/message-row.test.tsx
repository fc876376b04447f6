import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../shared/model/message';
import type { SessionView } from '../../../shared/model/session';
import { sessionStore } from '../../stores/session-store';
import { fixtureTurn } from '../../testing/fixture-attempt';
import { branch, fixturePin, fixtureSummary, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { editStore } from './edit-store';
import { MessageRow } from './message-row';

afterEach(() => {
  closeFixture();
  editStore.getState().editEnded();
});

const Nothing = () => null;
async function showRow(seq: number, view: (view: SessionView) => SessionView = (same) => same) {
  const bridge = await openFixture({ view });
  renderIn(<MessageRow seq={seq} After={Nothing} />);
  return bridge;
}
const withLast = (change: Partial<Message>) => (view: SessionView) => ({
  ...view,
  messages: view.messages.map((message) => (message.seq === view.lastSeq ? { ...message, ...change } : message)),
});
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

describe('a user message', () => {
  it('is edited in its place and sent as a new version', async () => {
    const bridge = await showRow(245);
    await press('Edit and send again');
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Edit message 245' });
    expect(field.value).toBe(bridge.message(245).text);
    fireEvent.change(field, { target: { value: 'Other words' } });
    await act(async () => fireEvent.keyDown(field, { key: 'Enter' }));
    expect(askedFor(bridge, 'messages.edit')).toMatchObject([
      { sessionId: session(1), branchId: branch(1), seq: 245, text: 'Other words' },
    ]);
    expect(askedFor(bridge, 'sessions.open').at(-1)).toEqual({ sessionId: session(1), branchId: branch(2) });
  });

  it('keeps its words when the edit is given up', async () => {
    const bridge = await showRow(245);
    await press('Edit and send again');
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' });
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(askedFor(bridge, 'messages.edit')).toEqual([]);
  });

  it('shows what was typed, letter for letter, with code set apart', async () => {
    const text = '# not a heading\n*not* emphasis `code`\n```js\nlet a\n```\nend';
    await showRow(246, withLast({ role: 'user', text }));
    const block = document.querySelector<HTMLElement>('.user');
    expect(block?.querySelector('h1, em')).toBeNull();
    expect(block?.querySelector('p')?.textContent).toBe('# not a heading\n*not* emphasis code');
    expect(block?.querySelector('pre')?.textContent).toBe('let a');
  });

  it('that was stopped before its answer began is sent again by a click; another one offers nothing', async () => {
    const bridge = await showRow(246, withLast({ role: 'user', text: 'Why?' }));
    const stopped = fixtureTurn({ state: 'stopped', messageId: bridge.message(246).id });
    act(() => sessionStore.setState({ turn: { ...stopped, messageId: bridge.message(245).id } }));
    expect(screen.queryByText('Not answered yet')).toBeNull();
    act(() => sessionStore.setState({ turn: stopped }));
    await press('Send again');
    expect(askedFor(bridge, 'turns.sendAgain')).toEqual([{ sessionId: session(1), branchId: branch(1) }]);
  });
});

describe('a pin', () => {
  it('is set on the whole message by its button, marked, and taken away by it', async () => {
    const bridge = await showRow(246);
    await press('Pin');
    expect(askedFor(bridge, 'pins.add')).toEqual([
      { sessionId: session(1), messageId: bridge.message(246).id, excerpt: null },
    ]);
    const part = fixturePin(246, 'words', { from: 3, to: 9 });
    const told = (pins: SessionView['pins']) =>
      act(async () => bridge.emit({ type: 'pins.changed', sessionId: session(1), branchId: branch(1), pins }));
    await told([part]);
    expect(screen.getByText('Passage pinned')).toBeTruthy();
    await told([fixturePin(246, 'words')]);
    expect(screen.getByText('Pinned')).toBeTruthy();
    await press('Unpin');
    expect(askedFor(bridge, 'pins.remove')).toEqual([{ sessionId: session(1), pinId: part.id }]);
  });

  it('of an answer that was continued holds all its parts', async () => {
    const bridge = await showRow(246, (view) => ({
      ...view,
      messages: view.messages.map((message) =>
        message.seq === 245 ? { ...message, role: 'assistant', status: 'partial' } : message,
      ),
    }));
    await press('Pin');
    expect(askedFor(bridge, 'pins.add')).toMatchObject([
      { messageId: bridge.message(244).id },
      { messageId: bridge.message(245).id },
      { messageId: bridge.message(246).id },
    ]);
  });
});

describe('an answer', () => {
  it('is answered again on a branch of its own, which is shown', async () => {
    const bridge = await showRow(246);
    await press('Answer again');
    expect(askedFor(bridge, 'messages.answerAgain')).toEqual([
      { sessionId: session(1), branchId: branch(1), seq: 246 },
    ]);
    expect(askedFor(bridge, 'sessions.open').at(-1)).toEqual({ sessionId: session(1), branchId: branch(2) });
  });

  it('is switched to its next version', async () => {
    const bridge = await showRow(246);
    const versions = within(screen.getByRole('group', { name: 'Versions of this message' }));
    expect(screen.getByText('2 / 3')).toBeTruthy();
    await act(async () => fireEvent.click(versions.getByRole('button', { name: 'Next version' })));
    expect(askedFor(bridge, 'sessions.open').at(-1)).toEqual({ sessionId: session(1), branchId: branch(3) });
  });

  it('says that it was interrupted and when, and goes on', async () => {
    const bridge = await showRow(246, (view) => {
      const partial = withLast({ status: 'partial', turnId: fixtureTurn().id })(view);
      return {
        ...partial,
        turn: { ...fixtureTurn(), state: 'interrupted', endedAt: new Date(2026, 2, 20, 14, 32).getTime() },
      };
    });
    expect(screen.getByText('Interrupted at 14:32')).toBeTruthy();
    await press('Continue');
    expect(askedFor(bridge, 'turns.continue')).toEqual([{ sessionId: session(1), branchId: branch(1) }]);
  });

  it('S59 says that its server cut the prompt, by how much, and is answered again', async () => {
    const usage = { model: 'm', promptTokens: 2_050, outputTokens: 9, cachedTokens: null, tookMs: 5, cutFrom: 7_900 };
    const bridge = await showRow(246, withLast({ usage }));
    expect(screen.getByText('The server cut this prompt: it read 2,050 of about 7,900 tokens.')).toBeTruthy();
    const [first] = screen.getAllByRole('button', { name: 'Answer again' });
    await act(async () => first && fireEvent.click(first));
    expect(askedFor(bridge, 'messages.answerAgain')).toHaveLength(1);
  });

  it('lets nothing be begun while a turn runs', async () => {
    await showRow(246);
    act(() => sessionStore.getState().turnChanged({ ...fixtureTurn(), state: 'streaming' }));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Answer again' }).disabled).toBe(true);
  });

  it('is marked as busy while it grows and offers no actions yet', async () => {
    await showRow(246, withLast({ status: 'streaming' }));
    expect(document.querySelector('.prose')?.getAttribute('aria-busy')).toBe('true');
    expect(screen.queryByRole('button', { name: 'Answer again' })).toBeNull();
  });
});

it('is dimmed with its number only once it is covered', async () => {
  await showRow(210, (view) => ({ ...view, summaries: [fixtureSummary(212, 0)] }));
  expect(document.querySelector('.turn.covered .rail')).toBeTruthy();
  expect(document.querySelector('.margin')?.textContent).toBe('210');
});

it('keeps room for a message whose page is not here', async () => {
  await showRow(3);
  expect(document.querySelector('.awaited')).toBeTruthy();
});
