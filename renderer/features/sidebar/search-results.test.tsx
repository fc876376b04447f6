import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SearchHit } from '../../../shared/model/session';
import { session } from '../../testing/fixture-data';
import { closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { Sidebar } from './sidebar';
import { SEARCH_LIMIT } from './use-search';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  closeFixture();
  vi.useRealTimers();
});

const hit = (n: number, seq = 1): SearchHit => ({
  sessionId: session(n),
  title: `Chat ${n}`,
  seq,
  role: 'user',
  excerpt: 'a word',
  marks: [[2, 6]],
  createdAt: 0,
});
/** Until main has been asked and has answered. */
const asked = () => act(() => vi.advanceTimersByTimeAsync(1_000));

async function search(...hits: readonly SearchHit[]) {
  const bridge = await openFixture();
  bridge.handlers['sessions.search'] = () => hits;
  renderIn(<Sidebar />);
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'word' } });
  await asked();
  const change = (n: number, route: 'sessions.bin' | 'sessions.restore' | 'sessions.rename', title = '') =>
    act(async () => {
      await bridge.request(route, { sessionId: session(n), title });
    });
  return { bridge, change };
}
const found = () => screen.queryAllByRole('listitem').map((item) => item.querySelector('b')?.textContent);
const count = () => screen.getByRole('status').textContent;

it('a found chat that is moved to the bin goes from the list and from its count, and comes back with it', async () => {
  const { change } = await search(hit(2), hit(3), hit(3, 2));
  expect(count()).toBe('3 messages found');
  await change(3, 'sessions.bin');
  expect(found()).toHaveLength(1);
  expect(count()).toBe('1 message found');
  await change(2, 'sessions.bin');
  expect(count()).toBe('No message holds “word”.');
  await change(3, 'sessions.restore');
  expect(count()).toBe('2 messages found');
});

it('a chat that is deleted for good meanwhile goes from the list, and others take its place', async () => {
  const { bridge, change } = await search(...Array.from({ length: SEARCH_LIMIT }, (_, at) => hit(2, at + 1)));
  bridge.handlers['sessions.search'] = () => [hit(4)];
  await change(2, 'sessions.bin');
  await asked();
  act(() => bridge.emit({ type: 'session.removed', sessionId: session(2) }));
  expect(found()).toEqual(['Letter to the building insurer']);
  expect(count()).toBe('1 message found');
});

it('a found chat has the title it has now, and one that is not in the list the title it was found with', async () => {
  const { change } = await search(hit(2), hit(700));
  await change(2, 'sessions.rename', 'Renamed meanwhile');
  expect(found()).toEqual(['Renamed meanwhile', 'Chat 700']);
});
