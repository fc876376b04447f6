import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors';
import type { AppSnapshot } from '../../../shared/ipc/contract';
import { closeFixture, openFixture, renderIn } from '../../testing/fixture-window';
import { ShortcutSetting } from './shortcut-setting';

afterEach(closeFixture);

async function show(change: Partial<AppSnapshot> = {}) {
  const bridge = await openFixture({
    settings: { quickChatShortcut: 'Control+Alt+Space' },
    change: (snapshot) => ({ ...snapshot, ...change }),
  });
  renderIn(<ShortcutSetting />);
  return bridge;
}
const check = () => screen.queryByRole('button', { name: 'Press it now' });
const refused = () => screen.queryByRole('alert')?.textContent ?? null;

it.each([
  ['shortcut-taken', 'Ctrl + Alt + Space belongs to another app or to the system.'],
  ['shortcut-invalid', 'Ctrl + Alt + Space cannot be a shortcut.'],
] as const)(
  'says why the shortcut could not be had at the start (%s), and asks nobody to press it, until one is set',
  async (refusal, words) => {
    const bridge = await show({ shortcutRefusal: refusal, shortcutDoubt: 'wayland' });
    expect(refused()).toContain(words);
    expect(screen.getByText(/On this desktop \(Wayland\)/)).toBeTruthy();
    expect(check()).toBeNull();
    act(() => bridge.emit({ type: 'shortcut.changed', refusal: null }));
    expect(refused()).toBeNull();
    expect(check()).not.toBeNull();
  },
);

it('says of other keys that were tried only why those were refused', async () => {
  const bridge = await show({ shortcutRefusal: 'shortcut-taken' });
  bridge.handlers['quickChat.setShortcut'] = ({ shortcut }) => {
    throw new AppError('shortcut-taken', { shortcut: shortcut ?? '' });
  };
  fireEvent.click(screen.getByRole('button', { name: 'Change…' }));
  await act(async () =>
    fireEvent.keyDown(screen.getByRole('button', { name: 'Press the keys now' }), {
      code: 'KeyK',
      key: 'k',
      ctrlKey: true,
    }),
  );
  expect(refused()).toMatch(/K belongs to another app/);
});
