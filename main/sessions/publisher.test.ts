import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppEvent } from '../../shared/ipc/events';
import { settingsSchema } from '../../shared/model/settings';
import { insertFork } from '../db/branches-table';
import { Emitter } from '../lib/emitter';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { Publisher } from './publisher';
import { ShownPaths } from './shown-paths';

let profile: TempProfile;
let engine: Engine;
beforeEach(() => {
  profile = new TempProfile();
  engine = new Engine(profile);
});
afterEach(() => {
  engine.close();
  profile.remove();
});

test('a summary that shows on two paths is told to both windows, each by its own path', async () => {
  const session = engine.session(40, 800);
  const { sessionId, branchId } = session;
  const fork = engine.write((tx) => insertFork(tx, { sessionId, parentId: branchId, forkSeq: 79, now: 1 }));
  const paths = new ShownPaths();
  paths.opened(1, sessionId, branchId);
  paths.opened(2, sessionId, fork);
  paths.opened(3, engine.session(1).sessionId, branchId); // another session's window
  const told: AppEvent[] = [];
  const events = new Emitter<AppEvent>(() => {});
  events.on((event) => told.push(event));
  const publisher = new Publisher({
    db: engine.db,
    clock: engine.clock,
    me: engine.me,
    events,
    toolbox: { toolsFor: () => [] },
    models: engine.models,
    provider: () => null,
    settings: () => settingsSchema.parse({}),
    shownBranches: (id) => paths.branchesOf(id),
    filesReading: () => [],
    runningAttempt: () => null,
  });
  await engine.attempt(session, 'manual', ['extract']);
  await engine.settle();
  publisher.summaries(sessionId);
  const shown = told.flatMap((event) => (event.type === 'summaries.changed' ? [event] : []));
  expect(shown.map((event) => [event.branchId, event.summaries.length])).toEqual([
    [branchId, 1],
    [fork, 1],
  ]);
  const contexts = told.flatMap((event) => (event.type === 'context.changed' ? [event.branchId] : []));
  expect(contexts).toEqual([branchId, fork]);
});
