import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sessionStore } from '../stores/session-store';
import { fixtureTurn } from '../testing/fixture-attempt';
import { closeFixture, openFixture } from '../testing/fixture-window';
import { Announcer, QUIET_MS } from './announcer';

beforeEach(async () => {
  await openFixture();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  closeFixture();
});

const said = () => document.querySelector('[role=status]')?.textContent;
const turnIs = (state: 'requesting' | 'streaming' | 'completed' | 'stopped') =>
  act(() => sessionStore.getState().turnChanged({ ...fixtureTurn(), state }));
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

it('says the start at once and the end not before 7 seconds after it', () => {
  render(<Announcer />);
  turnIs('requesting');
  turnIs('streaming');
  pass(0);
  expect(said()).toBe('The answer begins.');
  pass(2_000);
  turnIs('completed');
  pass(QUIET_MS - 2_001);
  expect(said()).toBe('The answer begins.');
  pass(1);
  expect(said()).toBe('The answer is complete.');
});

it('says nothing of what had ended before the chat was opened', () => {
  sessionStore.getState().turnChanged({ ...fixtureTurn(), state: 'completed' });
  render(<Announcer />);
  pass(QUIET_MS);
  expect(said()).toBe('');
});
