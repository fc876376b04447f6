import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WriteDb } from '../db/database';
import { openForWriting } from '../db/open';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { Acquirer } from './acquire';
import type { Input } from './attempt-state';

let engine: Engine;
let profile: TempProfile;
let acquirer: Acquirer;
/** What was answered, each with whether other inputs were held back meanwhile. */
let heard: { input: Input; exclusive: boolean }[];
let armed: number;
let blocker: WriteDb;
eachEngine((made, at) => {
  engine = made;
  profile = at;
});

/** Another process writes: the database is busy from before the first try. */
beforeEach(() => {
  const { sessionId: session } = engine.session();
  let exclusive = false;
  [heard, armed] = [[], 0];
  blocker = openForWriting(profile.database);
  blocker.exec('BEGIN IMMEDIATE');
  acquirer = new Acquirer(engine, { session, kind: 'compression' }, 1);
  acquirer.acquire({
    exclusive: (fn) => {
      exclusive = true;
      fn();
      exclusive = false;
    },
    arm: () => armed++,
    answer: (input) => heard.push({ input, exclusive }),
  });
});
afterEach(() => blocker.close());
const acquired = { input: { in: 'acquired' }, exclusive: true };

test.each([
  ['at once', 0],
  ['after half a second', 500],
  ['shortly before patience is over', 4_900],
])('a database that was busy and comes free %s gives the lease within a third of a second', (_name, busyMs) => {
  engine.clock.advance(busyMs);
  expect(heard).toEqual([]);
  blocker.exec('ROLLBACK');
  engine.clock.advance(busyMs === 0 ? 10 : 320);
  expect(heard).toEqual([acquired]);
  expect(armed).toBe(1);
});

test('a database that stays busy for five seconds is not asked again', () => {
  engine.clock.advance(4_999);
  expect(heard).toEqual([]);
  engine.clock.advance(320);
  expect(heard).toEqual([{ input: { in: 'acquire-busy' }, exclusive: true }]);
  expect(engine.clock.armed).toBe(0);
  blocker.exec('ROLLBACK');
  engine.clock.advance(10_000);
  expect(heard).toHaveLength(1);
});

test('once it is ended a database that comes free gives no lease', () => {
  engine.clock.advance(100);
  acquirer.end();
  blocker.exec('ROLLBACK');
  engine.clock.advance(10_000);
  expect([heard, armed]).toEqual([[], 0]);
});
