import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors';
import type { RollBackPreview, Summary } from '../../../shared/model/compression';
import { jumpStore } from '../../stores/jump-store';
import { rollBack } from '../../stores/rolled-back-store';
import { toastStore } from '../../stores/toast-store';
import { branch, fixtureSummary, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { summaryEditStore } from './summary-edit-store';
import { FoldAfter } from './transcript-parts';

afterEach(closeFixture);

async function showFold(change: Partial<Summary> = {}) {
  const summary = { ...fixtureSummary(212, 1_000_000), ...change };
  const bridge = await openFixture({ view: (view) => ({ ...view, summaries: [summary] }) });
  renderIn(<FoldAfter seq={212} />);
  return { bridge, summary };
}
const line = () => screen.getByRole('button', { name: /messages/ });
/** A button of the fold, and one of what it opened. */
const pressOn = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const pressIn = (name: string) =>
  act(async () => fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name })));
const preview: RollBackPreview = {
  undoes: [],
  whole: 212,
  older: 0,
  tokensNow: 12_100,
  tokensAfter: 52_280,
  usable: 61_440,
  fits: 'past-hard-mark',
  paths: 1,
  editedByUser: false,
};

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
    bridge.handlers['compression.previewUndo'] = () => preview;
    fireEvent.click(line());
    await pressOn('Roll back');
    expect(askedFor(bridge, 'compression.undo')).toEqual([]);
    await pressIn('Roll back');
    expect(askedFor(bridge, 'compression.undo')).toEqual([{ sessionId: session(1), summaryId: summary.id }]);
    const changed = (summaries: readonly Summary[]) =>
      act(async () =>
        bridge.emit({ type: 'summaries.changed', sessionId: session(1), branchId: branch(1), summaries }),
      );
    await changed([]);
    expect(screen.getByRole('status').textContent).toContain('Rolled back: 212 messages are sent whole again.');
    await act(async () => fireEvent.click(screen.getByText('Undo')));
    expect(askedFor(bridge, 'compression.redo')).toEqual([{ sessionId: session(1), summaryIds: [summary.id] }]);
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
    expect(askedFor(bridge, 'compression.redo')).toEqual([{ sessionId: session(1), summaryIds: [older.id] }]);
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

  it('says beforehand what shows again, what the next request is, and what happens if it does not fit', async () => {
    const { bridge } = await showFold({ id: 43 as Summary['id'], paths: 2, newer: 3 });
    bridge.handlers['compression.previewUndo'] = ({ how }) => ({
      ...preview,
      undoes: how === 'undo' ? [] : ([46, 45, 44] as Summary['id'][]),
      older: 2,
      whole: 40,
      fits: 'too-large',
      paths: 2,
    });
    bridge.handlers['compression.rollBack'] = () => [46, 45, 44] as Summary['id'][];
    fireEvent.click(line());
    expect(screen.getByRole('button', { name: 'Roll back on 2 branches' })).toBeTruthy();
    await pressOn('Roll back to here');
    const said = () => screen.getByRole('dialog').textContent;
    expect(said()).toContain('3 newer summaries are no longer used.');
    expect(said()).toContain('2 earlier summaries are used again.');
    expect(said()).toContain('40 messages are sent whole again.');
    expect(said()).toContain('goes from 12,100 to 52,280 tokens');
    expect(said()).toContain('It does not fit: 61,440 tokens are free for it. The next message is compressed again');
    expect(said()).toContain('on 2 branches of this chat');
    await act(async () =>
      bridge.emit({
        type: 'session.settings',
        sessionId: session(1),
        automatic: 'off',
        review: false,
        keepTurns: 2,
      }),
    );
    expect(said()).toContain('is saved and waits until you compress');
    await pressIn('Roll back to here');
    expect(askedFor(bridge, 'compression.rollBack')).toEqual([
      { sessionId: session(1), branchId: branch(1), summaryId: 43 },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is edited where it is read: Ctrl+Enter saves, a refusal keeps the text', async () => {
    const { bridge } = await showFold({ id: 47 as Summary['id'], text: '## Goal\n- Old words.' });
    let refuse = true;
    bridge.handlers['compression.edit'] = () => {
      if (refuse) throw new AppError('summary-too-large', { tokens: 1_200, covered: 900 });
      return 48 as Summary['id'];
    };
    fireEvent.click(line());
    await pressOn('Edit');
    const field = () => screen.getByRole('textbox', { name: 'Summary of messages 1 to 212, as the model reads it' });
    expect(document.activeElement).toBe(field());
    expect((screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement).disabled).toBe(true);
    fireEvent.change(field(), { target: { value: '## Goal\n- New words.' } });
    await act(async () => fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true }));
    expect(screen.getByRole('alert').textContent).toContain('1,200 tokens');
    expect((field() as HTMLTextAreaElement).value).toContain('New words.');
    refuse = false;
    await pressOn('Save');
    expect(askedFor(bridge, 'compression.edit').at(-1)).toEqual({
      sessionId: session(1),
      branchId: branch(1),
      summaryId: 47,
      text: '## Goal\n- New words.',
    });
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('Escape leaves an edit; what was typed can be had back', async () => {
    const { bridge } = await showFold({ id: 49 as Summary['id'], text: '- Old words.' });
    fireEvent.click(line());
    await pressOn('Edit');
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '- New words.' } });
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' });
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(askedFor(bridge, 'compression.edit')).toEqual([]);
    const toast = toastStore.getState().toasts.at(-1);
    expect(toast).toMatchObject({ kind: 'done', text: 'Your changes to the summary were discarded.' });
    await act(async () => toast?.kind === 'done' && toast.undo?.run());
    expect((screen.getByRole('textbox') as HTMLTextAreaElement).value).toBe('- New words.');
    act(() => summaryEditStore.getState().editEnded());
  });

  it('offers to take an edit back, and says so', async () => {
    const own = { id: 51 as Summary['id'], author: 'user', strategy: null, model: null } as const;
    const { bridge, summary } = await showFold(own);
    bridge.handlers['compression.previewUndo'] = () => ({ ...preview, whole: 0, older: 1, editedByUser: true });
    fireEvent.click(line());
    await pressOn('Undo my edit');
    expect(screen.getByRole('dialog').textContent).toContain('The text from before your edit is used again.');
    await pressIn('Undo my edit');
    const old = { ...summary, id: 50 as Summary['id'], author: 'model' } as const;
    await act(async () =>
      bridge.emit({ type: 'summaries.changed', sessionId: session(1), branchId: branch(1), summaries: [old] }),
    );
    expect(screen.getByText(/Your text was taken back/)).toBeTruthy();
  });
});
