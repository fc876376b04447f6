import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own on the real file system, gone when the test is over. */
export class TempProfile {
  readonly folder = mkdtempSync(join(tmpdir(), 'palimpsest-test-'));
  readonly database = join(this.folder, 'palimpsest.db');
  readonly locks = join(this.folder, 'instances');

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
