/** Values of a log line. Never conversation text, never secrets: ids, counts, codes, times. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Where the app writes what it did. Injected, so that tests can count lines. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  /** `error` is kept with its stack. */
  error(event: string, error: unknown, fields?: LogFields): void;
}

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
