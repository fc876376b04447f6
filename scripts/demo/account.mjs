// The readable account of a demo: one line for every event, with the time of day.

const clock = () => new Date().toTimeString().slice(0, 8);
export const thousands = (value) => value.toLocaleString('en-US');
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
/** "58,310 -> 1,204 tokens" */
export const gain = ({ tokensBefore, tokensAfter }) => `${thousands(tokensBefore)} -> ${thousands(tokensAfter)} tokens`;

export function heading(number, title) {
  console.log(`\n${clock()}  ${number}. ${title}`);
}
export function tell(text) {
  console.log(`${clock()}     ${text}`);
}
export function complain(text) {
  console.error(`${clock()}  !! ${text}`);
}

/** The steps with their results, at the end. */
export function table(results) {
  const width = Math.max(...results.map(({ title }) => title.length));
  console.log(`\n    ${'Step'.padEnd(width)}  Result      Time  Pictures`);
  for (const { number, title, result, ms, shots } of results) {
    const took = result === 'not run' ? '-' : seconds(ms);
    console.log(
      `${String(number).padStart(2)}  ${title.padEnd(width)}  ${result.padEnd(7)}  ${took.padStart(7)}  ${shots.join(', ')}`,
    );
  }
}
