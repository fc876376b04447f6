import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors';
import {
  type Attempt,
  type AttemptOutcome,
  type AttemptPhase,
  attemptPhases,
  failureKinds,
} from '../../../shared/model/compression';
import type { SummaryId } from '../../../shared/model/ids';
import { sessionStore } from '../../stores/session-store';
import { fixtureAttempt } from '../../testing/fixture-attempt';
import { branch, fixtureSummary, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { CompressionCard } from './compression-card';
import { CompressionStatusLine } from './compression-status-line';

afterEach(closeFixture);

const ended = (outcome: AttemptOutcome, change: Partial<Attempt> = {}) =>
  fixtureAttempt({ phase: 'ended', outcome, endedAt: 1_248_000, ...change });
const title = () => screen.getByRole('heading', { level: 2 }).textContent;

describe('the running card', () => {
  const words: Record<AttemptPhase, string> = {
    waiting: 'Waiting its turn',
    connecting: 'Connecting to qwen3:30b',
    loading: 'Loading qwen3:30b',
    reading: 'Reading 3 of 9',
    writing: 'Writing',
    checking: 'Checking',
    saving: 'Saving',
    stopping: 'Stopping the model',
    ended: 'Stopping the model', // until its outcome is here
  };

  it.each(attemptPhases)('says %s in words, the same in the card and in the status line', async (phase) => {
    await openFixture();
    renderIn(<CompressionCard attempt={fixtureAttempt({ phase })} />);
    expect(title()).toBe(words[phase]);
    const { container } = renderIn(<CompressionStatusLine attempt={fixtureAttempt({ phase })} />);
    expect(container.textContent?.toLowerCase()).toContain(words[phase].toLowerCase());
  });

  it('names what is read and counts tokens both ways', async () => {
    await openFixture();
    renderIn(<CompressionCard attempt={fixtureAttempt()} />);
    expect(screen.getByText('messages 71 to 98')).toBeTruthy();
    const card = screen.getByRole('region', { name: 'Compression' });
    expect(card.textContent).toContain('12,040 of 41,300 tokens read');
    expect(card.textContent).toContain('318 written');
  });

  it('keeps the bar and says "again" when a part starts over', async () => {
    await openFixture();
    const view = renderIn(<CompressionCard attempt={fixtureAttempt({ chunkShare: 0.8 })} />);
    view.rerender(<CompressionCard attempt={fixtureAttempt({ chunkShare: 0.1 })} />);
    expect(title()).toBe('Reading 3 of 9 again');
    const fills = [...view.container.querySelectorAll('.chunk')].map((each) => Number(each.getAttribute('data-fill')));
    expect(fills[2]).toBeCloseTo(0.8);
  });

  it('waits for the other window, whatever phase that one is in; its ways on are in the notice', async () => {
    await openFixture();
    renderIn(<CompressionCard attempt={fixtureAttempt({ elsewhere: true, chunksDone: 6, turnWaits: true })} />);
    expect(title()).toBe('Waiting for the other window');
    expect(screen.getByText('it is at 7 of 9')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('cancels its own attempt, and offers that no more while the worker is being stopped', async () => {
    const bridge = await openFixture();
    const view = renderIn(<CompressionCard attempt={fixtureAttempt()} />);
    await act(async () => fireEvent.click(screen.getByText('Cancel')));
    expect(askedFor(bridge, 'compression.cancel')).toEqual([{ sessionId: session(1), attemptId: 1 }]);
    view.rerender(<CompressionCard attempt={fixtureAttempt({ phase: 'stopping' })} />);
    expect((screen.getByText('Cancel') as HTMLButtonElement).disabled).toBe(true);
  });

  it('goes on without the model when asked, and then says why none is used', async () => {
    const bridge = await openFixture();
    const view = renderIn(<CompressionCard attempt={fixtureAttempt()} />);
    await act(async () => fireEvent.click(screen.getByText('Skip model, use extract')));
    expect(askedFor(bridge, 'compression.skipModel')).toHaveLength(1);
    view.rerender(
      <CompressionCard attempt={fixtureAttempt({ strategy: 'extract', model: null, noModel: 'cannot-summarize' })} />,
    );
    expect(view.container.textContent).toContain('the practice model can only repeat');
    expect(screen.queryByText('Skip model, use extract')).toBeNull();
  });

  it('sends now only where the request fits and the turn waits', async () => {
    const bridge = await openFixture();
    const view = renderIn(<CompressionCard attempt={fixtureAttempt({ need: 'must', turnWaits: true })} />);
    expect(screen.queryByText('Send now')).toBeNull();
    view.rerender(<CompressionCard attempt={fixtureAttempt({ need: 'pressure', turnWaits: true })} />);
    await act(async () => fireEvent.click(screen.getByText('Send now')));
    expect(askedFor(bridge, 'turns.sendNow')).toHaveLength(1);
  });

  it.each([
    ['off', false, false],
    ['line', true, false],
    ['full', false, true],
  ] as const)('shows the growing summary as the setting says: %s', async (newestLine, line, full) => {
    await openFixture({ settings: { newestLine } });
    const { container } = renderIn(<CompressionCard attempt={fixtureAttempt()} />);
    expect(container.textContent?.includes('Cut over on Sunday')).toBe(line);
    expect(container.textContent?.includes('Decisions: cut over')).toBe(full);
  });
});

describe('the ended card', () => {
  const summary = fixtureSummary(212, 1_248_000);
  const committed: AttemptOutcome = { kind: 'committed', summaryId: summary.id };

  it('becomes the receipt and leads to the summary', async () => {
    await openFixture({ view: (view) => ({ ...view, summaries: [summary] }) });
    const shown: SummaryId[] = [];
    renderIn(
      <CompressionCard
        attempt={ended(committed, { tokensBefore: 41_300, tokensAfter: 1_120 })}
        onShowSummary={(id) => shown.push(id)}
      />,
    );
    const card = screen.getByRole('region', { name: 'Compression' });
    expect(card.textContent).toContain('Compressed41,300 → 1,120 tokens4:08');
    expect(card.textContent).toContain('44 of 44 anchors kept, 3 of them restored word for word');
    fireEvent.click(screen.getByText('Show summary'));
    expect(shown).toEqual([summary.id]);
  });

  it('rolls back from the receipt', async () => {
    const bridge = await openFixture({ view: (view) => ({ ...view, summaries: [summary] }) });
    renderIn(<CompressionCard attempt={ended(committed)} />);
    await act(async () => fireEvent.click(screen.getByText('Roll back')));
    expect(askedFor(bridge, 'compression.undo')).toEqual([{ sessionId: session(1), summaryId: summary.id }]);
  });

  it('says that lines stand for long messages, and sends them whole again', async () => {
    const stubs = [3, 5].map((seq) => ({ seq, text: 'a line', summaryId: summary.id }));
    const bridge = await openFixture({ view: (view) => ({ ...view, stubs }) });
    const counts = { tokensShown: 7_873, tokensBefore: 7_873, tokensAfter: 476 };
    const attempt = ended(committed, { strategy: 'prune', ...counts });
    renderIn(
      <>
        <CompressionCard attempt={attempt} />
        <CompressionStatusLine attempt={attempt} />
      </>,
    );
    expect(screen.getByText('2 long messages are sent as one line each; they stay here as they are.')).toBeTruthy();
    expect(screen.getByText(/next request is 7,397 tokens smaller/)).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByText('Send these 2 whole again')));
    expect(askedFor(bridge, 'compression.undo')).toEqual([{ sessionId: session(1), summaryId: summary.id }]);
    act(() => sessionStore.getState().stubsChanged(branch(1), []));
    expect(title()).toBe('Compressed, then rolled back');
    expect(screen.queryByText(/whole again/)).toBeNull();
  });

  it('says why an extract was made', async () => {
    await openFixture({ view: (view) => ({ ...view, summaries: [summary] }) });
    const { container } = renderIn(
      <CompressionCard attempt={ended(committed, { noModel: 'cannot-summarize', model: null })} />,
    );
    expect(container.textContent).toContain('the practice model can only repeat');
  });

  it('says what stalled, what is kept and when it goes on', async () => {
    const bridge = await openFixture();
    const until = new Date(2026, 2, 20, 14, 32).getTime();
    const { container } = renderIn(
      <CompressionCard
        attempt={ended({ kind: 'failed', failure: 'stalled' }, { chunksDone: 3, pausedUntil: until })}
      />,
    );
    expect(title()).toBe('The model stalled');
    expect(container.textContent).toContain('in part 4');
    expect(container.textContent).toContain('Parts 1 to 3 are kept for the next try, at 14:32.');
    await act(async () => fireEvent.click(screen.getByText('Try now')));
    await act(async () => fireEvent.click(screen.getByText('Use extract')));
    expect(askedFor(bridge, 'compression.start')).toEqual([
      { sessionId: session(1), branchId: branch(1), strategies: ['prune', 'summarize', 'extract'] },
      { sessionId: session(1), branchId: branch(1), strategies: ['extract'] },
    ]);
  });

  const outcomes: readonly AttemptOutcome[] = [
    committed,
    { kind: 'proposed', summaryId: summary.id },
    { kind: 'nothing-to-do', reason: 'nothing-covered' },
    { kind: 'nothing-to-do', reason: 'nothing-to-gain' },
    { kind: 'deferred', why: { kind: 'lease-held', holder: 'x' } },
    { kind: 'deferred', why: { kind: 'backoff', until: 0 } },
    { kind: 'deferred', why: { kind: 'worker-exiting' } },
    { kind: 'deferred', why: { kind: 'model-busy' } },
    ...(['user', 'unwind', 'quit'] as const).map((by) => ({ kind: 'cancelled', by }) as const),
    ...(['newer', 'undo', 'edit', 'bin'] as const).map((by) => ({ kind: 'superseded', by }) as const),
    ...failureKinds.map((failure) => ({ kind: 'failed', failure }) as const),
  ];

  it.each(outcomes)('tells $kind $failure $by in words and shows nothing as running', async (outcome) => {
    await openFixture();
    const { container } = renderIn(<CompressionCard attempt={ended(outcome)} />);
    expect(title()).toMatch(/^[A-Z][^{}.]+$/);
    expect(container.textContent).not.toMatch(/compression\.|\{\{/);
    expect(screen.queryByText('Cancel')).toBeNull();
    expect(container.querySelector('.newest')).toBeNull();
  });

  it('shows a refusal where the button stands', async () => {
    const bridge = await openFixture();
    bridge.handlers['compression.start'] = () => {
      throw new AppError('busy');
    };
    renderIn(<CompressionCard attempt={ended({ kind: 'failed', failure: 'died' })} />);
    await act(async () => fireEvent.click(screen.getByText('Try now')));
    expect(screen.getByRole('alert').textContent).toMatch(/busy/);
  });
});
