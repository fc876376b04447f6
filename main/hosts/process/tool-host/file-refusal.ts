import { TOOL_ERROR } from '../../tool-protocol';
import { JobFailure } from '../job-failure';

/** Why a file tool did not do what it was asked, in one sentence for the model. */
export class FileRefusal extends JobFailure {
  constructor(sentence: string) {
    super('refused', 'internal', sentence, {}, TOOL_ERROR);
  }

  /** From an error of the file system. */
  static of(error: unknown, shown: string): FileRefusal {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return new FileRefusal(sentences[code]?.(shown) ?? `${shown} cannot be read: ${code || String(error)}`);
  }
}

const sentences: Readonly<Record<string, (shown: string) => string>> = {
  ENOENT: (shown) => `there is no ${shown}; search the folder for the right path`,
  ENOTDIR: (shown) => `there is no ${shown}; search the folder for the right path`,
  EACCES: (shown) => `the system does not let this app read ${shown}`,
  EPERM: (shown) => `the system does not let this app read ${shown}`,
  ELOOP: (shown) => `${shown} is a link that leads in a circle`,
  ENAMETOOLONG: (shown) => `${shown.slice(0, 80)}… is too long for a path`,
};
