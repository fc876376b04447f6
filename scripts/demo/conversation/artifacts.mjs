// What an assistant adds to its sentences in such a conversation: tables, logs, statements, lists. Each is drawn from
// the numbers of its topic, so that the same table, path and ticket come back through the conversation.

const number = (value) => Math.round(value).toLocaleString('en-US');
const two = (value) => String(value).padStart(2, '0');
const clock = (minutes) => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;

function years(topic, random) {
  const first = 2014 + random.below(4);
  const weights = Array.from({ length: 2026 - first }, () => 1 + random.share());
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const lines = weights.map((weight, index) => {
    const rows = Math.round((topic.rows * weight) / all);
    const aside = Math.min(rows, random.below(5));
    return `| ${first + index} | ${number(rows)} | ${number(rows - aside)} | ${aside} |`;
  });
  const intro = random.one([
    `I compared ${topic.table} with ${topic.target} by year:`,
    `Counted on both sides this morning, ${topic.target} by year:`,
    `By year it looks like this, with what was set aside in the last column:`,
  ]);
  return `${intro}\n\n| Year | Kontor | Lagune | Set aside |\n| --- | ---: | ---: | ---: |\n${lines.join('\n')}`;
}

function plan(topic, random) {
  const steps = random.some(6, [
    `read ${topic.path} into a staging table, everything as text`,
    `count: ${number(topic.rows)} rows, or stop`,
    `convert ${topic.columns[1]} and write what does not convert to ${topic.ticket}-rejects.csv`,
    `look at the first ${20 + random.below(60)} rejects together, not alone`,
    `build the indexes of ${topic.target} with four workers`,
    `take the checksum over ${topic.columns[0]} and ${topic.columns[2]} on both sides`,
    `mark ${topic.ticket} as rehearsed, with the time it took (${topic.minutes} min last time)`,
    `switch ${topic.target} to read only until the next step says otherwise`,
  ]);
  return `${random.one(['In this order:', 'The steps, each with somebody who does it:', `I would go about ${topic.target} like this:`, 'Written down so that it can be followed at night:'])}\n\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`;
}

function log(topic, random) {
  let at = 120 + random.below(90);
  const parts = 4 + random.below(3);
  const lines = [`${clock(at)}:04 ${topic.ticket} start, ${number(topic.rows)} rows expected`];
  for (let part = 1; part <= parts; part++) {
    at += 1 + random.below(Math.max(2, Math.round(topic.minutes / parts) + 1));
    lines.push(
      `${clock(at)}:${two(random.below(60))} ${topic.target}: ${number((topic.rows * part) / parts)} copied, ${random.below(40)} set aside`,
    );
  }
  lines.push(`${clock(at + 1)}:${two(random.below(60))} checksum ${random.hex(12)} equal on both sides`);
  return `${random.one(['The end of the log:', `What the copy of ${topic.table} wrote:`, 'From the log of the last run:'])}\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\``;
}

function sql(topic, random) {
  const [key, second, third, last] = topic.columns;
  const forms = [
    `INSERT INTO ${topic.target} (${key}, ${second}, ${third}, legacy_ref)\nSELECT trim(${key}), nullif(trim(${second}), ''), ${third}, ${key}\n  FROM staging.${topic.table}\n WHERE ${last} IS NOT NULL\nON CONFLICT (legacy_ref) DO NOTHING;`,
    `SELECT ${second}, count(*) AS rows, min(${key}) AS first\n  FROM staging.${topic.table}\n GROUP BY ${second}\nHAVING count(*) > ${2 + random.below(9)}\n ORDER BY rows DESC\n LIMIT ${10 + random.below(15)};`,
    `ALTER TABLE ${topic.target}\n  ADD CONSTRAINT ${topic.target}_${second}_given CHECK (${second} <> '') NOT VALID;\nALTER TABLE ${topic.target} VALIDATE CONSTRAINT ${topic.target}_${second}_given;`,
  ];
  return `${random.one(['The statement, to be run on borealis only:', `For ${topic.target} that is one statement:`, 'This can be run as often as one likes:', 'In SQL, against the staging copy:'])}\n\n\`\`\`sql\n${random.one(forms)}\n\`\`\``;
}

function differences(topic, random) {
  const kinds = random.some(4, [
    `${topic.columns[1]} has a blank at the end`,
    `${topic.columns[2]} is empty in Kontor and zero in Lagune`,
    `${topic.columns[0]} lost its leading zero`,
    'the last change is in winter time on one side',
    `${topic.columns[3]} was cut at 40 characters`,
    'both are right, the report counts them differently',
  ]);
  const lines = kinds.map((kind) => `- ${number(2 + random.below(Math.max(20, topic.rows / 400)))} rows: ${kind}`);
  return `${random.one([`What is left after the comparison of ${topic.target}, by reason:`, `The rows of ${topic.table} that differ, sorted by cause:`, 'After the second run these are left:'])}\n\n${lines.join('\n')}\n\nI would settle the first two by rule and read the others one by one; that is about ${10 + random.below(50)} minutes.`;
}

function timings(topic, random) {
  const names = ['copy', 'convert', 'indexes', 'checksum', 'sample by hand'];
  const lines = names.map((name) => {
    const before = Math.max(1, topic.minutes * (0.1 + random.share() * 0.5));
    return `| ${name} | ${before.toFixed(1)} min | ${(before * (0.4 + random.share() * 0.5)).toFixed(1)} min |`;
  });
  return `${random.one([`How long it took, before and after the change of ${topic.ticket}:`, 'Measured twice on borealis, in minutes:', `The times for ${topic.target}, first run and second run:`])}\n\n| Step | Before | After |\n| --- | ---: | ---: |\n${lines.join('\n')}`;
}

function risks(topic, random) {
  const all = random.some(3, [
    `Somebody works in Kontor while ${topic.table} is copied. Sign: the count grows. Answer: revoke the right first.`,
    `The file ${topic.path} is read half. Sign: the last line has no ${topic.columns[3]}. Answer: copy under another name, then rename.`,
    `Two people run ${topic.ticket} at once. Sign: the lock says who. Answer: call that person, touch nothing.`,
    `A value of ${topic.columns[1]} is longer than we think. Sign: an error with its row. Answer: set it aside and go on.`,
    `The disk of borealis fills up. Sign: the check at 80 %. Answer: ${topic.target} can wait, the orders cannot.`,
  ]);
  return `${random.one(['What could go wrong, how one sees it, and what to do:', 'Three things that I would be afraid of here:', `Where ${topic.table} can still bite us:`])}\n\n${all.map((risk) => `- ${risk}`).join('\n')}`;
}

function script(topic, random) {
  const name = topic.target.replaceAll('_', '-');
  return `${random.one(['As a small script, so that nobody types it at night:', `The check before ${topic.ticket} as a script:`, 'This refuses to start when something is not as it should be:'])}\n\n\`\`\`bash\n#!/usr/bin/env bash\nset -euo pipefail\nfile="${topic.path}"\n[ -s "$file" ] || { echo "${topic.ticket}: $file is missing or empty"; exit 1; }\nrows=$(wc -l < "$file")\nif [ "$rows" -lt ${Math.max(1, topic.rows - 5)} ]; then\n  echo "${topic.ticket}: only $rows lines"; exit ${2 + random.below(4)}\nfi\n/opt/lagune/bin/import --table ${topic.target} --from "$file" --log "/var/log/lagune/${name}.log"\n\`\`\``;
}

function checklist(topic, random) {
  const items = random.some(6, [
    `${topic.table} on atlas is locked, and the lock names ${topic.ticket}`,
    `the copy of the night lies in /backup/halden/before/${topic.target}`,
    `${20 + random.below(30)} rows were compared by eye, five of them old ones`,
    `the report of set aside rows has been read by the person it concerns`,
    `the step is on the paper with its sign and its time of ${topic.minutes} min`,
    `a second person has seen the count ${number(topic.rows)} on both screens`,
    `${topic.path} has moved to the folder "done" with the date in its name`,
  ]);
  return `${random.one(['Before this counts as done:', `To be ticked off for ${topic.ticket}:`, `${topic.target} is finished when:`])}\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}

const KINDS = [years, sql, risks, log, plan, differences, script, timings, checklist];

/** The nth addition to a topic; neighbours are of different kinds. */
export function artifact(n, topic, random) {
  return KINDS[n % KINDS.length](topic, random);
}
