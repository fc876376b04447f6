#!/usr/bin/env node
// The needle run: facts planted in a long conversation, compressed several times, and what is left of them.
//   npm run fidelity -- [--seed S] [--facts 200] [--compressions 5] [--window 8192] [--show]
// Exits with 1 where a threshold is missed. Offline: `extract` needs no model, and the model's part is scripted.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { build } from 'rolldown';
import { writeConversation } from './fidelity/conversation.mjs';
import { STANDING } from './fidelity/facts.mjs';
import { cutMiddle, SEEN, score, standsIn, THRESHOLDS, tableOf } from './fidelity/score.mjs';
import { ROOT } from './setup/places.mjs';
import { command, seconds } from './setup/say.mjs';

/** What each figure says. */
const WORDS = {
  originals: 'originals found by their exact words, %',
  recognized: 'planted exact strings, rules and corrections seen as anchors, %',
  listed: 'anchor list in the view word for word, %',
  standing: 'rules and corrections of the user in the view, %',
  pins: 'pins in the view, %',
  newest: 'newest user message byte for byte, %',
  stale: 'replaced values kept as if they held',
};

/** Every so-manieth message is pinned. */
const PIN_EACH = 40;

await command(async () => {
  const option = (name, fallback) => {
    const at = process.argv.findIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
    if (at < 0) return fallback;
    return Number(process.argv[at].includes('=') ? process.argv[at].split('=')[1] : process.argv[at + 1]);
  };
  const started = performance.now();
  const seed = option('seed', 1);
  const window = option('window', 8_192);
  const conversation = writeConversation({
    root: ROOT,
    seed,
    facts: option('facts', 200),
    compressions: option('compressions', 5),
  });
  const file = await bundle();
  let failed = false;
  for (const strategy of ['extract', 'summarize']) {
    const run = await runEngine(file, { ...conversation, strategy, window, pinEach: PIN_EACH });
    const whole = conversation.parts
      .flat()
      .map((message) => message.text)
      .join('\n\n');
    const result = score(conversation, run, cutMiddle(whole, run.viewTokens, countTokens));
    report(strategy, conversation, run, result, countTokens(whole));
    failed ||= result.failed.length > 0;
  }
  console.log(`\nfidelity: seed ${seed}, ${failed ? 'FAILED' : 'every threshold held'} (${seconds(started)})`);
  if (failed) process.exitCode = 1;
});

function report(strategy, conversation, run, { facts, figures, failed }, tokens) {
  const steps = run.compressions.map((one) => (one.outcome.includes('committed') ? one.tokensAfter : one.outcome));
  console.log(
    `\n${strategy === 'extract' ? 'extract alone' : 'summarize, by a scripted model'}: ${conversation.facts.length} facts in ` +
      `${conversation.parts.flat().length} messages of ${tokens} tokens; ` +
      `${steps.length} compressions to summaries of ${steps.join(', ')} tokens; ${run.viewTokens} tokens in the view\n`,
  );
  for (const line of tableOf(facts)) console.log(`  ${line}`);
  console.log('');
  for (const [name, least] of Object.entries(THRESHOLDS))
    console.log(
      `  ${failed.includes(name) ? 'MISSED' : 'ok    '} ${WORDS[name]}: ${Math.round(figures[name] * 10) / 10} (${name === 'stale' ? 'at most' : 'at least'} ${least})`,
    );
  if (!process.argv.includes('--show')) return;
  console.log(`\n${run.summary}\n`);
  for (const text of run.listed.filter((one) => !standsIn(run.view, one)))
    console.log(`  listed, not in the view: ${text}`);
  for (const fact of facts.filter((one) => one.stale || (!one.view && STANDING.includes(one.kind))))
    console.log(`  ${fact.stale ? `kept ${fact.stale}` : 'not in the view'}: ${fact.sentence}`);
  for (const fact of facts.filter((one) => !one.recognized && SEEN.includes(one.kind)))
    console.log(`  not seen: ${fact.kind} ${fact.value} in: ${fact.sentence ?? fact.passage.slice(0, 200)}`);
}

/** The counter of the run's model: a quarter of a token an ASCII character, one a CJK character, a half any other. */
function countTokens(text) {
  let tokens = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    tokens += unit < 0x80 ? 0.25 : unit >= 0x2e80 ? 1 : 0.5;
  }
  return Math.ceil(tokens);
}

async function bundle() {
  const dir = path.join(ROOT, 'out', 'test', 'fidelity');
  await build({
    cwd: ROOT,
    input: path.join(ROOT, 'main', 'testing', 'fidelity', 'main.ts'),
    platform: 'node',
    external: [/^[a-z@]/], // packages stay packages
    logLevel: 'silent',
    output: { dir, format: 'es', entryFileNames: 'main.mjs' },
  });
  return path.join(dir, 'main.mjs');
}

function runEngine(file, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`the run ended with ${code}`)),
    );
    child.stdin.end(JSON.stringify(input));
  });
}
