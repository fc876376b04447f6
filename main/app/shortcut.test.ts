import { expect, it } from 'vitest';
import { ManualClock } from '../testing/manual-clock';
import { QuickChatShortcut } from './shortcut';

const KEYS = 'Control+Alt+Space';

/** Keys of a system on which another app may have taken some. */
function system() {
  const others = new Set<string>();
  const ours = new Map<string, () => void>();
  const shortcut = new QuickChatShortcut(new ManualClock(), {
    register: (keys, fire) => {
      if (!others.has(keys)) ours.set(keys, fire);
      return !others.has(keys);
    },
    unregister: (keys) => void ours.delete(keys),
  });
  const told: unknown[] = [];
  shortcut.changed.on(() => told.push([shortcut.current, shortcut.refusal]));
  return { shortcut, others, ours, told };
}

it('what another app has when the app starts is refused until the same keys are free and set again', () => {
  const { shortcut, others, told } = system();
  others.add(KEYS);
  expect(shortcut.takeStored(KEYS)).toBe('shortcut-taken');
  expect(() => shortcut.set(KEYS)).toThrow('shortcut-taken');
  expect([shortcut.current, shortcut.refusal]).toEqual([null, 'shortcut-taken']);
  others.clear();
  shortcut.set(KEYS);
  expect(told).toEqual([
    [null, 'shortcut-taken'],
    [KEYS, null],
  ]);
});

it('what is no shortcut on this system is refused as that, until it is taken away', () => {
  const { shortcut, told } = system();
  expect(shortcut.takeStored('A')).toBe('shortcut-invalid');
  shortcut.set(null);
  expect(told).toEqual([
    [null, 'shortcut-invalid'],
    [null, null],
  ]);
});

it('keys that are refused later leave those that work, and no refusal behind', () => {
  const { shortcut, others, ours } = system();
  expect(shortcut.takeStored(KEYS)).toBeNull();
  others.add('F8');
  expect(() => shortcut.set('F8')).toThrow('shortcut-taken');
  let pressed = 0;
  shortcut.pressed.on(() => {
    pressed += 1;
  });
  ours.get(KEYS)?.();
  expect([pressed, shortcut.current, shortcut.refusal]).toEqual([1, KEYS, null]);
});
