import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { goneFolders } from './gone-folders';
import { grantedPath } from './granted-path';
import { readFile } from './read-file';
import { searchFolder } from './search-folder';
import { readTextFile } from './text-file';

let base: string;
let notes: string;
const never = new AbortController().signal;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'palimpsest-folders-')));
  notes = path.join(base, 'notes');
  mkdirSync(path.join(notes, 'deep'), { recursive: true });
  writeFileSync(path.join(notes, 'plan.md'), '# Plan\r\nShip on Friday.\nNever on a Monday.\n');
  writeFileSync(path.join(notes, 'deep', 'log.txt'), 'one\ntwo Friday\n');
  writeFileSync(path.join(base, 'secret.txt'), 'Friday is secret');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const granted = () => ({ folders: [{ name: 'notes', path: notes }], closed: [path.join(notes, 'app')] });
const read = (file: string, from = 1, lines = 500) =>
  readFile({ kind: 'read-file', ...granted(), path: file, from, lines }, never);
const search = (query: string, under: string | null = null, signal = never) =>
  searchFolder({ kind: 'search-folder', ...granted(), under, query }, signal, () => {});

describe('read_file', () => {
  test('reads lines of a text file, and says which of how many', async () => {
    expect(await read('notes/plan.md')).toBe(
      '[notes/plan.md, lines 1 to 3 of 3]\n# Plan\nShip on Friday.\nNever on a Monday.',
    );
    expect(await read('notes/plan.md', 2, 1)).toBe('[notes/plan.md, lines 2 to 2 of 3]\nShip on Friday.');
    await expect(read('notes/plan.md', 9)).rejects.toThrow('notes/plan.md has 3 lines, none from 9 on');
  });

  test('refuses what is not in a granted folder, by name, by dots and by a link that leads out', async () => {
    symlinkSync(path.join(base, 'secret.txt'), path.join(notes, 'innocent.txt'));
    symlinkSync(base, path.join(notes, 'up'));
    await expect(read('/etc/passwd')).rejects.toThrow('paths begin with one of these folders: notes');
    await expect(read(path.join(base, 'secret.txt'))).rejects.toThrow('paths begin with');
    await expect(read('notes/../secret.txt')).rejects.toThrow('leads out of the folder notes');
    await expect(read('notes/../no-such.txt')).rejects.toThrow('leads out of the folder notes'); // nor is its absence told
    await expect(read('notes/innocent.txt')).rejects.toThrow('leads out of the folder notes');
    await expect(read('notes/up/secret.txt')).rejects.toThrow('leads out of the folder notes');
  });

  test('a link that stays in the folder is read', async () => {
    symlinkSync(path.join(notes, 'deep'), path.join(notes, 'shallow'));
    expect(await read('notes/shallow/log.txt')).toContain('two Friday');
  });

  test('a folder in whose place a link was put is no longer granted', async () => {
    renameSync(notes, `${notes}-moved`);
    mkdirSync(path.join(base, 'other'));
    writeFileSync(path.join(base, 'other', 'plan.md'), 'of somebody else');
    symlinkSync(path.join(base, 'other'), notes);
    await expect(read('notes/plan.md')).rejects.toThrow('no longer where it was granted');
  });

  test.runIf(process.platform !== 'win32')('refuses a pipe and a device without waiting for them', async () => {
    spawnSync('mkfifo', [path.join(notes, 'pipe')]);
    await expect(read('notes/pipe')).rejects.toThrow('not a file but a device, a pipe or a socket');
    await expect(read('notes/deep')).rejects.toThrow('is a folder');
  });

  test('refuses what is too large, what is no text, what is not there, and what is the app’s own', async () => {
    writeFileSync(path.join(notes, 'large.txt'), Buffer.alloc(8_000_001, 'x'));
    writeFileSync(path.join(notes, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1]));
    mkdirSync(path.join(notes, 'app'));
    writeFileSync(path.join(notes, 'app', 'palimpsest.log'), 'words');
    await expect(read('notes/large.txt')).rejects.toThrow('too large: 8000001 bytes');
    await expect(read('notes/picture.png')).rejects.toThrow('is not a text file');
    await expect(read('notes/plan.txt')).rejects.toThrow('there is no notes/plan.txt');
    await expect(read('notes/app/palimpsest.log')).rejects.toThrow('belongs to this app itself');
  });

  test('a folder on the way that becomes a link, or a file that is replaced, is not read', async () => {
    const job = { kind: 'read-file', ...granted(), path: '', from: 1, lines: 9 } as const;
    const log = await grantedPath(job, 'notes/deep/log.txt');
    const replaced = (real: string) => {
      renameSync(real, `${real}.old`);
      writeFileSync(real, 'another');
      return true;
    };
    await expect(readTextFile({ ...log, mayRead: replaced }, never)).rejects.toThrow(
      'was replaced while it was opened',
    );
    mkdirSync(path.join(base, 'other'));
    writeFileSync(path.join(base, 'other', 'log.txt'), 'of somebody else');
    renameSync(path.join(notes, 'deep'), path.join(base, 'moved'));
    symlinkSync(path.join(base, 'other'), path.join(notes, 'deep'));
    await expect(readTextFile(log, never)).rejects.toThrow('leads out of its folder');
  });

  test('an empty file, and one in UTF-16, are read as what they are', async () => {
    writeFileSync(path.join(notes, 'empty.txt'), '');
    writeFileSync(path.join(notes, 'wide.txt'), Buffer.from('\ufeffzwölf\n', 'utf16le'));
    expect(await read('notes/empty.txt')).toBe('notes/empty.txt is empty.');
    expect(await read('notes/wide.txt')).toContain('zwölf');
  });
});

test('a granted folder that is gone, was replaced by a link, or does not answer is told', async () => {
  let late = () => {};
  const clock = {
    after: (_ms: number, fn: () => void) => {
      late = fn;
      return () => {};
    },
  };
  symlinkSync(notes, path.join(base, 'link'));
  const at = (name: string) => ({ name, path: path.join(base, name) });
  const folders = [at('stick'), at('notes'), at('link'), at('hung')];
  const look = (folder: string) => (folder.endsWith('hung') ? new Promise<string>(() => {}) : realpath(folder));
  const gone = goneFolders(folders.slice(0, 3), clock, look);
  expect(await gone).toEqual(['stick', 'link']);
  const waiting = goneFolders(folders.slice(3), clock, look);
  late();
  expect(await waiting).toEqual(['hung']);
});

describe('search_folder', () => {
  test('finds words in names and in lines, in one order, without regard to case', async () => {
    writeFileSync(path.join(notes, 'FRIDAY.md'), 'nothing\n');
    expect(await search('friday')).toBe(
      [
        'Looked for "friday" in notes; entries seen: 4.',
        'Names:',
        'notes/FRIDAY.md',
        'Lines:',
        'notes/plan.md:2: Ship on Friday.',
        'notes/deep/log.txt:2: two Friday',
      ].join('\n'),
    );
    expect(await search('friday', 'notes/deep')).toContain('in notes/deep; entries seen: 1.');
    expect(await search('no such words')).toContain('Nothing was found');
  });

  test('follows no link, and looks into nothing of the app and nothing that programs made', async () => {
    symlinkSync(base, path.join(notes, 'up'));
    symlinkSync(path.join(base, 'secret.txt'), path.join(notes, 'innocent.txt'));
    for (const folder of ['app', 'node_modules', '.git']) {
      mkdirSync(path.join(notes, folder));
      writeFileSync(path.join(notes, folder, 'a.txt'), 'Friday');
    }
    const found = await search('friday');
    expect(found).not.toContain('secret');
    expect(found).not.toContain('a.txt');
    await expect(search('friday', 'notes/up')).rejects.toThrow('leads out of the folder notes');
  });

  test('says what it left out, and lists no more than is of use', async () => {
    for (let i = 0; i < 120; i++) writeFileSync(path.join(notes, `n${i}.txt`), 'Friday\n'.repeat(9));
    writeFileSync(path.join(notes, 'a.bin'), Buffer.from([0, 1, 2]));
    const lines = (await search('friday')).split('\n');
    expect(lines.filter((line) => line.startsWith('notes/n0.txt:'))).toHaveLength(5);
    expect(lines.filter((line) => /^notes\/.*:\d+:/.test(line)).length).toBeLessThanOrEqual(104);
    expect(lines).toContain('There is more than is listed here: search for longer words, or under a path.');
    expect(lines.at(-1)).toBe('Not read, since they are no text or too large: 1.');
  });

  test('passes over a granted folder that is gone, and names it; one that was asked for is told', async () => {
    const folders = [{ name: 'stick', path: path.join(base, 'stick') }, ...granted().folders];
    const job = { kind: 'search-folder', folders, closed: [], query: 'friday' } as const;
    const found = await searchFolder({ ...job, under: null }, never, () => {});
    expect(found).toContain('notes/plan.md:2: Ship on Friday.');
    expect(found.split('\n').at(-1)).toBe('Not searched, since they cannot be read now: stick.');
    const none = await searchFolder({ ...job, query: 'no such words', under: null }, never, () => {});
    expect(none).toMatch(/Nothing was found.*\nNot searched.*: stick\.$/);
    await expect(searchFolder({ ...job, under: 'stick' }, never, () => {})).rejects.toThrow('there is no stick');
  });

  test('the granted folder’s own name is no hit, and many names leave room for lines', async () => {
    for (let i = 100; i < 300; i++) writeFileSync(path.join(notes, `a note ${i}.txt`), '');
    writeFileSync(path.join(notes, 'z.txt'), 'a note of it\n');
    expect(await search('notes')).toContain('Nothing was found');
    const lines = (await search('note')).split('\n');
    expect(lines.filter((line) => line.endsWith('.txt'))).toHaveLength(50);
    expect(lines).toContain('notes/z.txt:1: a note of it');
    expect(lines).toContain('There is more than is listed here: search for longer words, or under a path.');
  });

  test.each(['notes', 'notes/deep'])(
    'a folder that becomes a link while %s was looked at leads nowhere',
    async (at) => {
      mkdirSync(path.join(base, 'other'));
      writeFileSync(path.join(base, 'other', 'log.txt'), 'Friday of somebody else\n');
      writeFileSync(path.join(base, 'other', 'friday.txt'), '');
      const swap = (shown: string) => {
        if (shown !== at) return;
        renameSync(path.join(notes, 'deep'), path.join(base, 'moved'));
        symlinkSync(path.join(base, 'other'), path.join(notes, 'deep'));
      };
      const job = { kind: 'search-folder', ...granted(), under: null, query: 'friday' } as const;
      const found = await searchFolder(job, never, swap);
      expect(found).toContain('notes/plan.md:2: Ship on Friday.');
      expect(found).not.toMatch(/somebody else|friday\.txt/);
    },
  );

  test('stops at once when nobody waits for it', async () => {
    const abort = new AbortController();
    abort.abort();
    await expect(search('friday', null, abort.signal)).rejects.toThrow(/abort/i);
  });
});
