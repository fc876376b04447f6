import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { placeIn } from './place-in';

/** CSS pixels from the end within which the reader counts as being there. */
const NEAR = 2;

/** What stays in its place whatever comes or changes its height; null = the reader went where he is by himself. */
export type Kept = { readonly place: 'end' } | { readonly place: 'message' | 'fold'; readonly seq: number } | null;

/**
 * Keeps a scrolled element at its end, or at a message or fold that was asked for, until the reader scrolls away.
 * When the element itself gets lower or higher, its last line stays in place.
 *
 * Much moves the top besides the reader: what grows or is measured late, the list that makes up for it, the browser
 * when the element gets higher. The place is given up only for a wheel, a key, a touch or a drag of the reader's.
 */
export function useKeptPlace(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const kept = useRef<Kept>({ place: 'end' });
  const height = useRef(0);
  const before = useRef({ top: 0, whole: 0, high: 0 });
  /** True from a wheel turn, a key or a drag until the scrolling that follows it has ended. */
  const moving = useRef(false);

  const apply = useCallback(() => {
    const element = scroller.current;
    if (!element || !kept.current) return;
    const top = kept.current.place === 'end' ? element.scrollHeight : placeIn(element, kept.current);
    if (top !== null) element.scrollTop = top;
    before.current = sizesOf(element);
  }, [scroller]);

  const keep = useCallback(
    (place: Kept) => {
      kept.current = place;
      moving.current = false;
      apply();
    },
    [apply],
  );

  /** To be called on scroll events only: between a change of the layout and its end the numbers prove nothing. */
  const scrolled = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const was = before.current;
    const now = sizesOf(element);
    before.current = now;
    const byReader = moving.current;
    const ended = now.whole - now.top - now.high <= NEAR;
    if (ended) {
      if (kept.current === null || (byReader && now.top > was.top)) kept.current = { place: 'end' };
    } else if (kept.current?.place === 'end') {
      if (!byReader) apply();
      else if (now.top < was.top - 1) kept.current = null;
    } else if (byReader && now.top !== was.top) {
      kept.current = null;
    }
  }, [scroller, apply]);

  /** Whether the reader sees the end. */
  const isAtEnd = useCallback(() => {
    const element = scroller.current;
    if (!element || kept.current?.place === 'end') return true;
    return element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR;
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    height.current = element.clientHeight;
    const watch = new ResizeObserver(() => {
      const change = element.clientHeight - height.current;
      height.current = element.clientHeight;
      if (kept.current) apply();
      else if (change !== 0) element.scrollTop -= change;
    });
    watch.observe(element);
    watch.observe(inner);
    const begins = (event: Event) => {
      if (movesReader(event, element)) moving.current = true;
    };
    const ends = () => {
      moving.current = false;
    };
    const starts = ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown', 'focusin'] as const;
    for (const name of starts) element.addEventListener(name, begins, { passive: true });
    element.addEventListener('scrollend', ends);
    return () => {
      watch.disconnect();
      for (const name of starts) element.removeEventListener(name, begins);
      element.removeEventListener('scrollend', ends);
    };
  }, [scroller, content, apply]);

  return { keep, apply, scrolled, isAtEnd };
}

/** Keys by which the focus or the text moves. */
const MOVING_KEYS = new Set(['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown', ' ', 'Tab']);

/** Whether scrolling may follow from what the reader does: a press on a button is none, one on the scroll bar is. */
function movesReader(event: Event, element: HTMLElement): boolean {
  if (event instanceof KeyboardEvent) return MOVING_KEYS.has(event.key);
  if (event.type === 'focusin') return event.target instanceof Element && event.target.matches(':focus-visible');
  if (event.type === 'pointerdown') return event.target === element;
  if (event.type === 'pointermove') return event instanceof PointerEvent && event.buttons !== 0;
  return true;
}

function sizesOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement) {
  return { top: scrollTop, whole: scrollHeight, high: clientHeight };
}
