import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { summaryId } from '../../shared/model/ids';
import type { WriteDb } from '../db/database';
import { openForWriting } from '../db/open';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import type { Input } from './attempt-state';
import type { Committed } from './commit';
import { CommitFence } from './commit-fence';
import { Saving } from './saving';

let engine: Engine;
let profile: TempProfile;
let fence: CommitFence;
let heard: Input[];
let noted: (string | null)[];
eachEngine((made, at) => {
  engine = made;
  profile = at;
});
beforeEach(() => {
  engine.db.exec('CREATE TABLE saved (n INTEGER)');
  [fence, heard, noted] = [new CommitFence(), [], []];
});

const OUTCOME = { kind: 'proposed', summaryId: summaryId.parse(1) } as const;
const DONE: Committed = { kind: 'committed', outcome: OUTCOME };
const env = () => ({
  seam: engine.seam,
  clock: engine.clock,
  fence,
  note: (error: string | null) => noted.push(error),
  dispatch: (input: Input) => heard.push(input),
});
/** Saves one row, or what `answer` says. */
const saving = (answer: () => Committed = () => DONE) =>
  new Saving(env(), () => (tx) => {
    tx.prepare('INSERT INTO saved VALUES (1)').run();
    return answer();
  });
const rows = () => engine.db.prepare('SELECT count(*) FROM saved').pluck().get();

test('what was made is written once, through the fence', () => {
  const one = saving();
  one.start();
  expect(heard).toEqual([{ in: 'committed', outcome: OUTCOME }]);
  expect([fence.state, rows(), one.refused, engine.clock.armed]).toEqual(['committed', 1, null, 0]);
  expect(engine.db.pragma('synchronous', { simple: true })).toBe(2); // FULL: it is on disk
});

test('with nothing to write the commit failed', () => {
  new Saving(env(), () => null).start();
  expect([heard, noted, fence.state]).toEqual([[{ in: 'commit-failed' }], [], 'open']);
});

test('after a cancel nothing is written and nothing said', () => {
  fence.cancel();
  saving().start();
  expect([heard, rows(), engine.clock.armed]).toEqual([[], 0, 0]);
});

test.each<[Extract<Committed, { kind: 'lease-passed' | 'base-changed' }>, Input]>([
  [{ kind: 'lease-passed' }, { in: 'lease-passed' }],
  [
    { kind: 'base-changed', by: 'bin' },
    { in: 'base-changed', by: 'bin' },
  ],
])('a transaction that refuses is not tried again: %j', (refusal, input) => {
  const one = saving(() => refusal);
  one.start();
  expect([heard, one.refused, fence.state, engine.clock.armed]).toEqual([[input], refusal, 'open', 0]);
});

test('a fault is noted in words and not tried again', () => {
  saving(() => {
    throw new Error('the disk is gone');
  }).start();
  expect([heard, noted]).toEqual([[{ in: 'commit-failed' }], ['Error: the disk is gone']]);
  expect([fence.state, rows(), engine.clock.armed]).toEqual(['open', 0, 0]);
});

describe('while another process writes', () => {
  let blocker: WriteDb;
  let one: Saving;
  beforeEach(() => {
    blocker = openForWriting(profile.database);
    blocker.exec('BEGIN IMMEDIATE');
    one = saving();
    one.start();
  });
  afterEach(() => blocker.close());

  test.each([
    ['at once', 0, 10],
    ['after half a second', 500, 320],
    ['shortly before patience is over', 14_900, 320],
  ])('a database that comes free %s is written to soon', (_name, busyMs, soonMs) => {
    engine.clock.advance(busyMs);
    expect(heard).toEqual([]);
    blocker.exec('ROLLBACK');
    engine.clock.advance(soonMs);
    expect([heard, rows()]).toEqual([[{ in: 'committed', outcome: OUTCOME }], 1]);
    expect(noted).toEqual([]);
  });
  test('tries come further and further apart, and end after 15 seconds', () => {
    const tries: number[] = [];
    const tryWrite = engine.seam.tryWrite.bind(engine.seam);
    engine.seam.tryWrite = (fn, options) => {
      tries.push(engine.clock.monotonic());
      return tryWrite(fn, options);
    };
    engine.clock.advance(20_000);
    expect(tries.slice(0, 7)).toEqual([10, 30, 70, 150, 310, 630, 950]);
    expect(tries.at(-1)).toBe(15_030);
    expect(heard).toEqual([{ in: 'commit-failed' }]);
    expect(engine.clock.armed).toBe(0);
  });
  test('between two tries a cancel wins', () => {
    engine.clock.advance(100);
    fence.cancel();
    blocker.exec('ROLLBACK');
    engine.clock.advance(320);
    expect([heard, rows(), engine.clock.armed]).toEqual([[], 0, 0]);
  });
  test('once it is ended no further try is made', () => {
    engine.clock.advance(100);
    one.end();
    blocker.exec('ROLLBACK');
    engine.clock.advance(20_000);
    expect([heard, rows()]).toEqual([[], 0]);
  });
});
