#!/usr/bin/env node
// `npm test`: set-up, then every check there is, one after another; a failing step does not keep the others from
// running. The last line sums all of it up.  --only=unit,e2e runs these steps alone.
import { runStep, steps } from './test/steps.mjs';

const only = process.argv
  .find((arg) => arg.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',');
let passed = 0;
let failed = 0;
for (const step of steps) {
  if (only && !only.includes(step.name)) continue;
  const result = await runStep(step);
  passed += result.passed;
  failed += result.failed;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
