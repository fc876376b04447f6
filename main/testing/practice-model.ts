import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Path of the practice model, written first where it is missing. */
export function practiceModelFile(): string {
  const file = join(ROOT, '.cache/practice-model.gguf');
  if (!existsSync(file))
    execFileSync(process.execPath, [join(ROOT, 'scripts/practice-model.mjs')], { stdio: 'ignore' });
  return file;
}
