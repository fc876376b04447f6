/** When a watched session is looked at, and what a look leads to, where every answer around it is given. */
import { expect, test } from 'vitest';
import type { SessionId } from '../../shared/model/ids';
import { SettingsStore } from '../settings/settings';
import { eachEngine } from '../testing/each-engine';
import type { ManualClock } from '../testing/manual-clock';
import { Ahead, type AheadView } from './ahead';
import { aheadView } from './ahead-view';
import type { Started } from './coordinator';

let clock: ManualClock;
let sessionId: SessionId;
let ahead: Ahead;
/** What a look finds: free, past the mark, on power; a wish is skipped. */
let seen: AheadView;
let onPower: boolean;
let start: () => Promise<Started>;
let [looks, wishes] = [0, 0];
let log: string[];
eachEngine((engine) => {
  clock = engine.clock;
  sessionId = engine.session(10, 800).sessionId;
  const { db, leases, coordinator, models, toolbox } = engine;
  const view = aheadView({ db, leases, coordinator, models, toolbox, automatic: () => 'on' }, sessionId);
  if (!view) throw new Error('there is nothing to see');
  [seen, onPower, looks, wishes, log] = [{ ...view, tokens: 6_000, softMark: 5_000 }, true, 0, 0, []];
  start = async () => ({ kind: 'skipped', why: 'no-strategy' });
  ahead = new Ahead({
    clock,
    view: () => {
      looks++;
      return seen;
    },
    causeEnded: () => true,
    chatWants: () => false,
    onPower: () => onPower,
    start: () => {
      wishes++;
      return start();
    },
    log: (line) => log.push(line),
  });
});
/** Time passes, and what was started is answered. */
const pass = async (ms: number) => {
  clock.advance(ms);
  await new Promise<void>((resolve) => setImmediate(resolve));
};

test.each<[string, number, number | null, number]>([
  ['begins at the mark itself', 5_000, 5_000, 1],
  ['does not begin one token below', 4_999, 5_000, 0],
  ['does not begin where turns are so long that there is no mark', 9_000, null, 0],
])('it %s', async (_name, tokens, softMark, begun) => {
  seen = { ...seen, tokens, softMark };
  ahead.turned(sessionId);
  await pass(3_000);
  expect([looks, wishes]).toEqual([1, begun]);
});

test('a wish that is skipped is not looked at again by itself', async () => {
  ahead.turned(sessionId);
  await pass(3_000);
  expect(wishes).toBe(1);
  expect(clock.armed).toBe(0);
});

test('a wish that pauses is looked at again when the pause is over', async () => {
  start = async () => ({ kind: 'paused', until: clock.wall() + 60_000, forMs: 60_000 });
  ahead.turned(sessionId);
  await pass(3_000);
  await pass(59_999);
  expect(wishes).toBe(1);
  await pass(1);
  expect(wishes).toBe(2);
});

test('a start that fails is logged with its reason, and the next turn is looked at as ever', async () => {
  start = () => Promise.reject(new Error('disk full'));
  ahead.turned(sessionId);
  await pass(3_000);
  expect(log).toEqual([expect.stringContaining('disk full')]);
  ahead.turned(sessionId);
  await pass(3_000);
  expect(wishes).toBe(2);
});

test.each<[string, Partial<AheadView>]>([
  ['is below the mark', { tokens: 4_999 }],
  ['is not free', { free: false }],
])('power that comes back is no reason to read a session again that %s', async (_name, what) => {
  seen = { ...seen, ...what };
  onPower = false;
  ahead.turned(sessionId);
  await pass(3_000);
  onPower = true;
  ahead.lookAgain();
  await pass(10_000);
  expect([looks, wishes]).toEqual([1, 0]);
});

test('a change of any other setting is no reason to read a session again', async () => {
  const settings = new SettingsStore({ all: () => ({}), set: () => {} });
  ahead.follow(settings);
  ahead.turned(sessionId);
  await pass(3_000);
  settings.change({ theme: 'dark' });
  await pass(10_000);
  expect(looks).toBe(1);
  settings.change({ automaticCompression: false });
  settings.change({ theme: 'light' });
  await pass(10_000);
  expect(looks).toBe(1);
  settings.change({ automaticCompression: true });
  await pass(10_000);
  expect(looks).toBe(2);
});
