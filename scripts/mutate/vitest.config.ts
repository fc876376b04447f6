import { defineConfig } from 'vitest/config';

/** The tests that guard main/compression; one worker a mutant. */
export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 12_000,
    include: ['main/{compression,turns,sessions}/**/*.test.ts', 'main/db/*.test.ts'],
  },
});
