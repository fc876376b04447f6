import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { openForReading } from '../../db/open';
import { TempProfile } from '../profile';
import type { Action } from './action';
import { checkCalm, checkStep } from './invariants';
import { schedules } from './macros';
import { newMemory } from './memory';
import { makeTemplate, type Template } from './template';
import { Simulation } from './world';

export interface SimulationOptions {
  readonly runs: number;
  readonly seed: number;
  /** Replays the end of a shrinking: as printed by a failing run. */
  readonly path?: string;
  /** False: the first failure is told as it is. */
  readonly shrink: boolean;
  /** Rejections that nobody heard since it was asked last. */
  unheard(): string[];
}

export type SimulationResult =
  | { readonly ok: true; readonly runs: number }
  | {
      readonly ok: false;
      readonly runs: number;
      readonly seed: number;
      readonly path: string;
      readonly schedule: readonly Action[];
      readonly why: string;
    };

/** Checking the file's pages costs a tenth of a schedule: each schedule of so many lengths has it done. */
const THOROUGH_EACH = 6;

/** Runs one schedule on a database of its own, checking every invariant after every step. @throws Broken. */
export async function runSchedule(
  template: Template,
  schedule: readonly Action[],
  unheard: () => string[],
): Promise<void> {
  const profile = new TempProfile(fast());
  const simulation = new Simulation(profile, template);
  const reader = openForReading(profile.database);
  const memory = newMemory();
  try {
    checkStep(simulation, reader, memory);
    for (const action of schedule) {
      await simulation.act(action);
      checkStep(simulation, reader, memory);
    }
    await simulation.calm();
    const [fault] = unheard();
    if (fault) throw new Error(`nobody heard a rejection: ${fault}`);
    checkStep(simulation, reader, memory);
    checkCalm(simulation, reader, memory, schedule.length % THOROUGH_EACH === 0);
  } finally {
    simulation.end();
    await new Promise<void>((resolve) => setImmediate(resolve)); // what a death has rejected is heard here
    reader.close();
    profile.remove();
  }
}

/** A folder in memory where there is one: the schedules need a real file, not a real disk. */
function fast(): string | undefined {
  return existsSync('/dev/shm') ? mkdtempSync(join('/dev/shm', 'palimpsest-sim-')) : undefined;
}

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const template = await makeTemplate(fast());
  const details = await fc.check(
    fc.asyncProperty(schedules, (schedule) => runSchedule(template, schedule, options.unheard)),
    {
      numRuns: options.runs,
      seed: options.seed,
      ...(options.path === undefined ? {} : { path: options.path }),
      endOnFailure: !options.shrink,
    },
  );
  if (!details.failed) return { ok: true, runs: details.numRuns };
  const error = details.errorInstance;
  const schedule = details.counterexample?.[0] ?? [];
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    ok: false,
    runs: details.numRuns,
    seed: details.seed,
    path: details.counterexamplePath ?? '',
    schedule: options.shrink ? await without(template, schedule, nameOf(why), options.unheard) : schedule,
    why,
  };
}

/** The name that a failure begins with: the number of an invariant, or a word. */
const nameOf = (why: string): string => /(I\d+) /.exec(why)?.[1] ?? why.slice(0, 20);

/** Leaves out every action without which the same invariant breaks all the same. */
async function without(
  template: Template,
  schedule: readonly Action[],
  name: string,
  unheard: () => string[],
): Promise<readonly Action[]> {
  let shortest = schedule;
  for (let at = schedule.length - 1; at >= 0; at--) {
    const shorter = shortest.filter((_, i) => i !== at);
    try {
      await runSchedule(template, shorter, unheard);
    } catch (error) {
      if (nameOf(String(error)) === name) shortest = shorter;
    }
    unheard();
  }
  return shortest;
}
