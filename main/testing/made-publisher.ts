import type { AppEvent } from '../../shared/ipc/events';
import { settingsSchema } from '../../shared/model/settings';
import { Emitter } from '../lib/emitter';
import { Publisher } from '../sessions/publisher';
import type { ShownPaths } from '../sessions/shown-paths';
import { joined } from '../tools/joined';
import type { Engine } from './engine';

/** The publisher of this process, and what it tells. */
export function madePublisher(engine: Engine, paths: ShownPaths): { publisher: Publisher; told: AppEvent[] } {
  const told: AppEvent[] = [];
  const events = new Emitter<AppEvent>(() => {});
  events.on((event) => told.push(event));
  const publisher = new Publisher({
    db: engine.db,
    clock: engine.clock,
    me: engine.me,
    events,
    toolbox: joined([]),
    toolQuestion: () => null,
    models: engine.models,
    provider: () => null,
    settings: () => settingsSchema.parse({}),
    shownBranches: (id) => paths.branchesOf(id),
    filesReading: () => [],
    runningAttempt: () => null,
    recover: () => null,
  });
  return { publisher, told };
}
