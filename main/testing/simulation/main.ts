/** Entry of one job of `npm run simulate`: runs, seed and path in, one line of JSON out. */
import { Crash } from './crashing-seam';
import { simulate } from './run';

const [runs = '100', seed = '1', path = '', shrink = 'shrink'] = process.argv.slice(2);

/** Rejections that nobody heard: of a process that died they are its death, any other is a fault of the product. */
const unheard: string[] = [];
process.on('unhandledRejection', (error) => {
  const ofTheDead =
    error instanceof Crash || (error instanceof Error && /database connection is not open/.test(error.message));
  if (!ofTheDead) unheard.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
});

const result = await simulate({
  runs: Number(runs),
  seed: Number(seed),
  ...(path === '' ? {} : { path }),
  shrink: shrink === 'shrink',
  unheard: () => unheard.splice(0),
});
console.log(JSON.stringify(result));
