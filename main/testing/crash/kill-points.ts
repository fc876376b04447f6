/** Where a process of the crash test kills itself: named transactions, told by the statements that ran in them. */

export const killTimes = ['before', 'inside', 'after'] as const;
export type KillTime = (typeof killTimes)[number];

/** Statements that changed or answered something in one transaction of the writing connection. */
type Statements = readonly string[];
const has = (statements: Statements, start: string) => statements.some((sql) => sql.startsWith(start));

const INSERTS_MESSAGE = 'INSERT INTO messages (';
const TAKES_LEASE = 'UPDATE leases SET epoch = epoch + 1';

export const transactions = {
  'user message': (all: Statements) =>
    has(all, INSERTS_MESSAGE) && has(all, 'INSERT INTO turns') && !has(all, 'DELETE FROM outbox'),
  'waiting message': (all: Statements) => has(all, 'INSERT INTO outbox'),
  'outbox drain': (all: Statements) => has(all, INSERTS_MESSAGE) && has(all, 'DELETE FROM outbox'),
  'request written': (all: Statements) => has(all, 'INSERT INTO requests'),
  'stream flush': (all: Statements) => has(all, 'INSERT INTO stream_parts'),
  'answer end': (all: Statements) => has(all, 'DELETE FROM stream_parts') && !has(all, 'DELETE FROM instances'),
  'lease acquire': (all: Statements) => has(all, TAKES_LEASE) && !has(all, INSERTS_MESSAGE),
  'chunk checkpoint': (all: Statements) => has(all, 'INSERT INTO summary_chunks'),
  'attempt commit': (all: Statements) => has(all, 'INSERT INTO summaries'),
  recovery: (all: Statements) => has(all, 'DELETE FROM instances'),
} as const;

export type TransactionName = keyof typeof transactions;
/** `backup`: inside = between the copy and its rename. */
export type KillPoint = TransactionName | 'migration step' | 'backup swap';

export interface Kill {
  readonly point: KillPoint;
  readonly at: KillTime;
  /** Which occurrence, from 1. */
  readonly nth: number;
}

export const killPoints: readonly KillPoint[] = [
  ...(Object.keys(transactions) as TransactionName[]),
  'migration step',
  'backup swap',
];
