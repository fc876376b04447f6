import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors';
import { chooseRange, rangeStore } from '../../stores/range-store';
import { sessionStore } from '../../stores/session-store';
import type { FixtureBridge } from '../../testing/fixture-bridge';
import { branch, fixtureSummary, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { RangeBar } from './range-bar';

afterEach(() => {
  rangeStore.getState().choiceEnded();
  closeFixture();
});

async function showBar(): Promise<FixtureBridge> {
  const bridge = await openFixture({
    view: (view) => ({ ...view, summaries: [fixtureSummary(212, 1_000_000)] }),
  });
  renderIn(<RangeBar />);
  return bridge;
}
const field = (name: string) => screen.getByRole('spinbutton', { name }) as HTMLInputElement;
const said = (words: string | RegExp) => waitFor(() => expect(screen.getByRole('status').textContent).toMatch(words));

describe('choosing a range', () => {
  it('begins with what no summary covers yet, and says what covering it would gain', async () => {
    await showBar();
    expect(screen.queryByRole('region')).toBeNull();
    act(chooseRange);
    expect([field('from message').value, field('to').value]).toEqual(['213', '246']);
    expect(document.activeElement).toBe(field('from message'));
    await said('9,200 tokens now, about 640 afterwards.');
  });

  it('says so where whole turns or summaries take in more, and marks what is taken in', async () => {
    const bridge = await showBar();
    bridge.handlers['compression.previewRange'] = () => ({
      kind: 'range',
      from: 211,
      to: 232,
      tokensNow: 5_000,
      tokensAfter: 600,
    });
    act(() => rangeStore.getState().rangeChosen({ from: 212, to: 231 }));
    await said(/^Whole turns and summaries: messages 211 to 232\. 5,000 tokens now/);
    expect(rangeStore.getState().whole).toEqual({ from: 211, to: 232 });
  });

  it.each([
    ['inside-summary', /A summary covers these messages already/],
    ['nothing-to-gain', /Too short/],
    ['nothing-covered', /waits for its answer/],
  ] as const)('cannot begin where there is %s', async (reason, words) => {
    const bridge = await showBar();
    bridge.handlers['compression.previewRange'] = () => ({ kind: 'nothing', reason });
    act(chooseRange);
    await said(words);
    expect((screen.getByRole('button', { name: 'Compress' }) as HTMLButtonElement).disabled).toBe(true);
  });

  it('compresses what is chosen; a refusal keeps it open', async () => {
    const bridge = await showBar();
    act(chooseRange);
    await said('9,200');
    fireEvent.change(field('from message'), { target: { value: '220' } });
    fireEvent.change(field('from message'), { target: { value: '999' } }); // no such message: the last one counts
    await waitFor(() =>
      expect(askedFor(bridge, 'compression.previewRange').at(-1)).toMatchObject({ range: { from: 220, to: 246 } }),
    );
    bridge.handlers['compression.start'] = () => {
      throw new AppError('nothing-to-compress');
    };
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Compress' })));
    expect(screen.getByRole('alert')).toBeTruthy();
    bridge.handlers['compression.start'] = () => undefined;
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Compress' })));
    expect(askedFor(bridge, 'compression.start').at(-1)).toEqual({
      sessionId: session(1),
      branchId: branch(1),
      strategies: ['prune', 'summarize', 'extract'],
      range: { from: 220, to: 246 },
    });
    expect(screen.queryByRole('region')).toBeNull();
  });

  it('ends with Escape, and with the path it is of', async () => {
    await showBar();
    act(chooseRange);
    fireEvent.keyDown(field('to'), { key: 'Escape' });
    expect(screen.queryByRole('region')).toBeNull();
    act(chooseRange);
    act(() => sessionStore.setState({ opened: 99 }));
    expect(rangeStore.getState().chosen).toBeNull();
  });
});
