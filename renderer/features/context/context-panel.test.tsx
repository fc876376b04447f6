import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { AttemptId, SummaryId, TurnId } from '../../../shared/model/ids';
import type { AttemptRecord, SessionView } from '../../../shared/model/session';
import type { Turn, TurnState } from '../../../shared/model/turn';
import { jumpStore } from '../../stores/jump-store';
import { layoutStore } from '../../stores/layout-store';
import { toastStore } from '../../stores/toast-store';
import { fixtureAttempt } from '../../testing/fixture-attempt';
import { branch, fixturePin, fixtureSpend, message, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { ContextPanel } from './context-panel';

afterEach(closeFixture);

const sessionId = session(1);
const context = {
  parts: { system: 640, pins: 1_480, summary: 1_120, recall: 1_860, tail: 24_310, tools: 3_270 },
  total: 32_680,
  reserve: 4_096,
  window: 65_536,
  trained: null,
  source: 'asked',
  softMark: 36_864,
  hardMark: 49_152,
  pins: [],
  exact: true,
  toolsChanged: false,
} as const;

async function showPanel(change: Partial<SessionView> = {}, records: readonly AttemptRecord[] = []) {
  const bridge = await openFixture({ view: (view) => ({ ...view, context, ...change }) });
  bridge.handlers['compression.attempts'] = () => records;
  bridge.handlers['sessions.spend'] = () => fixtureSpend(new Date().setHours(14, 17));
  await act(async () => renderIn(<ContextPanel />));
  return bridge;
}

const turn: Turn = {
  ...{ id: 1 as TurnId, branchId: branch(1), messageId: message(1), state: 'streaming', reason: null },
  ...{ retryAt: null, elsewhere: false, startedAt: 0, endedAt: null },
};

/** What stands in large at its top. */
const total = () => document.querySelector('.panel-total b')?.textContent;

describe('the context panel', () => {
  it('S77 lists parts that add up, in tokens and in percent', async () => {
    await showPanel();
    const rows = screen.getAllByRole('row').slice(0, 9);
    const cells = rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent));
    expect(cells.at(-1)).toEqual(['Free', '28,760', '43.9 %']);
    const number = (text: string | null | undefined) => Number((text ?? '').replace(/[^\d.]/g, ''));
    const tokens = cells.map((row) => number(row[1]));
    const percents = cells.map((row) => number(row[2]));
    const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0);
    expect(sum(tokens.slice(0, 6))).toBe(tokens[6]);
    expect(sum(tokens.slice(6))).toBe(65_536);
    expect(sum(percents.slice(0, 6))).toBeCloseTo(percents[6] ?? 0, 5);
    expect(sum(percents.slice(6))).toBeCloseTo(100, 5);
  });

  it('says that tools which changed make the next request re-read the whole prompt', async () => {
    await showPanel();
    expect(screen.queryByText(/re-reads the whole prompt/)).toBeNull();
    closeFixture();
    await showPanel({ context: { ...context, toolsChanged: true } });
    expect(screen.getByText(/The tools have changed: the next request re-reads the whole prompt\./)).toBeTruthy();
  });

  it('says how far the marks are and where the window comes from', async () => {
    await showPanel();
    expect(screen.getByText('4,184 to the soft mark. Peak 52,280 (14:17).')).toBeTruthy();
    expect(total()).toBe('32,680');
    expect(screen.getByText('Window set here, confirmed by the server.', { exact: false })).toBeTruthy();
  });

  it('S75 says that an estimate is one, and that a window is unknown', async () => {
    await showPanel({
      context: { ...context, window: null, softMark: null, hardMark: null, exact: false, source: 'unknown' },
    });
    expect(total()).toBe('≈ 32,680');
    expect(screen.getByText('Estimated', { exact: false })).toBeTruthy();
    expect(screen.getByText('does not say how large', { exact: false })).toBeTruthy();
    expect(screen.queryByText('Free')).toBeNull();
  });

  it('S73 says what was spent at a place of its own: never as the fill, and read again when a turn ends', async () => {
    const bridge = await showPanel();
    const spent = within(screen.getByRole('region', { name: 'Spent in this chat' }));
    const rows = () => spent.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows()).toEqual([
      ['', 'Read', 'Written'],
      ['Answers', '1,284,300', '18,640'],
      ['Compressions', '46,200', '2,310'],
    ]);
    const fill = document.querySelector('.panel-body > table')?.textContent;
    expect(total()).toBe('32,680');
    expect(fill).toContain('32,680');
    expect(fill).not.toMatch(/1,284,300|46,200/);

    const answers = { read: 1_317_000, written: 18_700 };
    bridge.handlers['sessions.spend'] = () => ({ ...fixtureSpend(0), answers, uncounted: 2 });
    const turnIs = (state: TurnState) =>
      act(async () => bridge.emit({ type: 'turn.changed', sessionId, turn: { ...turn, state } }));
    await turnIs('streaming');
    expect(rows()[1]).toEqual(['Answers', '1,284,300', '18,640']);
    await turnIs('completed');
    expect(rows()[1]).toEqual(['Answers', '1,317,000', '18,700']);
    expect(total()).toBe('32,680');
    expect(spent.getByText(/^2 answers are not in it/)).toBeTruthy();
  });

  it('S73 says that nothing was spent where nothing was, and shows no peak', async () => {
    const bridge = await openFixture({ view: (view) => ({ ...view, context }) });
    const none = { read: 0, written: 0 };
    bridge.handlers['sessions.spend'] = () => ({ answers: none, compressions: none, uncounted: 0, peak: null });
    await act(async () => renderIn(<ContextPanel />));
    const spent = within(screen.getByRole('region', { name: 'Spent in this chat' }));
    expect(spent.getByText('Nothing yet.')).toBeTruthy();
    expect(spent.queryByRole('table')).toBeNull();
    expect(screen.queryByText(/Peak/)).toBeNull();
  });

  it('compresses by hand, with all strategies or the chosen one', async () => {
    const bridge = await showPanel();
    await act(async () => fireEvent.click(screen.getByText('Compress now')));
    fireEvent.keyDown(screen.getByRole('button', { name: 'Choose how' }), { key: 'Enter' });
    await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: /Extract/ })));
    expect(askedFor(bridge, 'compression.start')).toEqual([
      { sessionId, branchId: branch(1), strategies: ['prune', 'summarize', 'extract'] },
      { sessionId, branchId: branch(1), strategies: ['extract'] },
    ]);
  });

  it('cannot begin a second compression beside a running one', async () => {
    await showPanel({ attempt: fixtureAttempt() });
    expect((screen.getByText('Compressing') as HTMLButtonElement).disabled).toBe(true);
  });

  it('S28 can ask for one beside another window’s, which may hang: the answer says who holds it', async () => {
    const bridge = await showPanel({ attempt: fixtureAttempt({ elsewhere: true }) });
    await act(async () => fireEvent.click(screen.getByText('Compress now')));
    expect(askedFor(bridge, 'compression.start')).toHaveLength(1);
  });

  it('lists attempts with what came of them, and reads them again when one ends', async () => {
    const record = (change: Partial<AttemptRecord>): AttemptRecord => ({
      id: 1 as AttemptId,
      trigger: 'hard-mark',
      strategy: 'summarize',
      outcome: { kind: 'committed', summaryId: 1 as SummaryId },
      startedAt: 0,
      endedAt: 1,
      tokensBefore: 41_300,
      tokensAfter: 1_120,
      ...change,
    });
    const bridge = await showPanel({ attempt: fixtureAttempt() }, [
      record({}),
      record({ id: 2 as AttemptId, trigger: 'soft-mark', outcome: { kind: 'failed', failure: 'stalled' } }),
      record({
        id: 3 as AttemptId,
        trigger: 'soft-mark',
        strategy: null,
        outcome: { kind: 'deferred', why: { kind: 'lease-held', holder: 'x' } },
      }),
    ]);
    const rows = within(screen.getByRole('region', { name: 'Attempts' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent?.slice(5))).toEqual([
      'hard mark, summarize−40,180',
      'soft mark, summarizestalled',
      'soft markother window',
    ]);
    const attempt = fixtureAttempt({ outcome: { kind: 'cancelled', by: 'user' } });
    await act(async () => bridge.emit({ type: 'attempt.changed', sessionId, attempt }));
    expect(askedFor(bridge, 'compression.attempts')).toHaveLength(2);
    expect(askedFor(bridge, 'sessions.spend')).toHaveLength(2);
  });

  it('lists pins with prices that add up to their part, leads to their messages, and takes them away with a way back', async () => {
    const pins = [fixturePin(12, 'Only Sunday 02:00'), fixturePin(240, 'Card data stays', { from: 4, to: 19 })];
    const prices = [
      { id: fixturePin(12, '').id, tokens: 1_480, covered: true },
      { id: fixturePin(240, '').id, tokens: 35, covered: false },
    ];
    const bridge = await showPanel({ pins, context: { ...context, pins: prices } });
    const list = within(screen.getByRole('region', { name: 'Pins' }));
    expect(list.getByRole('heading').textContent).toBe('Pins1,480');
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Only Sunday 02:001,480',
      'Card data staysin place',
    ]);
    fireEvent.click(list.getByRole('button', { name: 'Go to message 240: Card data stays' }));
    expect(jumpStore.getState().jump).toMatchObject({ place: 'message', seq: 240 });
    await act(async () => fireEvent.click(list.getByRole('button', { name: 'Unpin from message 240' })));
    expect(askedFor(bridge, 'pins.remove')).toEqual([{ sessionId, pinId: pins[1]?.id }]);
    const [toast] = toastStore.getState().toasts;
    await act(async () => toast?.kind === 'done' && toast.undo?.run());
    expect(askedFor(bridge, 'pins.add')).toEqual([
      { sessionId, messageId: pins[1]?.messageId, excerpt: { from: 4, to: 19 } },
    ]);
    await act(async () => bridge.emit({ type: 'pins.changed', sessionId, branchId: branch(1), pins: [] }));
    expect(list.getByText(/stays word for word/)).toBeTruthy();
  });

  it('takes who wants to unpin to the first pin', async () => {
    await showPanel({ pins: [fixturePin(12, 'Only Sunday')] });
    await act(async () => layoutStore.getState().pinsWanted());
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Go to message 12: Only Sunday');
    expect(layoutStore.getState().panelOpen).toBe(true);
  });

  it('changes the rules of this chat', async () => {
    const bridge = await showPanel();
    await act(async () => fireEvent.click(screen.getByRole('switch', { name: 'Compress by itself' })));
    expect(askedFor(bridge, 'sessions.setAutomatic')).toEqual([{ sessionId, automatic: 'off' }]);
    const stepper = screen.getByRole('group', { name: 'Keep the last turns as they are' });
    await act(async () => fireEvent.keyDown(stepper, { key: 'ArrowUp' }));
    expect(askedFor(bridge, 'sessions.setKeepTurns')).toEqual([{ sessionId, turns: 7 }]);
  });
});
