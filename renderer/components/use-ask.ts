import { useCallback, useState } from 'react';
import type { AppError } from '../../shared/errors';
import { asAppError } from '../bridge/request';

export interface Ask {
  /** Runs it; a refusal is kept as `problem` until the next try. Answers true where it was done. */
  readonly ask: (what: () => Promise<unknown>) => Promise<boolean>;
  readonly problem: AppError | null;
  readonly clear: () => void;
}

/** For buttons that ask main: what was refused is shown where the button stands, and is never lost. */
export function useAsk(): Ask {
  const [problem, setProblem] = useState<AppError | null>(null);
  const ask = useCallback(async (what: () => Promise<unknown>) => {
    setProblem(null);
    try {
      await what();
      return true;
    } catch (thrown) {
      setProblem(asAppError(thrown));
      return false;
    }
  }, []);
  const clear = useCallback(() => setProblem(null), []);
  return { ask, problem, clear };
}
