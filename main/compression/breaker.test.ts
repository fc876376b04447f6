import { afterEach, expect, test } from 'vitest';
import { changeSession } from '../db/sessions-table';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { type PastCommit, tripOf } from './breaker';
import { setAutomatic, tripStored } from './breaker-store';

const MINUTE = 60_000;
const gains = (...shares: (number | null)[]): PastCommit[] =>
  shares.map((gain, index) => ({ gain, at: index * MINUTE * 30 }));
const often = (many: number, minutes: number): PastCommit[] =>
  Array.from({ length: many }, (_, index) => ({ gain: 0.5, at: index * minutes * MINUTE }));
const bought = (turns: number) => () => turns;

test.each([
  ['two small gains in a row', gains(0.5, 0.06, 0.04), { kind: 'small-gains', gains: [0.06, 0.04] }],
  ['a growth is a small gain', gains(-0.02, 0.05), { kind: 'small-gains', gains: [-0.02, 0.05] }],
  ['one small gain alone', gains(0.04), null],
  ['a good one between two small ones', gains(0.05, 0.3, 0.04), null],
  ['exactly a tenth is enough', gains(0.1, 0.1), null],
  ['a gain that nobody measured says nothing', gains(null, 0.04), null],
  ['nothing was committed', [], null],
])('%s', (_name, commits, trip) => {
  expect(tripOf(commits, bought(0))).toEqual(trip);
});

test.each([
  ['six in an hour that bought one turn each', often(6, 5), 1, { kind: 'too-often', times: 6, turns: [1, 1, 1] }],
  ['five in an hour', often(5, 5), 1, null],
  ['six in an hour that bought two turns each', often(6, 5), 2, null],
  ['six in more than an hour', often(6, 15), 1, null],
])('%s', (_name, commits, turns, trip) => {
  expect(tripOf(commits, bought(turns))).toEqual(trip);
});

test('only the last three have to have bought little', () => {
  const commits = often(7, 5);
  const late = (from: number) => (from >= 3 * 5 * MINUTE ? 0 : 9);
  expect(tripOf(commits, late)).toEqual({ kind: 'too-often', times: 7, turns: [0, 0, 0] });
  const early = (from: number) => (from >= 4 * 5 * MINUTE ? 0 : 9);
  expect(tripOf(commits, early)).toBeNull();
});

let profile: TempProfile | null = null;
afterEach(() => profile?.remove());

test('S1 the second automatic commit in a row that gains next to nothing stops the session, until the user starts it', async () => {
  profile = new TempProfile();
  const engine = new Engine(profile);
  const session = engine.session(16, 1_200);
  // ten turns are kept whole: each later compression takes the one that just fell out of them
  engine.write((tx) => changeSession(tx, session.sessionId, { keepTurns: 10 }));
  const automatic = () => engine.stored(session.sessionId)?.automatic;
  const commit = async () => {
    engine.fill(session.sessionId, session.branchId, 1, 1_200);
    await engine.attempt(session, 'must');
    await engine.answerAll();
    expect(engine.ended.at(-1)?.kind).toBe('committed');
  };
  await commit();
  await commit();
  expect(automatic()).toBe('on');
  await commit();
  expect(automatic()).toBe('breaker');
  expect(tripStored(engine.stored(session.sessionId)?.automaticWhy ?? null)?.kind).toBe('small-gains');

  engine.write((tx) => setAutomatic(tx, session.sessionId, 'on'));
  await commit();
  expect(automatic()).toBe('on');
  await commit();
  expect(automatic()).toBe('breaker');
  engine.close();
});
