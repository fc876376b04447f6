import { act, fireEvent } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Attempt } from '../../../shared/model/compression';
import { jumpStore } from '../../stores/jump-store';
import { sessionStore } from '../../stores/session-store';
import { fixtureAttempt } from '../../testing/fixture-attempt';
import { fixtureSummary } from '../../testing/fixture-data';
import { closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { CardAtEnd } from './transcript-parts';

afterEach(() => {
  vi.unstubAllGlobals();
  closeFixture();
});

const summary = fixtureSummary(212, 0);
const committed = fixtureAttempt({
  phase: 'ended',
  outcome: { kind: 'committed', summaryId: summary.id },
  endedAt: 1_000,
});
async function showCard(attempt: Attempt, stillness = false) {
  vi.stubGlobal('matchMedia', () => ({ matches: stillness }));
  await openFixture({ view: (view) => ({ ...view, attempt, summaries: [summary] }) });
  return renderIn(<CardAtEnd />);
}
const nextMessage = () => act(() => sessionStore.getState().attemptChanged(null));

describe('the card at the end', () => {
  it('leaves after its end when the next message comes, out of reach meanwhile', async () => {
    const { container } = await showCard(committed);
    nextMessage();
    const slot = container.querySelector('.card-slot.is-leaving');
    expect(slot?.hasAttribute('inert')).toBe(true);
    if (slot) fireEvent.animationEnd(slot);
    expect(container.textContent).toBe('');
  });

  it('is gone at once where motion is not wanted, and where it had not ended', async () => {
    const still = await showCard(committed, true);
    nextMessage();
    expect(still.container.textContent).toBe('');
    closeFixture();
    const running = await showCard(fixtureAttempt());
    nextMessage();
    expect(running.container.textContent).toBe('');
  });

  it('leads to the fold itself, not to the message before it', async () => {
    const { getByText } = await showCard(committed);
    fireEvent.click(getByText('Show summary'));
    expect(jumpStore.getState().jump).toMatchObject({ place: 'fold', seq: 212 });
  });
});
