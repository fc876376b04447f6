import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** CSS pixels from the end within which the reader counts as being there. */
const NEAR = 2;

/**
 * Keeps a scrolled element at its end while the reader is there, and leaves it alone while the reader is not. When
 * the element itself gets lower or higher, its last line stays in place.
 */
export function useEnd(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const atEnd = useRef(true);
  const height = useRef(0);
  const before = useRef({ top: 0, whole: 0 });

  const toEnd = useCallback(() => {
    atEnd.current = true;
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [scroller]);

  /** To be called on every scroll; answers whether the reader is at the end. */
  const scrolled = useCallback(() => {
    const element = scroller.current;
    if (!element) return atEnd.current;
    const { scrollTop: top, scrollHeight: whole } = element;
    // A scroll event comes a frame late: by then the text may have grown, which is no leaving. Only going up is.
    if (whole - top - element.clientHeight <= NEAR) atEnd.current = true;
    else if (top < before.current.top - 1 && whole >= before.current.whole) atEnd.current = false;
    before.current = { top, whole };
    return atEnd.current;
  }, [scroller]);

  /** What opens now is looked at where it is: the end is not followed until the reader goes there again. */
  const letGo = useCallback(() => {
    atEnd.current = false;
  }, []);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    height.current = element.clientHeight;
    const watch = new ResizeObserver(() => {
      const change = element.clientHeight - height.current;
      height.current = element.clientHeight;
      if (atEnd.current) element.scrollTop = element.scrollHeight;
      else if (change !== 0) element.scrollTop -= change;
    });
    watch.observe(element);
    watch.observe(inner);
    return () => watch.disconnect();
  }, [scroller, content]);

  return { toEnd, scrolled, letGo };
}
