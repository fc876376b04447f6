import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { overflowIn } from './overflow';

/** An error body as it was seen, but for the ids in it: text as it came, or its JSON. */
interface Row {
  readonly server: string;
  /** null = inside a stream. */
  readonly status: number | null;
  readonly body: unknown;
  /** Where it was recorded or read: a file of this project, an issue or pull request, a file of another. null = made up. */
  readonly from: string | null;
}
/** `need` and `window` = the numbers that the body names; null = none. */
type Overflowing = Row & { readonly need: number | null; readonly window: number | null };

const SOURCE = /^(?:main\/testing\/recorded\/\S+|[\w.-]+\/[\w.-]+(?:#\d+|: \S+))$/;

function rows<R extends Row>(file: string): R[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../testing/recorded', file), 'utf8')) as R[];
}
const sent = ({ body }: Row) => (typeof body === 'string' ? body : JSON.stringify(body));

const overflows = ['overflow-local.json', 'overflow-remote.json'].flatMap((file) => rows<Overflowing>(file));
const lookAlikes = rows<Row>('overflow-look-alikes.json');

test.each(overflows)('S71 $server: an overflow, $from', (row) => {
  expect(overflowIn(row.status, sent(row))).toEqual({ needTokens: row.need, windowTokens: row.window });
});

test.each(lookAlikes)('S71 $server: none, $from', (row) => {
  expect(overflowIn(row.status, sent(row))).toBeNull();
});

describe('the table', () => {
  test('S71 says of each body where it comes from, or that it was made up', () => {
    const named = [...overflows, ...lookAlikes].flatMap(({ from }) => (from === null ? [] : [from]));
    expect(named.filter((from) => !SOURCE.test(from))).toEqual([]);
    expect(overflows.filter(({ from }) => from !== null).length).toBeGreaterThanOrEqual(25);
    expect(lookAlikes.filter(({ from }) => from !== null).length).toBeGreaterThanOrEqual(15);
  });

  test('has no body twice', () => {
    const bodies = [...overflows, ...lookAlikes].map((row) => `${row.status} ${sent(row)}`);
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  test('S71 the body of our own recording is in it', () => {
    const recording = readFileSync(
      join(import.meta.dirname, '../../testing/recorded/llama-server-overflow.http.txt'),
      'utf8',
    );
    const body: unknown = JSON.parse(recording.slice(recording.indexOf('{"error"')));
    expect(overflows.map((row) => row.body)).toContainEqual(body);
  });
});
