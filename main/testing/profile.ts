import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own on a real file system, gone when the test is over. */
export class TempProfile {
  readonly folder: string;
  readonly database: string;
  readonly locks: string;

  constructor(folder = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))) {
    this.folder = folder;
    this.database = join(folder, 'palimpsest.db');
    this.locks = join(folder, 'instances');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
