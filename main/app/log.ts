import path from 'node:path';
import electronLog from 'electron-log/node';
import type { Log, LogFields } from '../lib/log';

const MAX_BYTES = 5_000_000;

/**
 * The log of this profile: `logs/main.log`, moved to `main.old.log` at 5 MB. Lines hold an event's name and its
 * fields; nothing that a user or a model wrote ever goes into them.
 */
export function openLog(profile: string): Log {
  const logger = electronLog.create({ logId: 'palimpsest' });
  logger.transports.file.resolvePathFn = () => path.join(profile, 'logs', 'main.log');
  logger.transports.file.maxSize = MAX_BYTES;
  logger.transports.file.format = '{iso} {level} {text}';
  logger.transports.console.level = 'warn';
  return {
    info: (event, fields) => logger.info(line(event, fields)),
    warn: (event, fields) => logger.warn(line(event, fields)),
    error: (event, error, fields) => logger.error(`${line(event, fields)} ${told(error)}`),
  };
}

export function line(event: string, fields: LogFields = {}): string {
  const pairs = Object.entries(fields).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [event, ...pairs].join(' ');
}

function told(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
