import { afterEach, describe, expect, it, vi } from 'vitest';
import { branch } from '../testing/fixture-data';
import { askedFor, closeFixture, openFixture } from '../testing/fixture-window';
import { isPageHere, messageAt, PAGES_KEPT, trimmed } from './message-window';
import { noRange, rangeScrolled, rangeShown } from './page-loader';
import { sessionStore } from './session-store';

afterEach(() => {
  closeFixture();
  vi.useRealTimers();
});

const settled = () => new Promise((done) => setTimeout(done));
const held = () => Object.keys(sessionStore.getState().window).map(Number);

describe('a session of 100,000 messages', () => {
  it('is opened with its last page only', async () => {
    const bridge = await openFixture({ messages: 100_000 });
    expect(held()).toEqual([1_999]);
    expect(askedFor(bridge, 'sessions.page')).toEqual([]);
  });

  it('reads the page on screen and its neighbors, each once', async () => {
    const bridge = await openFixture({ messages: 100_000 });
    rangeShown(5_010, 5_020);
    rangeShown(5_011, 5_021);
    await settled();
    expect(askedFor(bridge, 'sessions.page')).toEqual([
      { branchId: branch(1), from: 4_951, to: 5_000 },
      { branchId: branch(1), from: 5_001, to: 5_050 },
      { branchId: branch(1), from: 5_051, to: 5_100 },
    ]);
    expect(messageAt(sessionStore.getState().window, 5_010)?.seq).toBe(5_010);
    let told = 0;
    const leave = sessionStore.subscribe(() => told++);
    rangeShown(5_012, 5_022);
    await settled();
    leave();
    expect(askedFor(bridge, 'sessions.page')).toHaveLength(3);
    expect(told).toBe(0); // all is here: no row looks again
  });

  it('has the next page before a reader who scrolls on without a rest gets there, and waits for one who drags', async () => {
    vi.useFakeTimers();
    const bridge = await openFixture({ messages: 100_000 });
    const read = () => askedFor(bridge, 'sessions.page').length;
    for (let from = 99_990; from > 99_940; from--) {
      rangeScrolled(from, from + 5);
      await vi.advanceTimersByTimeAsync(16);
    }
    expect(held()).toEqual([1_997, 1_998, 1_999]);
    const before = read();
    for (let from = 90_010; from > 10_000; from -= 1_000) {
      rangeScrolled(from, from + 5);
      await vi.advanceTimersByTimeAsync(16);
    }
    expect(read()).toBe(before);
    await vi.advanceTimersByTimeAsync(40);
    expect(read()).toBe(before + 3);
    rangeScrolled(5_010, 5_015);
    noRange();
    await vi.advanceTimersByTimeAsync(40);
    expect(read()).toBe(before + 3);
  });

  it('lets far pages go and keeps the last', async () => {
    await openFixture({ messages: 100_000 });
    for (let from = 1; from < 10_000; from += 150) {
      rangeShown(from, from + 10);
      await settled();
    }
    expect(held().length).toBeLessThanOrEqual(PAGES_KEPT + 3);
    expect(held()).toContain(1_999);
    expect(held()).toContain(198);
    expect(held()).not.toContain(0);
  });
});

it('knows a last page that is not full as whole', () => {
  const page = Array.from({ length: 50 }, (_, at) => (at < 3 ? ({ seq: at + 1 } as never) : undefined));
  expect(isPageHere({ 0: page }, 0, 3)).toBe(true);
  expect(isPageHere({ 0: page }, 0, 4)).toBe(false);
});

it('keeps a small window as it is', () => {
  const window = { 0: [], 1: [] };
  expect(trimmed(window, 0, 100)).toBe(window);
});
