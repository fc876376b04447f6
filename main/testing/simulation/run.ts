import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { openForReading } from '../../db/open';
import { TempProfile } from '../profile';
import { type Action, schedules } from './action';
import { checkCalm, checkStep, newMemory } from './invariants';
import { Simulation } from './world';

export interface SimulationOptions {
  readonly runs: number;
  readonly seed: number;
  /** Replays the end of a shrinking: as printed by a failing run. */
  readonly path?: string;
  /** Rejections that nobody heard since it was asked last. */
  unheard?(): string[];
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

/** Runs one schedule on a database of its own, checking every invariant after every step. */
export async function runSchedule(schedule: readonly Action[], unheard: () => string[] = () => []): Promise<void> {
  const profile = new TempProfile(fast());
  const simulation = new Simulation(profile);
  const reader = openForReading(profile.database);
  const memory = newMemory();
  try {
    await simulation.begin();
    checkStep(simulation, reader, memory);
    for (const action of schedule) {
      simulation.diary.push(JSON.stringify(action));
      await simulation.act(action);
      checkStep(simulation, reader, memory);
    }
    await simulation.calm();
    const [fault] = unheard();
    if (fault) throw new Error(`nobody heard a rejection: ${fault}`);
    checkStep(simulation, reader, memory);
    checkCalm(reader);
  } finally {
    reader.close();
    simulation.end();
    await new Promise<void>((resolve) => setImmediate(resolve)); // what a death has rejected is heard here
    profile.remove();
  }
}

/** A folder in memory where there is one: the schedules need a real file, not a real disk. */
function fast(): string | undefined {
  return existsSync('/dev/shm') ? mkdtempSync(join('/dev/shm', 'palimpsest-sim-')) : undefined;
}

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const details = await fc.check(
    fc.asyncProperty(schedules, (schedule) => runSchedule(schedule, options.unheard)),
    {
      numRuns: options.runs,
      seed: options.seed,
      ...(options.path === undefined ? {} : { path: options.path }),
      endOnFailure: false,
    },
  );
  if (!details.failed) return { ok: true, runs: details.numRuns };
  const error = details.errorInstance;
  return {
    ok: false,
    runs: details.numRuns,
    seed: details.seed,
    path: details.counterexamplePath ?? '',
    schedule: details.counterexample?.[0] ?? [],
    why: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
