import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { all } from '../db/database';
import { openForReading } from '../db/open';
import { getSession } from '../db/sessions-table';
import { localDataThread } from '../db/thread/client';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { type ImportEnv, importFile } from './import';

let profile: TempProfile;
let engine: Engine;
let reader: ReturnType<typeof openForReading>;
let waits = 0;
eachEngine((made, at) => {
  engine = made;
  profile = at;
  reader = openForReading(profile.database);
  waits = 0;
});
afterEach(() => {
  reader.close();
});

let minted = 0;
const env = (): ImportEnv => ({
  seam: engine.seam,
  data: localDataThread(reader),
  clock: engine.clock,
  ids: { uuid: () => `30000000-0000-4000-8000-${String(++minted).padStart(12, '0')}` },
  defaultModel: () => null,
  room: async () => void waits++,
});
const bring = async (name: string, content: string | Buffer) => {
  const file = join(profile.folder, name);
  writeFileSync(file, content);
  const done = importFile(env(), file);
  done.catch(() => {});
  for (let i = 0; i < 60; i++) await engine.settle();
  return done;
};
const sessions = () => all<{ id: string }>(engine.db, 'SELECT id FROM sessions');

test('a conversation of several slices is read whole, in order, each character of it', async () => {
  const turns = Array.from(
    { length: 90 },
    (_, n) =>
      `User: question ${n} ü漢🜂 ${'words of the question '.repeat(500)}\nAssistant: answer ${n}\n\nof two parts`,
  );
  const id = await bring('long.md', `# A long one\n\n${turns.join('\n')}`);
  const session = getSession(engine.db, id);
  expect(session).toMatchObject({ title: 'A long one', messages: 180, deletedAt: null });
  const texts = engine.texts(session?.lastBranch ?? (0 as never));
  expect(texts[0]).toBe(`question 0 ü漢🜂 ${'words of the question '.repeat(500)}`.trim());
  expect(texts.at(-1)).toBe('answer 89\n\nof two parts');
  expect(waits).toBeGreaterThan(5);
});

test('a message larger than a slice is one message', async () => {
  const id = await bring('huge.txt', `User: ${'x'.repeat(2_500_000)}\nAssistant: ok`);
  const texts = engine.texts(getSession(engine.db, id)?.lastBranch ?? (0 as never));
  expect(texts.map((text) => text.length)).toEqual([2_500_000, 2]);
});

test.each([
  ['prose.txt', 'just some prose', 'unsupported-file'],
  ['picture.txt', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]), 'unsupported-file'],
  ['table.csv', 'User: hi', 'unsupported-file'],
])('%s is refused, and nothing of it stays', async (name, content, code) => {
  await expect(bring(name, content)).rejects.toMatchObject({ code });
  expect(sessions()).toHaveLength(0);
});

test('a file that is not there is refused by name', async () => {
  const done = importFile(env(), join(profile.folder, 'missing.txt'));
  done.catch(() => {});
  for (let i = 0; i < 10; i++) await engine.settle();
  await expect(done).rejects.toMatchObject({ code: 'file-unreadable', fields: { file: 'missing.txt' } });
  expect(sessions()).toHaveLength(0);
});
