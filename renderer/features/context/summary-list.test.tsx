import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { EarlierSummary, RollBackPreview } from '../../../shared/model/compression';
import type { SummaryId } from '../../../shared/model/ids';
import { foldStore } from '../../stores/fold-store';
import { branch, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { SummaryList } from './summary-list';

afterEach(closeFixture);

const record = (id: number, place: EarlierSummary['place'], more: Partial<EarlierSummary> = {}): EarlierSummary => ({
  id: id as SummaryId,
  coversFrom: 1,
  coversTo: id * 10,
  author: 'model',
  strategy: 'summarize',
  model: 'qwen3:30b',
  tokensBefore: 9_000,
  tokensAfter: 500,
  createdAt: 1_000_000,
  place,
  newer: 0,
  ...more,
});

it('lists the summaries of the path, and leads back to any of them', async () => {
  const bridge = await openFixture();
  bridge.handlers['compression.summaries'] = () => [
    record(9, 'undone'),
    record(8, 'shown', { author: 'user', strategy: null }),
    record(7, 'contained'),
  ];
  bridge.handlers['compression.previewUndo'] = () =>
    ({
      undoes: [8],
      whole: 10,
      older: 1,
      tokensNow: 1,
      tokensAfter: 2,
      usable: 3,
      fits: 'fits',
      paths: 1,
    }) as unknown as RollBackPreview;
  bridge.handlers['compression.rollBack'] = () => [8 as SummaryId];
  await act(async () => {
    renderIn(<SummaryList sessionId={session(1)} branchId={branch(1)} />);
  });
  expect(screen.getAllByRole('listitem').map((item) => item.querySelector('.grow')?.textContent)).toEqual([
    '1 to 90, summarize',
    '1 to 80, edited by you',
    '1 to 70, summarize',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Show the summary of messages 1 to 80' }));
  expect(foldStore.getState().open[8 as SummaryId]).toBe(true);
  await act(async () =>
    fireEvent.click(screen.getByRole('button', { name: 'Use the summary of messages 1 to 90 again' })),
  );
  expect(askedFor(bridge, 'compression.redo')).toEqual([{ sessionId: session(1), summaryIds: [9] }]);
  await act(async () =>
    fireEvent.click(screen.getByRole('button', { name: 'Roll back to the summary of messages 1 to 70' })),
  );
  expect(screen.getByRole('dialog').textContent).toContain('1 newer summary is no longer used.');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Roll back to here' })));
  expect(askedFor(bridge, 'compression.rollBack')).toEqual([
    { sessionId: session(1), branchId: branch(1), summaryId: 7 },
  ]);
});
