import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WriteDb } from '../db/database';
import { openForWriting } from '../db/open';
import { ManualClock } from '../testing/manual-clock';
import { TempProfile } from '../testing/profile';
import { Beat } from './beat';

let profile: TempProfile;
let mine: WriteDb;
let other: WriteDb;
let clock: ManualClock;
let beat: Beat;
let busy: boolean;
let broken: boolean;
let seen: string[];
beforeEach(() => {
  profile = new TempProfile();
  mine = openForWriting(profile.database);
  other = openForWriting(profile.database);
  clock = new ManualClock();
  busy = false;
  broken = false;
  seen = [];
  beat = new Beat(mine, clock, {
    busy: () => {
      if (broken) throw new Error('the disk is full');
      return busy;
    },
    moved: () => seen.push('moved'),
    slept: () => seen.push('slept'),
    tick: () => seen.push('tick'),
    failed: (error) => seen.push(String(error)),
  });
  beat.wake();
  clock.advance(1_000);
  seen = [];
});
afterEach(() => {
  beat.end();
  expect(clock.armed).toBe(0);
  mine.close();
  other.close();
  profile.remove();
});
const write = (db: WriteDb) => db.exec('CREATE TABLE IF NOT EXISTS probe (n); INSERT INTO probe VALUES (1)');

test('an idle window sees within five seconds what another one has written, and beats seldom until then', () => {
  write(other);
  clock.advance(4_999);
  expect(seen).toEqual([]);
  clock.advance(1);
  expect(seen).toEqual(['moved', 'tick']);
  write(mine); // its own writes are no news
  clock.advance(5_000);
  expect(seen).toEqual(['moved', 'tick', 'tick']);
});

test('while work runs it beats each second, from the moment in which that begins', () => {
  busy = true;
  beat.wake();
  clock.advance(3_000);
  beat.wake(); // no beat is put off
  clock.advance(500);
  beat.wake();
  clock.advance(500);
  expect(seen).toEqual(['tick', 'tick', 'tick', 'tick']);
  busy = false;
  clock.advance(1_000 + 5_000 + 4_999);
  expect(seen).toHaveLength(6);
});

test.each(['busy', 'idle'] as const)(
  'a machine that slept while it was %s is told once, and no beat that was in time',
  (how) => {
    busy = how === 'busy';
    if (busy) beat.wake();
    clock.advance(10_000);
    expect(seen).not.toContain('slept');
    clock.sleep(600_000, 'stands');
    clock.advance(10_000);
    expect(seen.filter((what) => what === 'slept')).toHaveLength(1);
  },
);

test('sleep is told by the work that begins right after it', () => {
  clock.sleep(600_000, 'stands');
  busy = true;
  beat.wake();
  expect(seen).toEqual(['slept']);
  clock.advance(1_000);
  expect(seen).toEqual(['slept', 'tick']);
});

test('it goes on after a look has failed', () => {
  broken = true;
  clock.advance(5_000);
  expect(seen).toEqual(['tick', 'Error: the disk is full']);
  broken = false;
  clock.advance(1_000);
  expect(seen.at(-1)).toBe('tick');
});
