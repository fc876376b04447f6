import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fixtureRows, session } from '../../testing/fixture-data';
import { closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { BinPage } from './bin-page';

afterEach(closeFixture);

it('a chat that was brought back elsewhere is neither listed nor counted', async () => {
  const bridge = await openFixture();
  const move = (n: number, route: 'sessions.bin' | 'sessions.restore') =>
    act(async () => {
      await bridge.request(route, { sessionId: session(n) });
    });
  const listed = () => screen.queryAllByRole('listitem').map((item) => item.firstChild?.textContent);
  await act(async () => renderIn(<BinPage />));
  await move(2, 'sessions.bin');
  await move(3, 'sessions.bin');
  expect(listed()).toEqual(['Kitchen and wiring, ground floor', 'Retry policy for webhooks']);
  await move(3, 'sessions.restore');
  expect(listed()).toEqual(['Kitchen and wiring, ground floor']);
  fireEvent.click(screen.getByRole('button', { name: 'Empty bin…' }));
  expect(screen.getByText(/^1 chat is deleted for good/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await move(2, 'sessions.restore');
  expect(screen.getByText('The bin is empty.')).toBeTruthy();
});

it('a long bin is not empty while older ones are not listed, and all of them go', async () => {
  const bridge = await openFixture();
  const listed = fixtureRows(Date.now(), 0, 1).map((row) => ({ ...row, deletedAt: 1 })); // brought back since
  bridge.handlers['sessions.list'] = () => ({ rows: listed, next: 7 });
  await act(async () => renderIn(<BinPage />));
  expect(screen.queryAllByRole('listitem')).toEqual([]);
  expect(screen.queryByText('The bin is empty.')).toBeNull();
  const older = listed.map((row, i) => ({ ...row, id: session(100 + i) }));
  bridge.handlers['sessions.list'] = () => ({ rows: older, next: 3 });
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'More' })));
  expect(screen.queryAllByRole('listitem')).toHaveLength(older.length);
  fireEvent.click(screen.getByRole('button', { name: 'Empty bin…' }));
  expect(screen.getByText(/^All chats in the bin are deleted for good, also those not listed yet/)).toBeTruthy();
});
