import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors';
import type { Proposal, Summary } from '../../../shared/model/compression';
import type { Turn } from '../../../shared/model/turn';
import { fixtureAttempt } from '../../testing/fixture-attempt';
import { branch, fixtureSummary, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { CardAtEnd } from './transcript-parts';

afterEach(closeFixture);

const proposal: Proposal = {
  ...fixtureSummary(212, 1_000_000),
  id: 7 as Summary['id'],
  text: '## Goal\n- Move.',
  gain: 0.85,
};
const here = { sessionId: session(1), summaryId: proposal.id };
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

async function showCard() {
  const outcome = { kind: 'proposed', summaryId: proposal.id } as const;
  const attempt = fixtureAttempt({ outcome, phase: 'ended', endedAt: 1_000_000 });
  const bridge = await openFixture({ view: (view) => ({ ...view, proposal, attempt }) });
  renderIn(<CardAtEnd />);
  return bridge;
}

describe('a summary that waits for a review', () => {
  it('is shown alone, with what it says and what it would gain', async () => {
    await showCard();
    expect(screen.getAllByRole('heading', { level: 2 }).map((each) => each.textContent)).toEqual([
      'A summary is ready',
    ]);
    const card = screen.getByRole('region', { name: 'Summary for your review' });
    expect(card.textContent).toContain('messages 1 to 212');
    expect(card.textContent).toContain('41,300 → 1,120 tokens');
    expect(card.textContent).toContain('next request 34,420 → 5,163');
    expect(card.textContent).toContain('Card data stays in the Frankfurt region.');
    expect(card.textContent).toContain('It is not used until you accept it.');
  });

  it('is accepted or rejected by its buttons; a refusal is said and it stays', async () => {
    const bridge = await showCard();
    bridge.handlers['compression.accept'] = () => {
      throw new AppError('held-elsewhere');
    };
    await press('Accept');
    expect(screen.getByRole('alert').textContent).toContain('Another window is working on this chat.');
    bridge.handlers['compression.accept'] = () => undefined;
    await press('Accept');
    expect(askedFor(bridge, 'compression.accept')).toEqual([here, here]);
    await press('Reject');
    expect(askedFor(bridge, 'compression.reject')).toEqual([here]);
    const gone = { type: 'proposal.changed', sessionId: session(1), branchId: branch(1), proposal: null } as const;
    await act(async () => bridge.emit(gone));
    expect(screen.getByRole('heading').textContent).toBe('The summary was rejected');
  });

  it('is edited in its place', async () => {
    const bridge = await showCard();
    bridge.handlers['compression.editProposal'] = () => 8 as Summary['id'];
    await press('Edit');
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '- Stay.' } });
    await press('Save');
    expect(askedFor(bridge, 'compression.editProposal')).toEqual([{ ...here, text: '- Stay.' }]);
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('says what accepting does for a message that waits for it', async () => {
    const bridge = await showCard();
    const turn = {
      id: 1,
      branchId: branch(1),
      messageId: bridge.message(246).id,
      state: 'deferred',
      reason: { state: 'deferred', why: { kind: 'review-pending' } },
      retryAt: null,
      elsewhere: false,
      startedAt: 1,
      endedAt: null,
    } as Turn;
    await act(async () => bridge.emit({ type: 'turn.changed', sessionId: session(1), turn }));
    expect(screen.getByRole('button', { name: 'Accept and send' })).toBeTruthy();
    expect(screen.getByText('Your message waits for it.')).toBeTruthy();
  });

  it('is of its own path: another branch does not show it', async () => {
    const bridge = await showCard();
    const other = { ...proposal, id: 9 as Summary['id'], coversTo: 99 };
    await act(async () =>
      bridge.emit({ type: 'proposal.changed', sessionId: session(1), branchId: branch(2), proposal: other }),
    );
    expect(screen.getByText('messages 1 to 212')).toBeTruthy();
  });
});
