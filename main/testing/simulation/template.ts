import { readFileSync, writeFileSync } from 'node:fs';
import type { BranchId, SessionId } from '../../../shared/model/ids';
import { openForWriting } from '../../db/open';
import { retireInstance } from '../../db/recovery';
import { changeSession } from '../../db/sessions-table';
import { putText } from '../../db/texts-table';
import { Engine } from '../engine';
import { ManualClock } from '../manual-clock';
import { TempProfile } from '../profile';

/** What every request of a schedule begins with. */
export const SYSTEM_PROMPT = 'Answer briefly.\n  Keep  these  spaces. 你好';

/** The database that every schedule begins with, as one file: made once, by the product, and copied. */
export interface Template {
  readonly sessions: readonly { readonly sessionId: SessionId; readonly branchId: BranchId }[];
  copyTo(profile: TempProfile): void;
}

/**
 * Two sessions. The first was compressed, with more said since: what a second compression builds on is there. The
 * second never was. `folder` is used and removed.
 */
export async function makeTemplate(folder: string | undefined): Promise<Template> {
  const profile = new TempProfile(folder);
  const clock = new ManualClock();
  const engine = new Engine(profile, clock);
  const sessions = [engine.session(12, 700), engine.session(9, 900)] as const;
  for (const { sessionId } of sessions)
    engine.write((tx) => changeSession(tx, sessionId, { promptHash: putText(tx, SYSTEM_PROMPT) }));
  await engine.compress(sessions[0], 'manual', ['summarize']);
  await engine.answerAll();
  engine.fill(sessions[0].sessionId, sessions[0].branchId, 12, 700);
  if (engine.shown(sessions[0].branchId).length !== 1) throw new Error('the first session is not compressed');
  engine.write((tx) => retireInstance(tx, engine.me, clock.wall()));
  engine.close(); // the last connection brings its log back into the file
  smallPages(profile.database);
  const file = readFileSync(profile.database);
  profile.remove();
  return { sessions, copyTo: (to) => writeFileSync(to.database, file) };
}

/** Small pages make each write, each look and each copy of a small database cheaper; nothing else depends on them. */
function smallPages(file: string): void {
  const db = openForWriting(file);
  db.pragma('journal_mode = DELETE');
  db.pragma('page_size = 4096');
  db.exec('VACUUM');
  db.pragma('journal_mode = WAL');
  db.close();
}
