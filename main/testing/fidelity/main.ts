/** Entry of `npm run fidelity`: one input as JSON on stdin, one report as JSON on stdout. */
import { readFileSync } from 'node:fs';
import { TempProfile } from '../profile';
import { type RunInput, runFidelity } from './run';

const profile = new TempProfile();
try {
  const report = await runFidelity(profile, JSON.parse(readFileSync(0, 'utf8')) as RunInput);
  process.stdout.write(JSON.stringify(report));
} finally {
  profile.remove();
}
