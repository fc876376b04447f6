import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageId, SessionId } from '../../../shared/model/ids';
import { insertMessage } from '../../db/messages-table';
import { openForWriting } from '../../db/open';
import { insertSession } from '../../db/sessions-table';
import { WriteSeam } from '../../db/write-seam';
import { systemClock } from '../../lib/clock';
import { systemIds } from '../../lib/ids';
import { type CoreEntries, CoreProcess } from './core-process';

/** A profile with `sessions` conversations of so many turns, answered by the server at `address`. Eight can be compressed. */
export async function makeProfile(
  entries: CoreEntries,
  folder: string,
  { sessions, address, turns = 8 }: { sessions: number; address: string; turns?: number },
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const core = new CoreProcess(entries, folder);
  await core.ready;
  const provider = await core.ask('providers.add', { kind: 'openai', name: 'Scripted', address, key: null });
  const model = provider.models[0];
  if (!model) throw new Error('the scripted server was not heard');
  const ref = { providerId: provider.id, model: model.model };
  await core.ask('settings.change', { defaultModel: ref });
  await core.quit();

  const db = openForWriting(join(folder, 'palimpsest.db'));
  const seam = new WriteSeam(db, systemClock);
  for (let s = 0; s < sessions; s++) {
    seam.tryWrite((tx) => {
      const id = systemIds.uuid() as SessionId;
      const branchId = insertSession(tx, { id, title: `Session ${s}`, model: ref, now: s + 1 });
      for (let turn = 0; turn < turns; turn++)
        for (const role of ['user', 'assistant'] as const) {
          const row = { id: systemIds.uuid() as MessageId, sessionId: id, branchId, turnId: null, now: s + 1 };
          insertMessage(tx, { ...row, role, text: wordsOf(s, turn, role), status: 'complete' });
        }
    });
  }
  db.close();
}

/** Prose in which every sentence says something of its own. */
function wordsOf(session: number, turn: number, role: string): string {
  const number = 1_000 + session * 100 + turn;
  return [
    `For point ${number} we want to move the service to port ${number}, said by the ${role}.`,
    `It was decided that /srv/data/${number}/list.txt is read first and never written.`,
    `The build of step ${turn} is done and works on all ${turn + 3} machines that we have tried.`,
    `What is still open is whether the name of host-${number}.example stays as it is?`,
    `Everything else about it can be looked up in note ${number * 7} of the old folder, which nobody has read for a while.`,
  ].join(' ');
}
