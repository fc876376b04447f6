// Runs the steps of the demo one after another, on the display that there is. Started by scripts/demo.mjs.
import { complain, heading, seconds, table, tell } from './account.mjs';
import { ORIGIN } from './conversation.mjs';
import { PICTURES, Stage } from './stage.mjs';
import { steps } from './steps.mjs';

/** How long a step may take, in milliseconds. */
const STEP_MS = 150_000;

const begun = performance.now();
const stage = new Stage();
let interrupted = false;
// The step that runs fails as its app ends. Playwright ends app and process at these signals too, maybe earlier: what
// remains then is ended at the process's end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    interrupted = true;
    complain(`${signal}: ending everything that was begun`);
    void stage.close();
  });
}
process.once('exit', () => stage.closeNow());

const results = steps.map(({ title }, index) => ({ number: index + 1, title, result: 'not run', ms: 0, shots: [] }));
let failed = false;
try {
  console.log('Palimpsest at work: the real app, on a fresh profile, by mouse and keyboard.');
  console.log(`The conversation in it is ${ORIGIN}.`);
  console.log("Models: the built-in practice model (llama.cpp), and the tests' scripted server over a real socket.");
  await stage.open();
  for (const [index, step] of steps.entries()) if (!failed) failed = !(await run(step, results[index]));
} catch (error) {
  failed = true;
  if (!interrupted) complain(error.stack ?? error);
}
const left = await stage.close();
if (left.length > 0) complain(`did not end by itself: ${left.join('; ')}`);
table(results);
const bad = failed || interrupted || left.length > 0;
console.log(`\n${stage.shots.length} pictures in ${PICTURES}, ${seconds(performance.now() - begun)} in all.`);
if (interrupted) console.log('The demo was stopped.');
else console.log(bad ? 'The demo FAILED.' : 'Every step did what it should.');
process.exit(interrupted ? 130 : bad ? 1 : 0);

/** Answers whether the step did what it should. */
async function run(step, result) {
  heading(result.number, step.title);
  const started = performance.now();
  const before = stage.shots.length;
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the step took longer than ${seconds(STEP_MS)}`)), STEP_MS);
  });
  try {
    await Promise.race([step.run(stage), limit]);
    result.result = 'ok';
    tell(`done in ${seconds(performance.now() - started)}`);
    return true;
  } catch (error) {
    result.result = interrupted ? 'stopped' : 'FAILED';
    if (interrupted) return false;
    complain(`step ${result.number} failed (${step.title}): ${error.stack ?? error}`);
    await stage.picture('failed').catch(() => complain('no picture could be taken'));
    console.error(`\nThe end of the app's log:\n${stage.logTail()}\n`);
    return false;
  } finally {
    clearTimeout(timer);
    result.ms = performance.now() - started;
    result.shots = stage.shots.slice(before).map((file) => file.slice(0, 2));
  }
}
