import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Files share their worker's modules: importing the app anew for each took longer than its tests, which leave nothing. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          isolate: false,
          include: ['{main,shared,preload,scripts}/**/*.test.{ts,mjs}'],
        },
      },
      {
        plugins: [react()],
        test: { name: 'renderer', environment: 'happy-dom', isolate: false, include: ['renderer/**/*.test.{ts,tsx}'] },
      },
    ],
  },
});
