import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest that each file took so far; a file that was cut short by a failure before it says less. */
const longest = new Map<string, number>();

/** What failed last stands first, since the next mutant is its neighbour; then the quickest: one failure ends a run. */
class LikeliestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = files.map((file) => {
      const key = relative(this.ctx.config.root, file.moduleId);
      const last = this.ctx.cache.getFileTestResults(`${file.project.name}:${key}`);
      const duration = Math.max(longest.get(key) ?? 0, last?.duration ?? 0);
      longest.set(key, duration);
      return { file, rank: last?.failed ? -1 : duration };
    });
    return ranked.sort((a, b) => a.rank - b.rank).map(({ file }) => file);
  }
}

/** The tests that guard main/compression; one worker a mutant. */
export default defineConfig({
  test: {
    environment: 'node',
    isolate: false,
    testTimeout: 4_000,
    sequence: { sequencer: LikeliestFirst },
    include: [
      'main/compression/*.test.ts',
      'main/turns/{deferral,loops,overflow,recall,runner,server-busy,tools,two-windows,wishes-meet}.test.ts',
      'main/sessions/pins.test.ts',
    ],
  },
});
