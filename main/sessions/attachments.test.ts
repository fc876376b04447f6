import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ATTACHED_CHARS_MAX, ATTACHMENTS_MAX } from '../../shared/model/attachment';
import type { MessageId } from '../../shared/model/ids';
import { all } from '../db/database';
import { emptySession } from '../db/empty-bin';
import { messagesBetween } from '../db/messages-table';
import { outboxOf } from '../db/outbox-table';
import { localDataThread } from '../db/thread/client';
import { threadJobs } from '../db/thread/jobs';
import { HostPool } from '../hosts/pool';
import { systemClock } from '../lib/clock';
import { DEFAULT_RATES } from '../providers/token-rates';
import { makeDocx, makePdf, makeZip } from '../testing/documents';
import { Engine } from '../testing/engine';
import { buildHostEntry, nodeFork } from '../testing/node-fork';
import { TempProfile } from '../testing/profile';
import { estimate } from '../turns/measure';
import { AttachmentFiles } from './attachment-files';
import { Attachments, shownAttachment } from './attachments';
import { editMessage } from './branches';
import { shownMessages } from './shown';

let entry: Awaited<ReturnType<typeof buildHostEntry>>;
beforeAll(async () => {
  entry = await buildHostEntry();
});
afterAll(() => entry.remove());

/** Runs a job of the data thread to its end. */
function last<T>(steps: Generator<undefined, T>): { readonly value: T } {
  for (;;) {
    const step = steps.next();
    if (step.done) return { value: step.value };
  }
}

describe('attachments', () => {
  let profile: TempProfile;
  let engine: Engine;
  let pool: HostPool;
  let attachments: Attachments;
  let session: ReturnType<Engine['session']>;
  let folder: string;
  let next = 0;
  const ids = { uuid: () => `part-${++next}` };

  beforeEach(() => {
    profile = new TempProfile();
    engine = new Engine(profile);
    session = engine.session(2);
    folder = join(profile.folder, 'attachments');
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const options = {
      fork: nodeFork(entry.file),
      clock: systemClock,
      instance: 'test',
      platform: process.platform,
      log,
    };
    pool = new HostPool(options);
    next = 0;
    attachments = new Attachments({
      seam: engine.seam,
      clock: systemClock,
      files: new AttachmentFiles(folder, ids),
      documents: pool,
      modelOf: () => engine.models.facts(),
      changed: () => {},
      log: () => {},
    });
  });
  afterEach(async () => {
    await pool.close(500);
    engine.close();
    profile.remove();
  });

  const file = (name: string, content: string | Buffer) => {
    const path = join(profile.folder, name);
    writeFileSync(path, content);
    return path;
  };
  /** Files in the profile's folder, half-written ones too. */
  const kept = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const draft = () => engine.stored(session.sessionId)?.draftFiles ?? [];
  const add = (...paths: string[]) => attachments.add(session.sessionId, paths);
  const sent = () => {
    const { job } = engine.requests().at(-1) ?? {};
    return job?.kind === 'chat' ? (job.messages.at(-1)?.content ?? '') : '';
  };
  const send = async (text: string, id = '77777777-7777-4777-8777-777777777777' as MessageId) => {
    const how = await engine.turns.send({ ...session, id, text, attachments: draft().map(({ hash }) => hash) });
    await engine.settle();
    return how;
  };

  test('text and code go with the message as quoted text, letter for letter, and leave the draft', async () => {
    const code = 'const a = `x`;\r\n\tif (a) b();\n';
    expect(await add(file('main.ts', code), file('notes.txt', '\ufeffGrüße 你好\n'))).toEqual([]);
    expect(draft().map(({ name, kind, bytes }) => [name, kind, bytes])).toEqual([
      ['main.ts', 'text', code.length],
      ['notes.txt', 'text', 18],
    ]);
    await send('Look');
    expect(sent()).toContain(`[Attached file: main.ts, ${code.length} bytes]\n\`\`\`ts\n${code}\`\`\``);
    expect(sent()).toContain('```txt\nGrüße 你好\n```');
    expect(draft()).toEqual([]);
    const [message] = messagesBetween(engine.db, session.branchId, 5, 5);
    expect(message?.text).toBe(sent());
    expect(message?.parts?.attached).toMatchObject({ typed: 4, files: [{ name: 'main.ts' }, { name: 'notes.txt' }] });
    const [shown] = shownMessages(engine.db, session.sessionId, session.branchId, message ? [message] : []);
    expect(shown?.text).toBe('Look');
    expect(shown?.files.map(({ name }) => name)).toEqual(['main.ts', 'notes.txt']);
    const hash = message?.parts?.attached?.files[0]?.hash ?? '';
    expect(readFileSync(join(folder, hash.slice(0, 2), hash), 'utf8')).toBe(code);
  });

  test('the text of PDF and Word files is read in a process of its own', async () => {
    const refused = await add(
      file('plan.pdf', makePdf(['Cutover on Sunday (02:00)', 'Never in March'])),
      file('letter.docx', makeDocx(['Dear neighbour,', 'the fence stays.'])),
    );
    expect(refused).toEqual([]);
    const texts = (await Promise.all(draft().map(({ hash }) => attachments.preview(hash)))).map(({ text }) => text);
    expect(texts).toEqual(['Cutover on Sunday (02:00)\n\nNever in March', 'Dear neighbour,\n\nthe fence stays.']);
    expect(pool.census()).toMatchObject([{ role: 'documents', state: 'running' }]);
  });

  test('what cannot be read is refused with its reason, and what can be is attached all the same', async () => {
    mkdirSync(join(profile.folder, 'folder'));
    const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
    const refused = await add(
      join(profile.folder, 'folder'),
      file('empty.txt', ''),
      file('blank.txt', ' \n '),
      file('photo.png', png),
      file('sheet.xlsx', makeZip({ 'xl/a': 'x' })),
      file('app.bin', Buffer.from([1, 2, 3, 0, 5])),
      file('scan.pdf', makePdf(['', ''])),
      file('broken.pdf', '%PDF-1.7 nothing more'),
      file('broken.docx', makeZip({ 'a.txt': 'x' })),
      join(profile.folder, 'gone.txt'),
      file('good.txt', 'good'),
    );
    expect(refused.map(({ name, code }) => [name, code])).toEqual([
      ['folder', 'attachment-folder'],
      ['empty.txt', 'attachment-empty'],
      ['blank.txt', 'attachment-empty'],
      ['photo.png', 'attachment-image'],
      ['sheet.xlsx', 'attachment-kind'],
      ['app.bin', 'attachment-kind'],
      ['scan.pdf', 'attachment-no-text'],
      ['broken.pdf', 'attachment-damaged'],
      ['broken.docx', 'attachment-damaged'],
      ['gone.txt', 'file-unreadable'],
    ]);
    expect(draft().map(({ name }) => name)).toEqual(['good.txt']);
    expect(attachments.readingOf(session.sessionId)).toEqual([]);
    expect(kept()).toHaveLength(1); // of what was refused nothing is left
  });

  test('a message takes so many files, and so many characters; the same file is attached once', async () => {
    const many = Array.from({ length: ATTACHMENTS_MAX + 1 }, (_, i) => file(`${i}.txt`, `file ${i}`));
    const refused = await add(...many, many[0] ?? '');
    expect(refused).toEqual([
      { name: `${ATTACHMENTS_MAX}.txt`, code: 'too-many-attachments', fields: { limit: ATTACHMENTS_MAX } },
    ]);
    expect(draft()).toHaveLength(ATTACHMENTS_MAX);
    const other = engine.session();
    const half = 'a'.repeat(ATTACHED_CHARS_MAX / 2 + 1);
    const long = await attachments.add(other.sessionId, [file('one.txt', half), file('two.txt', `${half}b`)]);
    expect(long.map(({ name, code }) => [name, code])).toEqual([['two.txt', 'attachment-too-long']]);
  });

  test('S45 files stay with the draft through a compression, a restart and a death', async () => {
    engine.fill(session.sessionId, session.branchId, 20, 800);
    await add(file('one.txt', 'first file'), file('two.md', 'second file'));
    const before = draft();
    await engine.attempt(session, 'manual', ['extract']);
    await engine.settle();
    expect(engine.shown(session.branchId)).toHaveLength(1);
    expect(draft()).toEqual(before);
    engine = engine.restart(); // it dies without a word
    expect(draft()).toEqual(before);
    await send('with both');
    expect(sent()).toContain('first file');
    expect(sent()).toContain('second file');
  });

  test('files wait in the outbox with their message', async () => {
    await engine.send(session, 'busy');
    await engine.settle();
    await add(file('one.txt', 'first file'));
    expect(await send('')).toBe('waiting');
    const outbox = () => outboxOf(engine.db, session.sessionId);
    expect(outbox()).toMatchObject([{ text: '', files: [{ name: 'one.txt' }] }]);
    expect(draft()).toEqual([]);
    const id = '77777777-7777-4777-8777-777777777777' as MessageId;
    const again = { ...session, id, text: '', attachments: outbox()[0]?.files.map(({ hash }) => hash) ?? [] };
    expect(await engine.turns.send(again)).toBe('waiting'); // a repeated send is a no-op
    expect(outbox()).toHaveLength(1);
    await engine.answerAll('an answer');
    expect(engine.texts(session.branchId).some((text) => text.includes('first file'))).toBe(true);
  });

  test('a send that names a file which is not in the draft is refused, and nothing is stored', async () => {
    await add(file('one.txt', 'first file'));
    const [kept] = draft();
    await attachments.remove(session.sessionId, kept?.hash ?? ('' as never));
    const before = engine.texts(session.branchId);
    const id = '88888888-8888-4888-8888-888888888888' as MessageId;
    const attached = [kept?.hash ?? ('' as never)];
    await expect(engine.turns.send({ ...session, id, text: 'x', attachments: attached })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(engine.texts(session.branchId)).toEqual(before);
  });

  test('an edited message keeps its files', async () => {
    await add(file('one.txt', 'first file'));
    await send('Look');
    await engine.answerAll('an answer');
    const env = engine;
    const id = '99999999-9999-4999-8999-999999999999' as MessageId;
    await editMessage(env, { ...session, seq: 5, id, text: 'Look again' });
    await engine.settle();
    expect(sent()).toMatch(/^Look again\n\n\[Attached file: one.txt, 10 bytes\]\n```txt\nfirst file\n```$/);
  });

  test('S56 a full disk while a file is kept: it is refused with the reason, the draft and what is there stay', async () => {
    await add(file('one.txt', 'first file'));
    const before = draft();
    symlinkSync('/dev/full', join(folder, 'part-2.part')); // every write there gives ENOSPC
    const refused = await add(file('two.txt', 'second file'));
    expect(refused).toEqual([{ name: 'two.txt', code: 'disk-full', fields: {} }]);
    expect(draft()).toEqual(before);
    expect(kept()).toHaveLength(1);
    expect(await add(file('three.txt', 'third file'))).toEqual([]);
  });

  test('a covered file is name, size and first lines; no rule or anchor is taken from it; a search finds its words', async () => {
    const lines = ['Never deploy on Friday.', ...Array.from({ length: 200 }, (_, i) => `value_${i} = /srv/data/${i}`)];
    await add(file('rules.txt', lines.join('\n')));
    await send('Always use tabs, as in `style_guide_7`.');
    await engine.answerAll('an answer');
    engine.fill(session.sessionId, session.branchId, 20, 800);
    await engine.attempt(session, 'manual', ['extract']);
    await engine.settle();
    const [shown] = engine.shown(session.branchId);
    expect(shown?.text).toContain('Always use tabs');
    expect(shown?.text).not.toMatch(/Friday|value_|srv/);
    const rates = engine.models.facts().rates;
    const place = { from: 5, to: 6, piece: null };
    const job = { branch: session.branchId, readAsText: [], stubs: [], limit: 6_000, rates, place };
    const read = threadJobs.chunkText(engine.db, job);
    expect(read).toContain('[Attached file: rules.txt, ');
    expect(read).toContain('value_3 = /srv/data/3 …');
    expect(read).not.toContain('value_9');
    const hits = threadJobs.search(engine.db, { query: 'value_150', sessionId: session.sessionId, limit: 5 });
    expect(hits.map(({ seq }) => seq)).toEqual([5]);
    const exported = threadJobs.export(engine.db, { sessionId: session.sessionId, branch: session.branchId });
    expect(exported).toContain('[Attached file: rules.txt, ');
    expect(exported).not.toContain('value_');
  });

  test('an image goes to a model that says it sees, at 1,500 tokens until its rates are known; to others goes its name', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const sees = (yes: boolean) => engine.models.change({ sees: yes, rates: DEFAULT_RATES });
    sees(true);
    expect(await add(file('photo.png', png))).toEqual([]);
    await attachments.pasteImage(session.sessionId, 'Pasted image', Buffer.concat([png, png]));
    const hashes = draft().map(({ hash }) => hash);
    expect(draft().map((one) => [one.kind, shownAttachment(one, DEFAULT_RATES).tokens])).toEqual([
      ['image', 1_500],
      ['image', 1_500],
    ]);
    expect((await attachments.preview(hashes[0] ?? ('' as never))).image).toBe(
      `data:image/png;base64,${png.toString('base64')}`,
    );
    const before = estimate(
      engine.db,
      session.sessionId,
      session.branchId,
      engine.models.facts(),
      engine.toolbox,
      false,
    ).use.total;
    await send('Look');
    const asked = () => {
      const { job } = engine.requests().at(-1) ?? {};
      return job?.kind === 'chat' ? job.messages.at(-1) : undefined;
    };
    expect(asked()).toEqual({
      role: 'user',
      content:
        'Look\n\n[Attached file: photo.png, 16 bytes, an image]\n\n[Attached file: Pasted image, 32 bytes, an image]',
      images: hashes.map((hash) => `/pictures/${hash}`),
    });
    const after = estimate(engine.db, session.sessionId, session.branchId, engine.models.facts(), engine.toolbox, true)
      .use.total;
    expect(after - before).toBeGreaterThan(3_000);
    expect(engine.models.reports).toEqual([]);
    sees(false);
    await engine.answerAll('an answer');
    await engine.send(session, 'And now?');
    await engine.settle();
    const { job } = engine.requests().at(-1) ?? {};
    expect(JSON.stringify(job)).toContain('photo.png');
    expect(JSON.stringify(job)).not.toContain('/pictures/');
    expect((await add(file('again.png', png)))[0]).toMatchObject({
      code: 'attachment-image',
      fields: { model: 'Test model' },
    });
  });

  test('a message that is sent as its stub leaves its pictures behind; two messages sent as one keep those of both', async () => {
    engine.models.change({ sees: true });
    const png = (n: number) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from([n])]);
    await add(file('one.png', png(1)), file('log.txt', 'a line of it\n'.repeat(400)));
    await send('Look');
    const gone = { kind: 'died', cause: 'unreachable', name: 'Error', message: 'gone', fields: {} } as const;
    engine.host.last.settle({ t: 'failed', ...gone });
    await engine.settle();
    await add(file('two.png', png(2)));
    await send('And this', '66666666-7777-4777-8777-777777777777' as MessageId);
    const images = () => {
      const { job } = engine.requests().at(-1) ?? {};
      return job?.kind === 'chat' ? job.messages.flatMap((message) => message.images ?? []) : [];
    };
    expect(images()).toHaveLength(2);
    await engine.answerAll('an answer');
    engine.fill(session.sessionId, session.branchId, 4, 800);
    await engine.attempt(session, 'manual', ['prune']);
    await engine.settle();
    await engine.send(session, 'go on');
    await engine.settle();
    expect(engine.requests()).toHaveLength(3);
    expect(images()).toEqual([]);
  });

  test('an old file is pruned to name, size and first lines; what was typed beside it stays', async () => {
    await add(file('log.txt', 'a line of it\n'.repeat(400)));
    await send('Look at line 7');
    await engine.answerAll('an answer');
    const { rates } = engine.models.facts();
    const pruned = threadJobs.prune(engine.db, { branch: session.branchId, from: 1, to: 6, rates });
    const { value } = last(pruned);
    expect(value.stubs).toEqual([
      {
        seq: 5,
        text: `Look at line 7\n\n[Attached file: log.txt, 5200 bytes]\n${'a line of it\n'.repeat(5).trim()} …\n\n[The whole of these files is in message 5.]`,
      },
    ]);
    expect(value.tokensAfter).toBeLessThan(value.tokensBefore / 10);
  });

  test('a small file beside many words is not pruned', async () => {
    await add(file('one.txt', 'one'));
    await send('typed words '.repeat(200));
    await engine.answerAll('an answer');
    const { rates } = engine.models.facts();
    const pruned = threadJobs.prune(engine.db, { branch: session.branchId, from: 1, to: 6, rates });
    expect(last(pruned).value.stubs).toEqual([]);
  });

  test('emptying the bin takes the files of its sessions away, and no other', async () => {
    const data = localDataThread(engine.db);
    await add(file('gone.txt', 'gone file'), file('both.txt', 'in both'));
    const [gone, both] = draft().map(({ hash }) => hash);
    await send('Look');
    await engine.answerAll('an answer');
    const other = engine.session();
    await attachments.add(other.sessionId, [join(profile.folder, 'both.txt')]);
    await attachments.sweep(data); // both are in use
    expect((await attachments.preview(gone ?? ('' as never))).text).toBe('gone file');
    engine.clock.advance(10);
    const emptying = emptySession(engine.seam, engine.clock, session.sessionId);
    await engine.settle();
    await emptying;
    await attachments.sweep(data);
    await expect(attachments.preview(gone ?? ('' as never))).rejects.toThrow('not-found');
    expect(existsSync(join(folder, (gone ?? '').slice(0, 2), gone ?? ''))).toBe(false);
    expect((await attachments.preview(both ?? ('' as never))).text).toBe('in both');
    expect(all(engine.db, `SELECT 1 FROM texts WHERE text = 'gone file'`)).toEqual([]);
  });

  test('a pasted text becomes a file of its own', async () => {
    const text = 'pasted '.repeat(4_000);
    await attachments.paste(session.sessionId, 'Pasted text', text);
    expect(draft()).toMatchObject([{ name: 'Pasted text', kind: 'paste', bytes: text.length }]);
    expect(await attachments.preview(draft()[0]?.hash ?? ('' as never))).toEqual({
      text,
      chars: text.length,
      image: null,
    });
  });
});
