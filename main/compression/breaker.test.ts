import { expect, test } from 'vitest';
import type { MessageRole } from '../../shared/model/message';
import { changeSession } from '../db/sessions-table';
import { MESSAGE_OVERHEAD } from '../providers/token-estimate';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { type PastCommit, tripOf } from './breaker';
import { setAutomatic, tripStored } from './breaker-store';
import { marksOf } from './policy';

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
  ['six of which the first was a whole hour ago', often(6, 12), 1, null],
  [
    'six of which some bear a time to come, since the clock was set back',
    [...often(5, 5).map((commit) => ({ ...commit, at: commit.at + 60 * MINUTE })), ...often(1, 5)],
    1,
    null,
  ],
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

let engine: Engine;
eachEngine((made) => {
  engine = made;
});

test('S1 the second automatic commit in a row that gains next to nothing stops the session, until the user starts it', async () => {
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
});

test('S1 lines in the place of bulky results that save next to nothing stop the session like any other commit', async () => {
  engine.models.change({ window: { served: 32_768, trained: 32_768, source: 'server' } });
  const { target } = marksOf(32_768, null, 0);
  const session = engine.session();
  let turns = 0;
  let tokens = 0;
  const say = (role: MessageRole, text: string) => {
    engine.say(session, role, text);
    turns += role === 'user' ? 1 : 0;
    tokens += Math.ceil(text.length / 4) + MESSAGE_OVERHEAD;
  };
  for (let n = 0; n < 4; n++) {
    say('user', `question ${n}`);
    say('tool', 'a row of the table, with its values\n'.repeat(40));
  }
  /** Just past the target, with one more result among what may be covered: its line alone reaches the target. */
  const commit = async (covered: number) => {
    while (tokens <= target) say('user', 'words '.repeat(160));
    engine.write((tx) => changeSession(tx, session.sessionId, { keepTurns: turns - covered }));
    const { outcome, tokensBefore, tokensAfter } = (await engine.attempt(session, 'pressure')).view();
    expect(outcome?.kind).toBe('committed');
    tokens -= (tokensBefore ?? 0) - (tokensAfter ?? 0);
    return { automatic: engine.stored(session.sessionId)?.automatic };
  };
  expect(await commit(1)).toEqual({ automatic: 'on' });
  expect(await commit(2)).toEqual({ automatic: 'breaker' });
  const trip = tripStored(engine.stored(session.sessionId)?.automaticWhy ?? null);
  if (trip?.kind !== 'small-gains') throw new Error('not for its gains');
  // what was taken away of the whole request: some 300 of some 10,000 tokens
  for (const gain of trip.gains) expect(gain).toBeGreaterThan(0.02);
  for (const gain of trip.gains) expect(gain).toBeLessThan(0.04);
  expect(engine.attempts(session.sessionId).map(({ strategy }) => strategy)).toEqual(['prune', 'prune']);
});
