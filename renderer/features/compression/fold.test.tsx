import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Summary } from '../../../shared/model/compression';
import { jumpStore } from '../../stores/jump-store';
import { branch, fixtureSummary, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { rollBack } from './rolled-back-store';
import { FoldAfter } from './transcript-parts';

afterEach(closeFixture);

async function showFold(change: Partial<Summary> = {}) {
  const summary = { ...fixtureSummary(212, 1_000_000), ...change };
  const bridge = await openFixture({ view: (view) => ({ ...view, summaries: [summary] }) });
  renderIn(<FoldAfter seq={212} />);
  return { bridge, summary };
}
const line = () => screen.getByRole('button', { name: /messages/ });

describe('a fold', () => {
  it('says in one line what it covers, what it gained and what it kept', async () => {
    await showFold({ id: 21 as Summary['id'] });
    expect(line().textContent).toBe('212 messages, 41,300 → 1,120 tokens, 44 of 44 anchors kept');
    expect(line().getAttribute('aria-expanded')).toBe('false');
  });

  it('opens to its sections, whose numbers lead to their messages and back', async () => {
    await showFold({ id: 22 as Summary['id'] });
    fireEvent.click(line());
    expect(screen.getByText('Open points')).toBeTruthy();
    expect(screen.getByText('pg_upgrade').tagName).toBe('CODE');
    fireEvent.click(screen.getByRole('button', { name: 'Message 207' }));
    expect(jumpStore.getState().jump).toMatchObject({ place: 'message', seq: 207, backTo: 212 });
    expect(screen.getByText('qwen3:30b, summarize, 9 parts', { exact: false }).textContent).toContain('took 4:08');
  });

  it('shows ten lines first, then all', async () => {
    const lines = Array.from({ length: 38 }, (_, at) => ({ text: `line ${at + 1}`, sources: [at + 1] }));
    await showFold({ id: 23 as Summary['id'], sections: [{ name: 'facts', lines }] });
    fireEvent.click(line());
    expect(screen.queryByText('line 11')).toBeNull();
    fireEvent.click(screen.getByText('All 38 lines'));
    expect(screen.getByText('line 38')).toBeTruthy();
  });

  it('lists every anchor with its fate', async () => {
    await showFold({
      id: 24 as Summary['id'],
      receipt: {
        kept: 1,
        restored: 1,
        dropped: 1,
        struckLines: 2,
        aboveTarget: false,
        anchors: [
          { text: 'db-orders-01', seq: 12, fate: 'kept' },
          { text: '3A1/7C4E9F28', seq: 40, fate: 'restored' },
          { text: '1.4 TB', seq: 1, fate: 'dropped' },
        ],
      },
    });
    expect(line().textContent).toContain('2 of 3 anchors kept');
    fireEvent.click(line());
    expect(screen.getByText('2 lines were struck out', { exact: false })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Anchors' }));
    const anchors = within(screen.getByRole('list', { name: 'Anchors' })).getAllByRole('listitem');
    expect(anchors.map((each) => each.textContent)).toEqual([
      'db-orders-01kept12',
      '3A1/7C4E9F28restored40',
      '1.4 TBdropped1',
    ]);
  });

  it('rolls back to one plain sentence, and back again', async () => {
    const { bridge, summary } = await showFold({ id: 25 as Summary['id'] });
    fireEvent.click(line());
    await act(async () => fireEvent.click(screen.getByText('Roll back to here')));
    expect(askedFor(bridge, 'compression.undo')).toEqual([{ sessionId: session(1), summaryId: summary.id }]);
    const changed = (summaries: readonly Summary[]) =>
      act(async () =>
        bridge.emit({ type: 'summaries.changed', sessionId: session(1), branchId: branch(1), summaries }),
      );
    await changed([]);
    expect(screen.getByRole('status').textContent).toContain('Rolled back: 212 messages are sent whole again.');
    await act(async () => fireEvent.click(screen.getByText('Undo')));
    expect(askedFor(bridge, 'compression.redo')).toEqual([{ sessionId: session(1), summaryId: summary.id }]);
    await changed([summary]);
    expect(screen.queryByRole('status')).toBeNull();
    expect(line()).toBeTruthy();
  });

  it('says what is sent after several were rolled back at one place, and undoes the last', async () => {
    const newer = { ...fixtureSummary(212, 1_000_000), id: 41 as Summary['id'], containsOlder: true };
    const { bridge, summary: older } = await showFold({ id: 40 as Summary['id'], author: 'extract' });
    await act(() => rollBack(session(1), newer));
    expect(screen.getByRole('status').textContent).toContain('the summary before it is used again');
    await act(() => rollBack(session(1), older));
    await act(async () =>
      bridge.emit({ type: 'summaries.changed', sessionId: session(1), branchId: branch(1), summaries: [] }),
    );
    expect(screen.getByRole('status').textContent).toContain('212 messages are sent whole again');
    await act(async () => fireEvent.click(screen.getByText('Undo')));
    expect(askedFor(bridge, 'compression.redo')).toEqual([{ sessionId: session(1), summaryId: older.id }]);
    const shorter = { ...older, id: 39 as Summary['id'], coversTo: 200 };
    await act(async () =>
      bridge.emit({ type: 'summaries.changed', sessionId: session(1), branchId: branch(1), summaries: [shorter] }),
    );
    expect(screen.getByRole('status').textContent).toContain('used again, and 12 messages are sent whole');
  });

  it('counts no keeping and restoring where the lines were taken word for word', async () => {
    const anchors = [{ text: '1.4 TB', seq: 1, fate: 'restored' }] as const;
    const receipt = { kept: 0, restored: 6, dropped: 0, struckLines: 0, aboveTarget: false, anchors };
    await showFold({ id: 42 as Summary['id'], author: 'extract', strategy: 'extract', receipt });
    expect(line().textContent).toContain('6 anchors, word for word');
    fireEvent.click(line());
    expect(document.querySelector('.receipt')?.textContent).toMatch(/^6 anchors, word for word/);
    expect(document.querySelector('.receipt')?.textContent).not.toMatch(/dropped|restored/);
    fireEvent.click(screen.getByRole('button', { name: 'Anchors' }));
    expect(screen.getByRole('list', { name: 'Anchors' }).textContent).toBe('1.4 TBkept1');
  });

  it('shows the text of a summary without sections', async () => {
    await showFold({ id: 26 as Summary['id'], sections: [], text: 'First.\n\nSecond.', author: 'user' });
    expect(line().textContent).toContain('edited by you');
    fireEvent.click(line());
    expect(screen.getByText('Second.')).toBeTruthy();
  });
});
