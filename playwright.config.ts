import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e/specs',
  timeout: 90_000,
  expect: { timeout: 20_000 },
  workers: 2,
  retries: 0,
  forbidOnly: true,
  reporter: [['list']],
  outputDir: 'out/e2e',
});
