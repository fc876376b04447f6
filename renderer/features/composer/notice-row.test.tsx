import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/errors';
import type { Notice } from '../../../shared/model/notice';
import { layoutStore } from '../../stores/layout-store';
import { branch, fixtureContext, fixturePin, ollamaId, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { NoticeList } from './notice-list';
import { NoticeRow } from './notice-row';

afterEach(() => {
  vi.useRealTimers();
  closeFixture();
});

const sessionId = session(1);
const here = { sessionId, branchId: branch(1) };
const until = 100_000_000;
const away: Notice = { kind: 'provider-away', name: 'Ollama', nextTryAt: until };
const backoff: Notice = { kind: 'backoff', strategy: 'summarize', failure: 'stalled', until, times: 2 };
const show = (notice: Notice, onChooseModel = () => undefined) =>
  renderIn(<NoticeRow notice={notice} sessionId={sessionId} onChooseModel={onChooseModel} />);
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

describe('a notice', () => {
  it.each([
    [backoff, 'Try now', 'compression.start', { ...here, strategies: ['prune', 'summarize', 'extract'] }],
    [backoff, 'Use extract', 'compression.start', { ...here, strategies: ['extract'] }],
    [backoff, 'Turn off', 'sessions.setAutomatic', { sessionId, automatic: 'off' }],
    [away, 'Try now', 'providers.test', { providerId: ollamaId }],
    [{ kind: 'waiting-messages', count: 2 } as Notice, 'Send 2 waiting messages', 'turns.sendAgain', here],
    [{ kind: 'turn-interrupted', hasText: true } as Notice, 'Continue', 'turns.continue', here],
    [{ kind: 'review-rejected' } as Notice, 'Compress again', 'turns.sendAgain', here],
    [
      { kind: 'review-rejected' } as Notice,
      'Compress without review',
      'sessions.setReview',
      { sessionId, review: false },
    ],
    [{ kind: 'recovering', until } as Notice, 'Stop waiting', 'compression.stopRecovering', { sessionId }],
    [{ kind: 'recover-alive' } as Notice, 'Dismiss', 'compression.stopRecovering', { sessionId }],
    [{ kind: 'window-learned', id: 4, served: 1, trained: null } as Notice, 'Keep', 'notices.dismiss', { id: 4 }],
  ])('%#: does what its button says', async (notice, name, route, input) => {
    const bridge = await openFixture();
    show(notice);
    await press(name);
    expect(askedFor(bridge, route)).toEqual([input]);
  });

  it.each([true, false])(
    'turns automatic compression on where it was off, everywhere too: it was on there: %s',
    async (on) => {
      const bridge = await openFixture({
        change: (snapshot) => ({ ...snapshot, settings: { ...snapshot.settings, automaticCompression: on } }),
      });
      show({ kind: 'deferred', why: { kind: 'auto-off' }, retryAt: null, canSendNow: false, hasText: false });
      await press('Turn on and send');
      expect(askedFor(bridge, 'sessions.setAutomatic')).toEqual([{ sessionId, automatic: 'on' }]);
      expect(askedFor(bridge, 'settings.change')).toEqual(on ? [] : [{ automaticCompression: true }]);
      expect(askedFor(bridge, 'turns.sendAgain')).toEqual([here]);
    },
  );

  it('offers another window only where one can be asked for or entered', async () => {
    const learned: Notice = { kind: 'window-learned', id: 4, served: 4_096, trained: 131_072 };
    await openFixture({
      view: (view) => ({ ...view, context: { ...fixtureContext(4_096, 100), source: 'learned', trained: 131_072 } }),
    });
    show(learned);
    await press('Raise it…');
    expect(layoutStore.getState()).toMatchObject({ panelOpen: true, windowAsked: true });
    closeFixture();
    await openFixture({
      change: (snapshot) => ({
        ...snapshot,
        providers: snapshot.providers.map((one) => ({ ...one, kind: 'openai' as const })),
      }),
      view: (view) => ({ ...view, context: { ...fixtureContext(4_096, 100), source: 'learned', trained: 131_072 } }),
    });
    show(learned);
    expect(screen.queryByRole('button', { name: 'Raise it…' })).toBeNull();
  });

  it('opens the picker for another model and asks main for nothing', async () => {
    const bridge = await openFixture();
    const chosen = vi.fn();
    show(away, chosen);
    const before = bridge.asked.length;
    await press('Use another model');
    expect(chosen).toHaveBeenCalledOnce();
    expect(bridge.asked).toHaveLength(before);
  });

  it('is read out once, with its numbers, and its countdown never', async () => {
    await openFixture();
    vi.useFakeTimers({ now: until - 8_000 });
    const list = (notices: readonly Notice[]) => (
      <NoticeList notices={notices} sessionId={sessionId} onChooseModel={() => undefined} />
    );
    const view = renderIn(list([]));
    const said = () => screen.getByRole('status').textContent;
    view.rerender(list([away]));
    expect(said()).toBe('Ollama isn’t answering. Messages are saved and wait.');
    expect(screen.getByRole('timer').textContent).toContain('Next try in 0:08');
    act(() => vi.advanceTimersByTime(3_000));
    expect(screen.getByRole('timer').textContent).toContain('Next try in 0:05');
    view.rerender(list([{ ...away, nextTryAt: until + 60_000 }]));
    expect(said()).toBe('Ollama isn’t answering. Messages are saved and wait.');
    const numbers = { needTokens: 7_410, windowTokens: 8_192, usableTokens: 6_144 };
    view.rerender(list([{ kind: 'exhausted', numbers }, away]));
    expect(said()).toBe(
      'This can’t be sent. What has to stay is 7,410 tokens, the window of 8,192 leaves 6,144 for it. Compressing can’t help.',
    );
    act(() => vi.advanceTimersByTime(90_000));
    expect(screen.getByRole('timer').textContent).toContain('0:00');
  });

  it('goes when the pause that it tells of is over', async () => {
    await openFixture();
    vi.useFakeTimers({ now: until - 2_000 });
    const growth: Notice = { ...backoff, strategy: 'extract', failure: 'nothing-to-gain', until: null };
    renderIn(<NoticeList notices={[backoff, growth]} sessionId={sessionId} onChooseModel={() => undefined} />);
    expect(screen.getAllByRole('button', { name: 'Try now' })).toHaveLength(2);
    act(() => vi.advanceTimersByTime(3_000));
    expect(screen.getAllByRole('button', { name: 'Try now' })).toHaveLength(1);
    expect(screen.queryByRole('timer')).toBeNull();
  });

  it('offers ways on from an exhausted window, none of which runs by itself', async () => {
    const bridge = await openFixture();
    const chosen = vi.fn();
    show({ kind: 'exhausted', numbers: { needTokens: 9_410, windowTokens: 8_192 } }, chosen);
    expect(askedFor(bridge, 'turns.sendAgain')).toHaveLength(0);
    await act(async () => fireEvent.click(screen.getByText('Another model')));
    expect(chosen).toHaveBeenCalledOnce();
    await act(async () => fireEvent.click(screen.getByText('Shorter tail')));
    expect(askedFor(bridge, 'sessions.setKeepTurns')).toEqual([{ sessionId, turns: 1 }]);
    expect(askedFor(bridge, 'turns.sendAgain')).toEqual([here]);
  });

  it('leads who has pins from an exhausted window to them', async () => {
    const id = fixturePin(4, '').id;
    const pins = [
      { id, tokens: 3_000, covered: true },
      { id: fixturePin(6, '').id, tokens: 120, covered: false },
    ];
    await openFixture({ view: (view) => ({ ...view, context: { ...fixtureContext(8_192, 9_000), pins } }) });
    show({ kind: 'exhausted', numbers: { needTokens: 9_410, windowTokens: 8_192 } });
    expect(screen.getByText('2 pins, 3,120 tokens')).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByText('Unpin')));
    expect(layoutStore.getState()).toMatchObject({ panelOpen: true, pinsFocus: 1 });
  });

  it('stays and says why when main refuses', async () => {
    const bridge = await openFixture();
    bridge.handlers['compression.start'] = () => {
      throw new AppError('held-elsewhere');
    };
    show(backoff);
    await press('Try now');
    expect(screen.getByRole('alert').textContent).toContain('Another window');
  });
});
