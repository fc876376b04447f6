import type { ReadDb } from '../../db/database';
import { callsHold } from './calls-hold';
import { commitsHold } from './commits-hold';
import { filesHold } from './files-hold';
import { leasesAreFree, leasesHold } from './leases-hold';
import { type Memory, must } from './memory';
import { indexHolds, messagesHold, textsHold } from './messages-hold';
import { allHasEnded, outcomesHold } from './outcomes-hold';
import { rememberPins } from './pins-hold';
import { requestsHold } from './requests-hold';
import type { WorldView } from './world-view';

/** Checked after every step, on the database as another process would read it. @throws Broken where one does not hold. */
export function checkStep(world: WorldView, db: ReadDb, memory: Memory): void {
  const [broken] = world.broken;
  if (broken !== undefined) must(false, broken);
  const version = db.pragma('data_version', { simple: true }) as number;
  if (version !== memory.version) {
    messagesHold(world, db, memory);
    callsHold(db);
    filesHold(world, db);
    commitsHold(db, memory);
    outcomesHold(world, db, memory);
    memory.version = version;
  }
  leasesHold(world, db, memory);
  requestsHold(world, db, memory);
  rememberPins(world, db, memory);
  memory.stepBegan = world.now;
}

/** Checked when the world is calm: nothing runs, nothing waits, nothing was lost. `thorough` = the file's pages too. */
export function checkCalm(world: WorldView, db: ReadDb, memory: Memory, thorough: boolean): void {
  allHasEnded(db);
  leasesAreFree(db);
  indexHolds(db);
  textsHold(world, db, memory);
  if (thorough) must(db.pragma('quick_check', { simple: true }) === 'ok', 'I1 the database is damaged');
}
