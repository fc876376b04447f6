import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/errors';
import type { Message, ToolCall } from '../../../shared/model/message';
import type { SessionView } from '../../../shared/model/session';
import type { ToolQuestion } from '../../../shared/model/tools';
import { Announcer } from '../../components/announcer';
import { jumpStore } from '../../stores/jump-store';
import { sessionStore } from '../../stores/session-store';
import { fixtureTurn } from '../../testing/fixture-attempt';
import { session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { MessageRow } from './message-row';
import { WaitingLine } from './waiting-line';

afterEach(closeFixture);

const Nothing = () => null;
const call: ToolCall = { id: 'c00000100', name: 'recall', args: '{"query":"the port of staging"}' };
const other: ToolCall = { id: 'c00000101', name: 'clock', args: '{}' };
const withLast = (change: Partial<Message>) => (view: SessionView) => ({
  ...view,
  messages: view.messages.map((message) => (message.seq === view.lastSeq ? { ...message, ...change } : message)),
});
const result = (change: Partial<Message['result']> = {}): Partial<Message> => ({
  role: 'tool',
  text: 'Message 31, user:\n> on 8471',
  usage: null,
  result: { call, state: 'done', tookMs: 300, fullTokens: null, ...change },
});
const showLast = async (change: Partial<Message>) => {
  const bridge = await openFixture({ view: withLast(change) });
  renderIn(<MessageRow seq={sessionStore.getState().lastSeq} After={Nothing} />);
  return bridge;
};
const press = (name: RegExp | string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

describe('a tool result', () => {
  it('is one line with what was called, with what, how long it took and how it ended; opened it shows all', async () => {
    await showLast(result());
    const line = screen.getByRole('button', { name: /Searched this chat.*the port of staging.*0\.3 s.*done/ });
    expect(line.getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByText(/on 8471/)).toBeNull();
    await press(/Searched this chat/);
    expect(line.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByRole('region', { name: 'Result' }).textContent).toContain('> on 8471');
    expect(screen.getByRole('region', { name: 'Arguments' }).textContent).toContain('"query":"the port of staging"');
  });

  it.each([
    ['failed', 'failed'],
    ['timed-out', 'no answer in time'],
    ['cancelled', 'stopped'],
    ['interrupted', 'interrupted, outcome unknown'],
    ['denied', 'not allowed'],
  ] as const)('that ended as %s says so', async (state, words) => {
    await showLast(result({ state }));
    expect(screen.getByRole('button', { name: new RegExp(words) })).toBeTruthy();
  });

  it('that was shortened has its full text one click away, and back', async () => {
    const bridge = await showLast(result({ fullTokens: 8_410 }));
    bridge.handlers['messages.fullResult'] = () => 'the whole of it';
    await press(/Searched this chat/);
    expect(screen.getByText('8,410 tokens, shortened for the model')).toBeTruthy();
    await press('Full text');
    expect(askedFor(bridge, 'messages.fullResult')).toMatchObject([{ sessionId: session(1) }]);
    expect(screen.getByRole('region', { name: 'Result' }).textContent).toContain('the whole of it');
    await press('As the model got it');
    expect(screen.getByRole('region', { name: 'Result' }).textContent).toContain('on 8471');
  });

  it('at the end of a turn that stopped offers to go on', async () => {
    const bridge = await showLast(result({ state: 'cancelled' }));
    await press('Go on');
    expect(askedFor(bridge, 'turns.sendAgain')).toMatchObject([{ sessionId: session(1) }]);
  });

  it('that was imported shows what there is', async () => {
    await showLast({ role: 'tool', text: 'some output', usage: null, result: null });
    await press('Tool result');
    expect(screen.getByText('some output')).toBeTruthy();
  });
});

describe('calls under way', () => {
  it('name the one that runs, with its progress, and those that wait', async () => {
    await openFixture({ view: withLast({ text: '', calls: [call, other] }) });
    sessionStore.setState({ turn: fixtureTurn({ state: 'tools' }) });
    renderIn(<WaitingLine />);
    expect(screen.getByText('Searched this chat').closest('p')?.textContent).toContain('running');
    expect(screen.getByText('clock').closest('p')?.textContent).toContain('waits');
    act(() => sessionStore.getState().toolSaid(call.id, 'message 40 of 900'));
    expect(screen.getByText('message 40 of 900')).toBeTruthy();
  });
});

describe('a call that waits for the user', () => {
  const asked: ToolCall = { id: 'c00000102', name: 'mail__send', args: '{"to":"all","text":"We move on Sunday."}' };
  const question: ToolQuestion = { callId: asked.id, server: 'Mail', tool: 'send', changed: false };
  const show = async (change: Partial<ToolQuestion> = {}) => {
    const bridge = await openFixture({ view: withLast({ text: '', calls: [asked, other] }) });
    sessionStore.setState({ turn: fixtureTurn({ state: 'tools' }) });
    renderIn(<WaitingLine />);
    act(() => bridge.emit({ type: 'tool.asks', sessionId: session(1), question: { ...question, ...change } }));
    return bridge;
  };

  it('shows whose tool it is and its arguments, with four ways on, each of which tells main', async () => {
    const bridge = await show();
    const box = screen.getByRole('region', { name: /send.*Mail.*waits for you/ });
    expect(within(box).getByRole('region', { name: 'Arguments' }).textContent).toContain('"text":"We move on Sunday."');
    expect(
      within(box)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Allow once', 'Allow in this chat', 'Always…', 'Don’t allow']);
    expect(screen.getByText('clock').closest('p')?.textContent).toContain('waits');
    for (const name of ['Allow once', 'Allow in this chat', 'Always…', 'Don’t allow']) await press(name);
    expect(askedFor(bridge, 'tools.answer')).toEqual(
      ['once', 'session', 'always', 'deny'].map((answer) => ({ sessionId: session(1), callId: asked.id, answer })),
    );
    expect(screen.queryByText(/has changed since you allowed it/)).toBeNull();
    act(() => bridge.emit({ type: 'tool.asks', sessionId: session(1), question: null }));
    expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull();
    expect(screen.getByText('send').closest('p')?.textContent).toContain('running');
  });

  it('says that it has changed where it was allowed before, and what main refuses', async () => {
    const bridge = await show({ changed: true });
    expect(screen.getByText(/has changed since you allowed it/)).toBeTruthy();
    bridge.handlers['tools.answer'] = () => {
      throw new AppError('already-ended');
    };
    await press('Allow once');
    expect(screen.getByRole('alert').textContent).toContain('It had ended before the click arrived.');
  });

  it('is announced', async () => {
    const bridge = await openFixture({ view: withLast({ text: '', calls: [asked] }) });
    renderIn(<Announcer />);
    vi.useFakeTimers();
    act(() => bridge.emit({ type: 'tool.asks', sessionId: session(1), question }));
    act(() => vi.runAllTimers());
    vi.useRealTimers();
    expect(screen.getByRole('status').textContent).toBe('Mail wants to run send. It waits for your word.');
  });
});

describe('what was recalled', () => {
  it('stands under the question, with the way to each passage and its words', async () => {
    const passages = [
      { seq: 31, role: 'user', text: 'It listens on 8471.' },
      { seq: 118, role: 'assistant', text: 'Noted: 8471.' },
    ] as const;
    await showLast({ role: 'user', usage: null, recalled: passages });
    expect(screen.queryByText('It listens on 8471.')).toBeNull();
    await press(/2 passages recalled/);
    expect(screen.getByRole('list', { name: /Passages recalled/ }).textContent).toContain('It listens on 8471.');
    await press('Go to message 118');
    expect(jumpStore.getState().jump).toMatchObject({ place: 'message', seq: 118 });
  });
});
