import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TempProfile } from '../testing/profile';
import { tinyDisk } from '../testing/tiny-disk';
import { openLog } from './log';

// it says on the console what it could not write, by the functions that it found there when it was loaded
const { warn, error } = vi.hoisted(() => {
  const found = { warn: console.warn, error: console.error };
  console.warn = () => {};
  console.error = () => {};
  return found;
});
Object.assign(console, { warn, error });

const OLD = 'a line of last week\n';

let profile: TempProfile;
let folder: string;
beforeEach(() => {
  profile = new TempProfile();
  folder = join(profile.folder, 'logs');
});
afterEach(() => {
  profile.remove();
});
const main = () => readFileSync(join(folder, 'main.log'), 'utf8');

test('a line holds an event, its fields and the stack of an error', () => {
  const log = openLog(profile.folder);
  log.info('started', { version: '1.0', windows: 2 });
  log.error('failed', new Error('for a reason'));
  expect(main()).toMatch(/^\S+ info started version="1.0" windows=2\n\S+ error failed Error: for a reason\n {4}at /);
});

test('S94 a log that has grown to 5 MB makes way for a new one', () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'main.log'), OLD.repeat(260_000));
  openLog(profile.folder).info('started');
  expect(main()).toMatch(/^\S+ info started\n$/);
  expect(readFileSync(join(folder, 'main.old.log'), 'utf8')).toBe(OLD.repeat(260_000));
});

describe('S56 a full disk costs lines of the log and nothing else', () => {
  /** What may be on its way when the disk fills: none of it throws. */
  const write = (log: ReturnType<typeof openLog>) => {
    log.info('event', { n: 1 });
    log.warn('event');
    log.error('event', new Error('a reason'));
  };

  test.skipIf(process.platform === 'win32')(
    'while it runs: what was there stays, and it goes on when there is room',
    () => {
      const log = openLog(profile.folder);
      log.info('before');
      renameSync(join(folder, 'main.log'), join(folder, 'aside'));
      symlinkSync('/dev/full', join(folder, 'main.log')); // every write there gives ENOSPC
      expect(() => write(log)).not.toThrow();
      rmSync(join(folder, 'main.log'));
      renameSync(join(folder, 'aside'), join(folder, 'main.log'));
      log.info('after');
      expect(main()).toMatch(/^\S+ info before\n\S+ info after\n$/);
    },
  );

  test('from the start: the app begins without a log, and writes it once there is room', (context) => {
    const disk = tinyDisk(1_000_000);
    if (!disk) return context.skip('only root on Linux may make a disk of its own');
    try {
      const rest = join(disk.folder, 'rest');
      mkdirSync(join(disk.folder, 'logs'));
      const full = 'x'.repeat(65_536); // whole blocks: not even its last one has room
      writeFileSync(join(disk.folder, 'logs', 'main.log'), full);
      expect(() => writeFileSync(rest, Buffer.alloc(2_000_000))).toThrow(/ENOSPC/);
      const log = openLog(disk.folder);
      expect(() => write(log)).not.toThrow();
      rmSync(rest);
      log.info('after');
      expect(readFileSync(join(disk.folder, 'logs', 'main.log'), 'utf8').slice(full.length)).toMatch(
        /^\S+ info after\n$/,
      );
    } finally {
      disk.remove();
    }
  });

  test('when it has to make way: no old line is lost for a new one', (context) => {
    const disk = tinyDisk(8_000_000);
    if (!disk) return context.skip('only root on Linux may make a disk of its own');
    try {
      const logs = join(disk.folder, 'logs');
      mkdirSync(logs);
      writeFileSync(join(logs, 'main.log'), OLD.repeat(260_000));
      expect(() => writeFileSync(join(disk.folder, 'rest'), Buffer.alloc(8_000_000))).toThrow(/ENOSPC/);
      const log = openLog(disk.folder);
      expect(() => write(log)).not.toThrow();
      expect(readFileSync(join(logs, 'main.old.log'), 'utf8')).toBe(OLD.repeat(260_000));
      expect(readdirSync(logs).sort()).toEqual(['main.log', 'main.old.log']);
    } finally {
      disk.remove();
    }
  });
});
