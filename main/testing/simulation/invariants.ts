import type { ReadDb } from '../../db/database';
import { commitsHold } from './commits-hold';
import { leasesAreFree, leasesHold } from './leases-hold';
import { type Memory, must } from './memory';
import { indexHolds, messagesHold } from './messages-hold';
import { allHasEnded, outcomesHold } from './outcomes-hold';
import { requestsHold } from './requests-hold';
import type { WorldView } from './world-view';

/** Checked after every step, on the database as another process would read it. @throws Broken where one does not hold. */
export function checkStep(world: WorldView, db: ReadDb, memory: Memory): void {
  const [broken] = world.broken;
  if (broken !== undefined) must(false, broken);
  requestsHold(world, memory);
  const version = db.pragma('data_version', { simple: true }) as number;
  if (version !== memory.version) {
    messagesHold(world, db, memory);
    commitsHold(db, memory);
    outcomesHold(world, db, memory);
    memory.version = version;
  }
  leasesHold(world, db, memory);
  memory.stepBegan = world.now;
}

/** Checked when the world is calm: nothing runs, nothing waits, nothing was lost. */
export function checkCalm(db: ReadDb): void {
  allHasEnded(db);
  leasesAreFree(db);
  indexHolds(db);
  must(db.pragma('quick_check', { simple: true }) === 'ok', 'I1 the database is damaged');
}
