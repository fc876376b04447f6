/** Entry of `npm run two-processes`: rounds, seed and the tree's root in; counts out, and one line of JSON. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCore } from '../processes/build-core';
import { Broken } from '../processes/profile-holds';
import { Random } from '../processes/random';
import { makeProfile } from '../processes/template';
import { startScriptedServer } from '../scripted-server';
import { Duo } from './duo';

const [rounds = '1000', seed = '1', root = '.'] = process.argv.slice(2);
const SESSIONS = 2;
/** Rounds that one profile lives through: it grows, and each round reads all of it. */
const EACH_PROFILE = 100;

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-two-'));
const server = await startScriptedServer({ tokensPerSecond: 250 });
const entries = await buildCore(root);
const random = new Random(Number(seed));
const done = new Map<string, number>();
let passed = 0;
let broken: string | null = null;
try {
  for (let profile = 0; passed < Number(rounds) && !broken; profile++) {
    const path = join(folder, String(profile));
    await makeProfile(entries, path, { sessions: SESSIONS, address: server.address });
    const duo = new Duo(entries, path, random, server);
    try {
      for (let i = 0; i < EACH_PROFILE && passed < Number(rounds); i++, passed++) await duo.round();
      if (passed % EACH_PROFILE === 0) await duo.standstill();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      broken = `seed ${seed}, round ${passed + 1}, profile ${path}: ${error.message}`;
    } finally {
      await duo.end();
      for (const [what, times] of duo.done) done.set(what, (done.get(what) ?? 0) + times);
    }
    if (!broken) rmSync(path, { recursive: true, force: true });
  }
} finally {
  await server.close();
  entries.remove();
  if (!broken) rmSync(folder, { recursive: true, force: true });
}
console.log([...done].map(([what, times]) => `${what} ${times}`).join(', '));
if (broken) console.log(`FAILED ${broken.slice(0, 2_000)}`);
console.log(JSON.stringify({ rounds: passed, broken }));
process.exitCode = broken ? 1 : 0;
