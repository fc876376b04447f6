import { useEffect, useRef, useState } from 'react';

/** Milliseconds between two looks at a growing text: 30 a second. */
const STEP_MS = 33;

/** A growing text, at most 30 times a second; its end, and every text that does not grow, at once. */
export function useSteadyText(text: string, grows: boolean): string {
  const [shown, setShown] = useState(text);
  const newest = useRef(text);
  newest.current = text;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    if (!grows || text === shown || timer.current !== null) return;
    timer.current = setTimeout(() => {
      timer.current = null;
      setShown(newest.current);
    }, STEP_MS);
  }, [text, shown, grows]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return grows ? shown : text;
}
