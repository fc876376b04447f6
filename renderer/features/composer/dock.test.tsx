import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/errors';
import type { SessionView } from '../../../shared/model/session';
import { openSession } from '../../stores/open-session';
import { fixtureTurn } from '../../testing/fixture-attempt';
import { session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { Dock } from './dock';
import { DRAFT_PAUSE_MS } from './use-draft';

afterEach(() => {
  vi.useRealTimers();
  closeFixture();
});

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const press = (key: string, more: object = {}) => act(async () => fireEvent.keyDown(field(), { key, ...more }));
const look = () => document.querySelector('.send')?.getAttribute('data-look');

async function showDock(view: (view: SessionView) => SessionView = (same) => same) {
  const bridge = await openFixture({ view });
  const rendered = renderIn(<Dock />);
  return { bridge, ...rendered };
}

describe('sending', () => {
  it('sends with Enter under an id of its own and empties the field', async () => {
    const { bridge } = await showDock();
    type('Hello');
    await press('Enter');
    const [sent] = askedFor(bridge, 'messages.send') as { id: string; text: string }[];
    expect(sent).toMatchObject({ sessionId: session(1), text: 'Hello' });
    expect(sent?.id).toMatch(/^[0-9a-f]{8}-/);
    expect(field().value).toBe('');
  });

  it('breaks the line with Shift and Enter', async () => {
    const { bridge } = await showDock();
    type('Hello');
    await press('Enter', { shiftKey: true });
    expect(askedFor(bridge, 'messages.send')).toHaveLength(0);
  });

  it.each([{ isComposing: true }, { keyCode: 229 }])('never sends while an input method composes: %o', async (how) => {
    const { bridge } = await showDock();
    type('你');
    await press('Enter', how);
    expect(askedFor(bridge, 'messages.send')).toHaveLength(0);
    expect(field().value).toBe('你');
  });

  it('sends nothing that is blank', async () => {
    const { bridge } = await showDock();
    type(' \n ');
    await press('Enter');
    expect(askedFor(bridge, 'messages.send')).toHaveLength(0);
  });

  it('puts a text back that was not sent, before what was typed meanwhile, and repeats it under the same id', async () => {
    const { bridge } = await showDock();
    let refuse: ((error: AppError) => void) | undefined;
    bridge.handlers['messages.send'] = () => new Promise((_, reject) => (refuse = reject));
    type('First');
    await press('Enter');
    type('Second');
    await act(async () => refuse?.(new AppError('busy')));
    expect(field().value).toBe('First\n\nSecond');
    expect(screen.getByRole('alert')).toBeTruthy();

    delete bridge.handlers['messages.send'];
    type('First');
    await press('Enter');
    const ids = (askedFor(bridge, 'messages.send') as { id: string }[]).map((each) => each.id);
    expect(ids[1]).toBe(ids[0]);
  });
});

describe('the send button', () => {
  it('has four looks', async () => {
    const { bridge } = await showDock();
    expect(look()).toBe('nothing');
    type('Hello');
    expect(look()).toBe('ready');
    act(() => bridge.emit({ type: 'turn.changed', sessionId: session(1), turn: fixtureTurn() }));
    expect(look()).toBe('adds');
    type('');
    expect(look()).toBe('stop');
    act(() => bridge.emit({ type: 'turn.changed', sessionId: session(1), turn: fixtureTurn({ state: 'completed' }) }));
    expect(look()).toBe('nothing');
  });

  it('is never a lock: while busy, Enter adds', async () => {
    const { bridge } = await showDock((view) => ({ ...view, turn: fixtureTurn() }));
    expect(field().disabled).toBe(false);
    expect(screen.getByText('Enter adds to the waiting messages')).toBeTruthy();
    type('And this');
    await press('Enter');
    expect(askedFor(bridge, 'messages.send')).toHaveLength(1);
  });

  it.each(['button', 'Escape'])('stops a running turn by %s', async (how) => {
    const { bridge } = await showDock((view) => ({ ...view, turn: fixtureTurn() }));
    if (how === 'Escape') await press('Escape');
    else await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Stop' })));
    expect(askedFor(bridge, 'turns.stop')).toEqual([{ sessionId: session(1) }]);
  });

  it('leaves Escape to others when nothing runs', async () => {
    const { bridge } = await showDock();
    await press('Escape');
    expect(askedFor(bridge, 'turns.stop')).toHaveLength(0);
  });
});

describe('the draft', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  const saved = (bridge: { asked: readonly { route: string; input: unknown }[] }) =>
    bridge.asked.filter((each) => each.route === 'sessions.saveDraft').map((each) => each.input);

  it('is there when the session opens', async () => {
    await showDock((view) => ({ ...view, draft: 'Half a sentence' }));
    expect(field().value).toBe('Half a sentence');
  });

  it('is stored once, after a pause', async () => {
    const { bridge } = await showDock();
    type('H');
    type('He');
    act(() => vi.advanceTimersByTime(DRAFT_PAUSE_MS - 1));
    expect(saved(bridge)).toEqual([]);
    act(() => vi.advanceTimersByTime(1));
    expect(saved(bridge)).toEqual([{ sessionId: session(1), draft: 'He' }]);
  });

  it('is stored at once when the field is left', async () => {
    const { bridge } = await showDock();
    type('Going away');
    fireEvent.blur(field());
    expect(saved(bridge)).toEqual([{ sessionId: session(1), draft: 'Going away' }]);
    act(() => vi.advanceTimersByTime(DRAFT_PAUSE_MS));
    expect(saved(bridge)).toHaveLength(1);
  });

  it('is stored with its own session when another opens, whose draft then shows', async () => {
    const { bridge } = await showDock();
    type('Of the first');
    await act(async () => openSession(session(2), null));
    expect(saved(bridge)).toEqual([{ sessionId: session(1), draft: 'Of the first' }]);
    expect(field().value).toBe('');
    act(() => vi.advanceTimersByTime(DRAFT_PAUSE_MS));
    expect(saved(bridge)).toHaveLength(1);
  });

  it('is stored when the window closes', async () => {
    const { bridge, unmount } = await showDock();
    type('Last words');
    unmount();
    expect(saved(bridge)).toEqual([{ sessionId: session(1), draft: 'Last words' }]);
  });

  it('survives that the view is taken again', async () => {
    await showDock();
    type('Typing');
    await act(async () => openSession(session(1), null));
    expect(field().value).toBe('Typing');
  });
});

describe('earlier prompts', () => {
  it('come back with Up in an empty field, newest first, and go with Down', async () => {
    const { bridge } = await showDock();
    const mine = [1, 2].map((back) => bridge.message(bridge.lastSeq + 1 - 2 * back).text);
    await press('ArrowUp');
    expect(field().value).toBe(mine[0]);
    await press('ArrowUp');
    expect(field().value).toBe(mine[1]);
    await press('ArrowDown');
    await press('ArrowDown');
    expect(field().value).toBe('');
  });

  it('leave a text alone that is being written', async () => {
    await showDock();
    type('Mine');
    await press('ArrowUp');
    expect(field().value).toBe('Mine');
  });
});
