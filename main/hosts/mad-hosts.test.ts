import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AttemptOutcome } from '../../shared/model/compression';
import type { Log } from '../lib/log';
import { silentLog } from '../lib/log';
import { Engine } from '../testing/engine';
import { type MadDeed, madDeeds } from '../testing/mad-host';
import { ManualClock } from '../testing/manual-clock';
import { buildHostEntry, nodeFork } from '../testing/node-fork';
import { TempProfile } from '../testing/profile';
import { type ScriptedServer, startScriptedServer } from '../testing/scripted-server';
import type { Fork } from './child';
import { HostPool } from './pool';
import type { ToHost, ToMain } from './protocol';

// Real processes start slowly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

type Entry = Awaited<ReturnType<typeof buildHostEntry>>;
let mad: Entry;
let sane: Entry;
let server: ScriptedServer;
beforeAll(async () => {
  [mad, sane] = await Promise.all([buildHostEntry('main/testing/mad-host.ts'), buildHostEntry()]);
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
  await mad.remove();
  await sane.remove();
});

/** Time is the test's, turns of the loop are real: frames of real processes come between them. */
class RealTurns extends ManualClock {
  override nextTurn(fn: () => void): void {
    setImmediate(fn);
  }
}

interface Case {
  /** Cancelled by the user once it works; else it ends by itself. */
  readonly cancel: boolean;
  readonly outcome: AttemptOutcome['kind'];
  readonly failure?: string;
  /** How its process ends. */
  readonly ends: 'killed' | 'aborted' | 'code 0' | 'lives on';
  readonly summaries: number;
}
const cases: { readonly [D in MadDeed]: Case } = {
  'hears nothing': { cancel: true, outcome: 'cancelled', ends: 'killed', summaries: 0 },
  spins: { cancel: true, outcome: 'cancelled', ends: 'killed', summaries: 0 },
  'eats its memory': { cancel: false, outcome: 'failed', failure: 'died', ends: 'aborted', summaries: 0 },
  floods: { cancel: false, outcome: 'failed', failure: 'malformed', ends: 'killed', summaries: 0 },
  'answers twice': { cancel: false, outcome: 'committed', ends: 'lives on', summaries: 1 },
  'answers after the cancel': { cancel: true, outcome: 'cancelled', ends: 'lives on', summaries: 0 },
  'leaves with code 0': { cancel: false, outcome: 'failed', failure: 'died', ends: 'code 0', summaries: 0 },
  'speaks an older version': { cancel: false, outcome: 'failed', failure: 'died', ends: 'killed', summaries: 0 },
};

test.each(madDeeds)('a summarizer that %s harms nothing, and the next one works', async (deed) => {
  const expected = cases[deed];
  const profile = new TempProfile();
  const clock = new RealTurns();
  const children: ChildProcess[] = [];
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: (event) => void warned.push(event) };
  const execArgv = deed === 'eats its memory' ? ['--max-old-space-size=48'] : [];
  const forks: readonly Fork[] = [
    nodeFork(mad.file, (child) => children.push(child), { args: [deed], execArgv, quiet: true }),
    nodeFork(sane.file, (child) => children.push(child)),
  ];
  let started = 0;
  const fork: Fork = (role) => (forks[Math.min(started++, 1)] as Fork)(role);
  const pool = new HostPool({ fork, clock, instance: 'test', platform: process.platform, log });
  const engine = new Engine(profile, clock, undefined, 2, pool);
  engine.models.change({ target: { kind: 'openai', address: server.address, model: 'scripted', key: 'secret-key' } });
  engine.extractAllowed = false;
  const session = engine.session(20, 800);
  const before = engine.texts(session.branchId);
  const free = () => engine.lease(session.sessionId).instanceId === null;

  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  const child = children[0] as ChildProcess;
  const exited = once(child, 'exit');
  const posted: ToHost[] = [];
  child.send = new Proxy(child.send, {
    apply: (send, self, args) => {
      posted.push(args[0]);
      return Reflect.apply(send, self, args);
    },
  });
  if (expected.cancel) {
    await works(child);
    attempt.cancel('user');
  }
  expect(await attempt.outcome).toMatchObject({
    kind: expected.outcome,
    ...(expected.failure ? { failure: expected.failure } : {}),
  });
  if (expected.cancel && expected.ends === 'killed') {
    await engine.settle();
    expect(free()).toBe(false); // it is not proved stopped
    clock.advance(4_999);
    expect(child.exitCode ?? child.signalCode).toBeNull();
    clock.advance(1);
  }
  await attempt.proved;
  await engine.settle();
  expect(free()).toBe(true);
  if (expected.ends === 'lives on') expect(child.exitCode ?? child.signalCode).toBeNull();
  else {
    const [code, signal] = await exited;
    if (expected.ends === 'killed') expect(signal).toBe('SIGKILL');
    else if (expected.ends === 'code 0') expect(code).toBe(0);
    else expect(signal ?? code).not.toBe('SIGKILL');
  }
  if (deed === 'speaks an older version') expect(JSON.stringify(posted)).not.toContain('secret-key');
  if (deed === 'answers twice') expect(new Set(warned)).toEqual(new Set(['host.frame-refused']));
  expect(engine.shown(session.branchId)).toHaveLength(expected.summaries);
  expect(engine.texts(session.branchId)).toEqual(before);
  expect(engine.log.length).toBeLessThanOrEqual(20);

  child.kill('SIGKILL');
  await exited;
  await engine.settle();
  engine.fill(session.sessionId, session.branchId, 20, 800);
  const next = await engine.attempt(session, 'manual', ['summarize']);
  expect((await next.outcome).kind).toBe('committed');
  expect(engine.shown(session.branchId)).toHaveLength(1);
  await engine.settle();
  expect(free()).toBe(true);
  for (const each of children) each.kill('SIGKILL');
  engine.close();
  profile.remove();
});

/** Resolves once the process has said its first words of the answer. */
function works(child: ChildProcess): Promise<void> {
  return new Promise((resolve) =>
    child.on('message', (frame: ToMain) => {
      if (frame.t === 'text') setImmediate(resolve);
    }),
  );
}
