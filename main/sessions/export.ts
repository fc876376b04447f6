import { rename, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../shared/errors';
import type { Shell } from '../app/core';
import type { StoredSession } from '../db/sessions-table';
import type { DataThread } from '../db/thread/client';
import type { Caller } from '../ipc/handlers';

/** Writes one session as Markdown to a place the user picks. False = the dialog was closed. */
export async function exportSession(
  data: DataThread,
  shell: Shell,
  session: StoredSession,
  caller: Caller,
): Promise<boolean> {
  const name = (session.title || 'chat')
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 80);
  const target = await shell.pickTarget(caller, `${name}.md`);
  if (target === null) return false;
  const text = await data.ask('export', { sessionId: session.id, branch: session.lastBranch });
  try {
    // whole or not at all: an older export of that name stays until the new one is complete
    await writeFile(`${target}.part`, text, 'utf8');
    await rename(`${target}.part`, target);
  } catch (error) {
    throw new AppError('file-unreadable', {
      file: basename(target),
      reason: error instanceof Error ? error.message : String(error),
    });
  }
  return true;
}
