/** Entry of `npm run crash-test`: kills, seed and the tree's root in; a table out, and one line of JSON. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCore } from '../processes/build-core';
import { Broken } from '../processes/profile-holds';
import { Random } from '../processes/random';
import { makeProfile } from '../processes/template';
import { startScriptedServer } from '../scripted-server';
import { killPoints, killTimes } from './kill-points';
import { Campaign, type Found, PACE, type Plan } from './round';
import { tableOf } from './table';

/** Deaths that one profile lives through. */
const EACH_PROFILE = 10;
const SESSIONS = 12;
/** So long that a summary gains by any count: a server's may lie far under what is estimated before the first. */
const TURNS = 20;
/** So that a short run meets points of all kinds; it shares no factor with their number. */
const STRIDE = 5;

const ANSWER = Array.from({ length: 32 }, (_, i) => `word ${i}`).join(' and ');

const [kills = '300', seed = '1', root = '.', only = ''] = process.argv.slice(2);

/** Every point and time in turn, then deaths from outside. */
function plans(count: number, random: Random): Plan[] {
  const named: Plan[] = killPoints.flatMap((point) => killTimes.map((at) => ({ point, at, nth: 1 })));
  const outside = Array.from({ length: 6 }, (): Plan => ({ point: 'random' }));
  const all = [...named, ...outside].filter((plan) => only === '' || plan.point === only);
  return Array.from({ length: count }, (_, i) => all[(i * STRIDE) % all.length] as Plan).map((plan) =>
    plan.point === 'random' || once(plan.point) ? plan : { ...plan, nth: random.int(1, 3) },
  );
}
/** Comes once in a process's life, or costs a whole compression. */
const once = (point: string) => ['recovery', 'migration step', 'backup swap', 'attempt commit'].includes(point);

const shortened = (text: string) => (text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text);

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-crash-'));
const server = await startScriptedServer({ tokensPerSecond: PACE.quick, reply: () => ANSWER });
const entries = await buildCore(root);
const random = new Random(Number(seed));
const results: Found[] = [];
let broken: string | null = null;
try {
  const template = join(folder, 'template');
  await makeProfile(entries, template, { sessions: SESSIONS, address: server.address, turns: TURNS });
  const wanted = plans(Number(kills), random);
  // migrations come first in a profile's life: a profile of their own for each of them
  const apart = (plan: Plan) => plan.point === 'migration step' || plan.point === 'backup swap';
  const rest = wanted.filter((plan) => !apart(plan));
  const lives: Plan[][] = wanted.filter(apart).map((plan) => [plan]);
  for (let i = 0; i < rest.length; i += EACH_PROFILE) lives.push(rest.slice(i, i + EACH_PROFILE));
  for (const [number, life] of lives.entries()) {
    const profile = join(folder, `profile-${number}`);
    cpSync(template, profile, { recursive: true });
    const campaign = new Campaign(entries, profile, random, server);
    const first = results.length;
    try {
      await campaign.live(life, (found) => results.push(found));
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      const plan = life[results.length - first - 1] ?? life[0];
      broken = `seed ${seed}, kill ${results.length} (${JSON.stringify(plan)}), profile ${profile}: ${error.message}`;
    }
    if (broken) break;
    rmSync(profile, { recursive: true, force: true });
  }
} finally {
  await server.close();
  entries.remove();
  if (!broken) rmSync(folder, { recursive: true, force: true });
}
console.log(tableOf(results));
if (broken) console.log(`FAILED ${shortened(broken)}`);
console.log(JSON.stringify({ kills: results.length, broken }));
process.exitCode = broken ? 1 : 0;
