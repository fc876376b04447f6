/** Frames within which the virtual list has measured and shown a new row. */
const FRAMES = 20;

/**
 * Focuses an element that may still be hidden because the virtual list has not measured it yet: a hidden one takes
 * no focus. Answers the way to give up.
 */
export function focusWhenShown(element: HTMLElement): () => void {
  let frame = 0;
  const attempt = (left: number) => {
    element.focus({ preventScroll: true });
    if (document.activeElement !== element && left > 0) frame = requestAnimationFrame(() => attempt(left - 1));
  };
  attempt(FRAMES);
  return () => cancelAnimationFrame(frame);
}
