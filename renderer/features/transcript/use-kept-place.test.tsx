import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useKeptPlace } from './use-kept-place';

/** A scroller whose sizes a test sets: happy-dom lays nothing out. */
class Scroller {
  whole = 1_000;
  high = 400;
  #top = 0;
  readonly element = document.createElement('div');
  resized: () => void = () => undefined;

  constructor() {
    Object.defineProperties(this.element, {
      scrollHeight: { get: () => this.whole },
      clientHeight: { get: () => this.high },
      scrollTop: { get: () => this.top, set: (top: number) => this.#scrollTo(top) },
    });
  }
  #scrollTo(top: number): void {
    this.#top = top;
  }
  /** As a browser does, never beyond the end. */
  get top(): number {
    this.#top = Math.max(0, Math.min(this.#top, this.whole - this.high));
    return this.#top;
  }
  get gap(): number {
    return this.whole - this.high - this.top;
  }
}

let scroller: Scroller;
let place: ReturnType<typeof useKeptPlace>;
beforeEach(() => {
  scroller = new Scroller();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        scroller.resized = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  const content = { current: document.createElement('div') };
  const Holder = () => {
    place = useKeptPlace({ current: scroller.element }, content);
    return null;
  };
  render(<Holder />);
  act(() => place.keep({ place: 'end' }));
});
afterEach(() => vi.unstubAllGlobals());

const turnWheel = (by: number) => {
  scroller.element.dispatchEvent(new Event('wheel'));
  scroller.element.scrollTop = scroller.top + by;
  place.scrolled();
};

describe('the end', () => {
  it('is followed by whatever comes', () => {
    scroller.whole = 1_300;
    scroller.resized();
    expect(scroller.gap).toBe(0);
  });

  it('is followed when the dock gets lower while a message comes, whatever is told first', () => {
    scroller.high = 460; // the browser takes the top down by 60
    scroller.whole = 1_200;
    place.scrolled();
    scroller.resized();
    expect(scroller.gap).toBe(0);
  });

  it('is followed when rows turn out lower than they were thought to be', () => {
    scroller.whole = 900;
    place.scrolled();
    scroller.whole = 1_150;
    place.scrolled();
    scroller.resized();
    expect(scroller.gap).toBe(0);
  });

  it('is left alone once the reader has scrolled up, until he is there again', () => {
    turnWheel(-100);
    scroller.whole = 1_300;
    scroller.resized();
    expect(scroller.gap).toBe(400);
    expect(place.isAtEnd()).toBe(false);
    turnWheel(400);
    scroller.whole = 1_500;
    scroller.resized();
    expect(scroller.gap).toBe(0);
  });

  it('is left in the middle of an answer that grows', () => {
    scroller.whole = 1_040;
    turnWheel(-20);
    scroller.resized();
    expect(place.isAtEnd()).toBe(false);
  });

  it('is left for a wheel that turns while rows are still being measured', () => {
    scroller.whole = 950;
    turnWheel(-100);
    scroller.resized();
    expect(place.isAtEnd()).toBe(false);
  });

  it('is followed after a press on a button, which is no scrolling', () => {
    const button = document.createElement('button');
    scroller.element.append(button);
    button.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    scroller.high = 460;
    scroller.whole = 1_200;
    place.scrolled();
    scroller.resized();
    expect(scroller.gap).toBe(0);
  });

  it('keeps the last line in place when the dock grows over a reader who is elsewhere', () => {
    turnWheel(-200);
    const { top } = scroller;
    scroller.high = 350;
    scroller.resized();
    expect(scroller.top).toBe(top + 50);
  });
});
