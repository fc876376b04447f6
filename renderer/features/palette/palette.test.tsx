import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appStore } from '../../stores/app-store';
import { layoutStore } from '../../stores/layout-store';
import type { FixtureBridge } from '../../testing/fixture-bridge';
import { branch, session } from '../../testing/fixture-data';
import { askedFor, closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { Palette } from './palette';
import { matches } from './palette-entries';

let bridge: FixtureBridge;
beforeEach(async () => {
  bridge = await openFixture();
  layoutStore.getState().overlayShown('palette');
  renderIn(<Palette />);
});
afterEach(closeFixture);

const field = () => screen.getByRole('combobox');
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const press = (key: string) => act(async () => fireEvent.keyDown(field(), { key }));
const names = () => screen.queryAllByRole('option').map((option) => option.querySelector('.cut')?.textContent);

it('finds chats by their names and opens the chosen one', async () => {
  type('heat pumps');
  expect(names()).toEqual(['Three heat pumps compared']);
  await press('Enter');
  expect(appStore.getState().currentId).toBe(session(8));
  expect(layoutStore.getState().overlay).toBe('none');
});

it('goes through the entries with the arrow keys, around the end', async () => {
  type('settings');
  const first = names()[0];
  await press('ArrowUp');
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('About');
  await press('ArrowDown');
  expect(screen.getByRole('option', { selected: true }).textContent).toContain(first);
});

it('starts a compression of the open chat with every strategy', async () => {
  type('compress now');
  await press('Enter');
  expect(askedFor(bridge, 'compression.start')).toEqual([
    { sessionId: session(1), branchId: branch(1), strategies: ['prune', 'summarize', 'extract'] },
  ]);
});

it('says so when nothing matches', () => {
  type('zzz');
  expect(screen.getByRole('status').textContent).toBe('Nothing matches “zzz”.');
});

it('finds words whatever their case, accents and order', () => {
  expect(matches('Café in Zürich', 'zurich CAFE')).toBe(true);
  expect(matches('Café in Zürich', 'bern')).toBe(false);
});
