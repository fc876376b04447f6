import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/errors';
import type { Message } from '../../../shared/model/message';
import type { ShowHandlers } from '../../stores/event-router';
import { sessionStore } from '../../stores/session-store';
import { fixtureTurn } from '../../testing/fixture-attempt';
import type { FixtureBridge } from '../../testing/fixture-bridge';
import { branch, message } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { beginAnew, summoned } from './quick-acts';
import { QuickChat } from './quick-chat';
import { FRESH_AFTER_MS } from './quick-state';
import { LEAST_HEIGHT, MOST_HEIGHT, wantedHeight } from './use-window-height';

afterEach(closeFixture);

let clock = 1_000_000_000_000;
const shows: ShowHandlers = {
  session: () => undefined,
  page: () => undefined,
  summoned: () => summoned(clock),
};
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const summon = (bridge: FixtureBridge) => act(async () => bridge.emit({ type: 'quickChat.summoned' }));
const key = (name: string, more: object = {}) => act(async () => fireEvent.keyDown(field(), { key: name, ...more }));
const openId = () => sessionStore.getState().sessionId;

async function showQuick() {
  const bridge = await openFixture({}, { shows, open: false });
  beginAnew();
  renderIn(<QuickChat />);
  await summon(bridge);
  return bridge;
}
async function ask(text: string) {
  fireEvent.change(field(), { target: { value: text } });
  await key('Enter');
}
function said(seq: number, change: Partial<Message>): Message {
  return {
    id: message(seq),
    branchId: branch(1),
    seq,
    role: 'user',
    status: 'complete',
    text: '',
    files: [],
    usage: null,
    calls: [],
    result: null,
    recalled: [],
    turnId: null,
    createdAt: 0,
    siblings: null,
    ...change,
  };
}

describe('the quick chat', () => {
  it('has the caret in the field with each summons', async () => {
    const bridge = await showQuick();
    expect(document.activeElement).toBe(field());
    field().blur();
    await summon(bridge);
    expect(document.activeElement).toBe(field());
  });

  it('names the model that a new chat would take, which main may have chosen', async () => {
    const bridge = await showQuick();
    expect(screen.getByRole('button', { name: 'Choose a model' })).toBeTruthy();
    const [provider] = bridge.snapshot().providers;
    const model = provider?.models[0];
    if (!provider || !model) throw new Error('no model');
    const defaultModel = { providerId: provider.id, model: model.model };
    await act(async () => bridge.emit({ type: 'providers.changed', providers: [provider], defaultModel }));
    expect(screen.getByRole('button', { name: new RegExp(`^Model: ${model.name}`) })).toBeTruthy();
  });

  it('makes its session with the first question and asks follow-ups in the same', async () => {
    const bridge = await showQuick();
    expect(askedFor(bridge, 'sessions.create')).toHaveLength(0);
    await ask('First');
    const first = openId();
    await ask('Second');
    expect(askedFor(bridge, 'sessions.create')).toHaveLength(1);
    expect(askedFor(bridge, 'messages.send')).toMatchObject([
      { sessionId: first, text: 'First' },
      { sessionId: first, text: 'Second' },
    ]);
  });

  it('shows the question in the head and the answer as it comes', async () => {
    const bridge = await showQuick();
    await ask('How?');
    const sessionId = openId();
    if (sessionId === null) throw new Error('no session was opened');
    const answer = said(2, { role: 'assistant', status: 'streaming', text: 'Like' });
    await act(async () =>
      bridge.emit(
        { type: 'message.added', sessionId, message: said(1, { text: 'How?' }) },
        { type: 'turn.changed', sessionId, turn: fixtureTurn() },
        { type: 'message.added', sessionId, message: answer },
      ),
    );
    expect(screen.getByRole('heading').textContent).toBe('How?');
    expect(await screen.findByText('Like')).toBeTruthy();
    await act(async () =>
      bridge.emit({ type: 'message.delta', sessionId, messageId: answer.id, at: 4, text: ' this' }),
    );
    expect(await screen.findByText('Like this')).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Stop' })));
    expect(askedFor(bridge, 'turns.stop')).toEqual([{ sessionId }]);
  });

  it('lets a call that waits be answered in place', async () => {
    const bridge = await showQuick();
    await ask('How?');
    const sessionId = openId();
    if (sessionId === null) throw new Error('no session was opened');
    const call = { id: 'c00000001', name: 'mail__send', args: '{"to":"all"}' };
    await act(async () =>
      bridge.emit(
        { type: 'message.added', sessionId, message: said(1, { text: 'How?' }) },
        { type: 'message.added', sessionId, message: said(2, { role: 'assistant', calls: [call] }) },
        { type: 'turn.changed', sessionId, turn: fixtureTurn({ state: 'tools' }) },
        {
          type: 'tool.asks',
          sessionId,
          question: { callId: call.id, server: 'Mail', tool: 'send', changed: false },
        },
      ),
    );
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Don’t allow' })));
    expect(askedFor(bridge, 'tools.answer')).toEqual([{ sessionId, callId: call.id, answer: 'deny' }]);
  });

  it.each([
    ['stopped', 'user', 'Not answered. Your question is saved.', 'Send again', 'turns.sendAgain'],
    ['stopped', 'assistant', 'Stopped. What was written is kept.', 'Continue', 'turns.continue'],
    ['interrupted', 'assistant', 'Interrupted. What was written is kept.', 'Continue', 'turns.continue'],
    ['failed', 'assistant', 'Not answered. Your question is saved.', 'Continue', 'turns.continue'],
    ['failed', 'user', 'Not answered. Your question is saved.', 'Send again', 'turns.sendAgain'],
  ] as const)(
    'a turn that %s after a message of the %s says so and offers a way on',
    async (state, role, text, way, route) => {
      const bridge = await showQuick();
      await ask('How?');
      const sessionId = openId();
      if (sessionId === null) throw new Error('no session was opened');
      await act(async () =>
        bridge.emit(
          { type: 'message.added', sessionId, message: said(1, { role }) },
          { type: 'turn.changed', sessionId, turn: fixtureTurn({ state }) },
        ),
      );
      expect(screen.getByRole('status').textContent).toBe(text);
      await act(async () => fireEvent.click(screen.getByRole('button', { name: way })));
      expect(askedFor(bridge, route)).toMatchObject([{ sessionId }]);
    },
  );

  it('begins anew when summoned after ten minutes, not before', async () => {
    const bridge = await showQuick();
    await ask('First');
    const first = openId();
    clock = Date.now() + FRESH_AFTER_MS - 5_000;
    await summon(bridge);
    expect(openId()).toBe(first);
    clock += FRESH_AFTER_MS;
    await summon(bridge);
    expect(openId()).toBeNull();
  });

  it('never leaves an answer that still comes', async () => {
    const bridge = await showQuick();
    await ask('First');
    const sessionId = openId();
    if (sessionId === null) throw new Error('no session was opened');
    const growing = said(1, { role: 'assistant', status: 'streaming' });
    await act(async () => bridge.emit({ type: 'message.added', sessionId, message: growing }));
    clock = Date.now() + 10 * FRESH_AFTER_MS;
    await summon(bridge);
    expect(openId()).toBe(sessionId);
  });

  it('hides with Escape, but not while an input method or a menu has the key', async () => {
    const bridge = await showQuick();
    await key('Escape', { isComposing: true });
    fireEvent.keyDown(screen.getByRole('button', { name: /model/i }), { key: 'Enter' });
    await act(async () => fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' }));
    expect(askedFor(bridge, 'quickChat.hide')).toHaveLength(0);
    await key('Escape');
    expect(askedFor(bridge, 'quickChat.hide')).toHaveLength(1);
  });

  it('moves its chat to the main window with one key and is free for another', async () => {
    const bridge = await showQuick();
    await ask('First');
    const sessionId = openId();
    await key('o', { ctrlKey: true });
    expect(askedFor(bridge, 'quickChat.moveToMain')).toEqual([{ sessionId }]);
    expect(openId()).toBeNull();
  });

  it('begins anew by key', async () => {
    await showQuick();
    await ask('First');
    await key('n', { ctrlKey: true });
    expect(openId()).toBeNull();
  });

  it('puts a question back that could not be asked', async () => {
    const bridge = await showQuick();
    bridge.handlers['messages.send'] = () => {
      throw new AppError('disk-full');
    };
    await ask('Mine');
    expect(field().value).toBe('Mine');
    expect(screen.getByRole('alert').textContent).toContain('disk is full');
  });

  it('stays on top when pinned, until it hides', async () => {
    const bridge = await showQuick();
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Keep on top' })));
    expect(askedFor(bridge, 'quickChat.pin')).toEqual([{ pinned: true }]);
    expect(screen.getByRole('button', { name: 'Don’t keep on top' }).getAttribute('aria-pressed')).toBe('true');
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    hidden.mockRestore();
    expect(screen.getByRole('button', { name: 'Keep on top' }).getAttribute('aria-pressed')).toBe('false');
  });

  it('wants the height of its answers, within bounds', () => {
    expect(wantedHeight(10, 100)).toBe(LEAST_HEIGHT);
    expect(wantedHeight(400.2, 120)).toBe(521);
    expect(wantedHeight(4_000, 120)).toBe(MOST_HEIGHT);
  });
});
