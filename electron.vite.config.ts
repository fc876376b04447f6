import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

// Targets are named, not guessed from electron's package.json: the binary that runs may be the older fallback.
const NODE = 'node20.18';
const CHROME = 'chrome130';

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: NODE,
      externalizeDeps: true,
      rolldownOptions: {
        input: {
          main: resolve('main/main.ts'),
          host: resolve('main/hosts/process/host.ts'),
          'data-thread': resolve('main/db/thread/data-thread.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      target: NODE,
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: resolve('preload/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' }, // a sandboxed preload must be CommonJS, in one file
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react()],
    build: {
      outDir: 'out/renderer',
      minify: 'oxc', // electron-vite does not minify by itself
      target: CHROME,
      assetsInlineLimit: 0, // the page's policy takes fonts from the bundle only, not from data addresses
      rolldownOptions: {
        input: { index: resolve('renderer/index.html'), 'quick-chat': resolve('renderer/quick-chat.html') },
      },
    },
  },
});
