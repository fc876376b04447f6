import { afterEach, expect, test } from 'vitest';
import type { AttemptId } from '../../shared/model/ids';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { armBackoff, awaitGrowth } from './backoff-store';

const profile = new TempProfile();
const engine = new Engine(profile);
afterEach(() => {
  engine.close();
  profile.remove();
});

test('I4 an older attempt that has nothing to gain does not take the place of what a newer one has set', () => {
  const { seam, clock } = engine;
  const { sessionId } = engine.session();
  armBackoff(seam, clock, sessionId, 4 as AttemptId, 'summarize', 'stalled', null);
  awaitGrowth(seam, clock, sessionId, 2 as AttemptId, 'summarize');
  expect(engine.backoff(sessionId)).toMatchObject({ kind: 'stalled', attemptId: 4 });
  clock.advance(60_000); // over: what is set by a failure stays as long as it holds
  awaitGrowth(seam, clock, sessionId, 5 as AttemptId, 'summarize');
  expect(engine.backoff(sessionId)).toMatchObject({ kind: 'nothing-to-gain', attemptId: 5 });
});
