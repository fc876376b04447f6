import path from 'node:path';
import { build } from 'rolldown';

/** Bundles main/testing/NAME/main.ts of the tree at `root` for plain Node, inside the tree; answers the file to run. */
export async function buildProgram(root, name) {
  const dir = path.join(root, 'out', 'test', name);
  await build({
    cwd: root,
    input: path.join(root, 'main', 'testing', name, 'main.ts'),
    platform: 'node',
    external: [/^[a-z@]/], // packages stay packages
    logLevel: 'silent',
    output: { dir, format: 'es', entryFileNames: 'main.mjs' },
  });
  return path.join(dir, 'main.mjs');
}
