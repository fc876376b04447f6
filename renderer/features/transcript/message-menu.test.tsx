import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { rangeStore } from '../../stores/range-store';
import { fixtureSummary } from '../../testing/fixture-data';
import { closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { MessageMenu } from './message-menu';

afterEach(() => {
  rangeStore.getState().choiceEnded();
  closeFixture();
});

it('takes its ends from the menus of messages', async () => {
  await openFixture({ view: (view) => ({ ...view, summaries: [fixtureSummary(212, 1_000_000)] }) });
  const { rerender } = renderIn(<MessageMenu seq={220} />);
  const choose = async (name: string) => {
    fireEvent.keyDown(screen.getByRole('button', { name: 'More' }), { key: 'Enter' });
    await act(async () => fireEvent.click(screen.getByRole('menuitem', { name })));
  };
  await choose('Compress from here…');
  expect(rangeStore.getState().chosen).toEqual({ from: 220, to: 246 });
  rerender(<MessageMenu seq={230} />);
  await choose('Compress up to here…');
  expect(rangeStore.getState().chosen).toEqual({ from: 220, to: 230 });
  rerender(<MessageMenu seq={218} />);
  await choose('Compress up to here…');
  expect(rangeStore.getState().chosen).toEqual({ from: 213, to: 218 });
});
