import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'node', environment: 'node', include: ['{main,shared,preload,scripts}/**/*.test.{ts,mjs}'] } },
      {
        plugins: [react()],
        test: { name: 'renderer', environment: 'happy-dom', include: ['renderer/**/*.test.{ts,tsx}'] },
      },
    ],
  },
});
