import { useEffect, useState } from 'react';

/** Wall time, renewed when the day changes and when the window is looked at again. */
export function useToday(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const midnight = new Date(now).setHours(24, 0, 0, 0);
    const timer = setTimeout(() => setNow(Date.now()), Math.max(1_000, midnight - Date.now() + 1_000));
    const looked = () => {
      if (Date.now() >= midnight) setNow(Date.now());
    };
    window.addEventListener('focus', looked);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', looked);
    };
  }, [now]);
  return now;
}
