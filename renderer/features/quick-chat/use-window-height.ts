import { type RefObject, useEffect } from 'react';
import { request } from '../../bridge/request';

/** The window's heights in CSS pixels: it begins with one, and grows with the answer up to the other. */
export const LEAST_HEIGHT = 420;
export const MOST_HEIGHT = 640;

/** Height for what is shown, within the bounds, in whole pixels. */
export function wantedHeight(content: number, around: number): number {
  return Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, Math.ceil(content + around)));
}

/** Asks for the height that shows the answers whole, each time that changes. */
export function useWindowHeight(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = content.current;
    const scroller = element?.parentElement;
    if (!element || !scroller) return;
    let last = LEAST_HEIGHT;
    const observer = new ResizeObserver(() => {
      const padding = scroller.clientHeight - innerHeightOf(scroller);
      const around = document.documentElement.clientHeight - scroller.clientHeight + padding;
      const height = wantedHeight(element.offsetHeight, around);
      if (height === last) return;
      last = height;
      // Not being granted a height is no harm: then the answers scroll.
      request('quickChat.resize', { height }).catch(() => undefined);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [content]);
}

function innerHeightOf(element: HTMLElement): number {
  const style = getComputedStyle(element);
  return element.clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
}
