import { afterEach, beforeEach } from 'vitest';
import { Engine } from './engine';
import { TempProfile } from './profile';

/** Before each test of the block: an engine on a profile of its own. Both are gone after it, on the failing path too. */
export function eachEngine(made: (engine: Engine, profile: TempProfile) => void): void {
  let engine: Engine;
  let profile: TempProfile;
  beforeEach(() => {
    profile = new TempProfile();
    engine = new Engine(profile);
    made(engine, profile);
  });
  afterEach(() => {
    engine.close();
    profile.remove();
  });
}
