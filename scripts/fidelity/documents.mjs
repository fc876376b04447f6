// Facts marked by hand in texts that come with installed packages. The texts are read where they lie and not kept here.
import fs from 'node:fs';
import path from 'node:path';

/** [file under node_modules, kind, fact word for word, a word that says what it is about]. */
const MARKS = [
  ['better-sqlite3/README.md', 'number', '60 GB', 'database'],
  ['better-sqlite3/README.md', 'number', '2000 queries', 'indexing'],
  ['better-sqlite3/README.md', 'path', './docs/troubleshooting.md', 'troubleshooting'],
  ['better-sqlite3/README.md', 'path', 'https://github.com/sponsors/JoshuaWise', 'sponsor'],
  ['better-sqlite3/README.md', 'path', 'https://www.postgresql.org/', 'RDBMS'],
  ['electron-log/README.md', 'number', 'Electron 13', 'v5'],
  ['electron-log/README.md', 'path', 'docs/transports/console.md', 'console'],
  ['electron-log/README.md', 'path', 'docs/transports/remote.md', 'remote'],
  ['electron-log/README.md', 'path', 'docs/transports/file.md', 'file'],
  ['ollama/README.md', 'identifier', 'OLLAMA_API_KEY', 'environment'],
  ['ollama/README.md', 'path', 'https://ollama.com/settings/keys', 'key'],
  ['ollama/README.md', 'path', 'https://github.com/jmorganca/ollama/blob/main/docs/api.md', 'REST'],
  ['ollama/README.md', 'identifier', 'gpt-oss:120b-cloud', 'pull'],
  ['eventsource-parser/README.md', 'identifier', 'max-buffer-size-exceeded', 'limit'],
  ['eventsource-parser/README.md', 'identifier', 'invalid-field', 'EventSource'],
  ['eventsource-parser/README.md', 'identifier', 'onRetry', 'retry'],
  ['zod/README.md', 'number', '55-schema', 'benchmark'],
  ['zod/README.md', 'number', '2.4x', 'speedup'],
  ['zod/README.md', 'identifier', '.parseAsync()', 'asynchronous'],
  ['zod/README.md', 'path', 'https://zod.dev/compile', 'compile'],
  ['zod/README.md', 'identifier', 'ZodError', 'validation'],
  ['node-gyp/README.md', 'identifier', 'npm_config_python', 'environment'],
  ['node-gyp/README.md', 'identifier', 'NODE_GYP_FORCE_PYTHON', 'Python'],
  ['node-gyp/README.md', 'identifier', '--nodedir', 'headers'],
  ['node-gyp/README.md', 'identifier', '--force-process-config', 'malformed'],
  ['node-gyp/README.md', 'identifier', '--msvs_version=2015', 'Visual'],
  ['node-gyp/README.md', 'identifier', 'config.gypi', 'distribution'],
  ['node-gyp/README.md', 'path', 'C:\\path\\to\\python.exe', 'python'],
  ['node-gyp/README.md', 'path', 'build/Release/', 'bindings'],
  ['node-gyp/README.md', 'path', 'https://gyp.gsrc.io/docs/InputFormatReference.md', 'format'],
  ['node-gyp/CHANGELOG.md', 'identifier', 'CVE-2026-23950', 'tar'],
  ['node-gyp/CHANGELOG.md', 'date', '2025-11-12', '12.1.0'],
  ['node-gyp/CHANGELOG.md', 'date', '2025-11-10', '12.0.0'],
  ['node-gyp/CHANGELOG.md', 'date', '2025-10-15', '11.5.0'],
  ['node-gyp/CHANGELOG.md', 'date', '2025-08-26', '11.4.2'],
  ['node-gyp/CHANGELOG.md', 'date', '2025-07-29', '11.3.0'],
  ['node-gyp/CHANGELOG.md', 'date', '2025-04-01', '11.2.0'],
  ['node-gyp/CHANGELOG.md', 'date', '2025-02-10', '11.1.0'],
  ['node-gyp/CHANGELOG.md', 'date', '2024-12-03', '11.0.0'],
  ['node-gyp/CHANGELOG.md', 'identifier', 'v0.21.0', 'gyp-next'],
  ['node-gyp/CHANGELOG.md', 'identifier', 'v0.20.5', 'gyp-next'],
  ['node-gyp/CHANGELOG.md', 'number', 'Visual Studio 2026', 'support'],
  ['node-gyp/CHANGELOG.md', 'number', 'Python 3.14', 'candidate'],
  ['katex/README.md', 'name', 'Donald Knuth', 'TeX'],
  ['katex/README.md', 'identifier', 'katex.renderToString', 'HTML'],
  ['katex/README.md', 'identifier', 'throwOnError: false', 'invalid'],
  ['katex/README.md', 'path', 'https://katex.org/docs/supported.html', 'LaTeX'],
  ['katex/README.md', 'path', 'https://katex.org/docs/autorender.html', 'auto-render'],
  ['katex/README.md', 'path', 'https://www.intmath.com/cg5/katex-mathjax-comparison.php', 'speed'],
  ['virtua/README.md', 'number', '~3kB', 'gzipped'],
  ['virtua/README.md', 'identifier', 'react >= 16.14', 'required'],
  ['virtua/README.md', 'identifier', 'virtua@<=0.50', 'polyfilled'],
  ['virtua/README.md', 'path', 'https://caniuse.com/css-subgrid', 'VGrid'],
  ['node-llama-cpp/README.md', 'identifier', 'NODE_LLAMA_CPP_SKIP_DOWNLOAD', 'environment'],
  ['node-llama-cpp/README.md', 'path', 'https://github.com/orgs/withcatai/projects/1', 'Roadmap'],
  ['@playwright/test/README.md', 'identifier', '@playwright/mcp@latest', 'MCP'],
  ['@playwright/test/README.md', 'identifier', '@playwright/cli@latest', 'CLI'],
  ['@biomejs/biome/README.zh-CN.md', 'path', 'https://biomejs.dev/playground/', 'WebAssembly'],
  ['@biomejs/biome/README.zh-CN.md', 'path', 'https://github.com/biomejs/biome/tree/main/LICENSE-MIT', 'MIT'],
  ['@biomejs/biome/README.zh-CN.md', 'path', 'https://biomejs.dev/zh-cn/guides/manual-installation/', 'Node.js'],
  ['@biomejs/biome/README.zh-TW.md', 'path', 'https://github.com/sponsors/biomejs', 'Sponsors'],
  ['@biomejs/biome/README.zh-TW.md', 'number', '97%', 'Prettier'],
  ['zustand/README.md', 'path', 'https://zustand-demo.pmnd.rs/', 'demo'],
  ['zustand/README.md', 'path', './docs/learn/guides/immutable-state-and-merging.md', 'state'],
  ['marked/LICENSE', 'name', 'John Gruber', 'Copyright'],
  ['marked/LICENSE', 'name', 'Christopher Jeffrey', 'marked'],
  ['typescript/LICENSE', 'date', 'January 2004', 'Version'],
];

/** Longest passage around a mark, in characters. */
const LONGEST = 420;

/** Facts with the passages that hold them. Throws where a package no longer says what was marked. */
export function documentFacts(root, count, dice) {
  const missing = [];
  const facts = MARKS.flatMap(([file, kind, value, about]) => {
    const place = path.join(root, 'node_modules', file);
    const text = fs.existsSync(place) ? fs.readFileSync(place, 'utf8').replaceAll('\r\n', '\n') : '';
    const passage = passageOf(text, value, about);
    if (passage === null) missing.push(`${file}: ${value}`);
    return passage === null
      ? []
      : [
          {
            kind,
            value,
            about,
            passage,
            file,
            language: 'documents',
            question: `What did the text say about ${about}?`,
          },
        ];
  });
  if (missing.length > 0) throw new Error(`marks that no longer occur:\n${missing.join('\n')}`);
  return dice.shuffled(facts).slice(0, count);
}

/** The paragraph around the first place where the value and what it is about stand together. */
function passageOf(text, value, about) {
  for (const paragraph of text.split(/\n\s*\n/)) {
    const at = paragraph.indexOf(value);
    if (at < 0) continue;
    const from = paragraph.length <= LONGEST ? 0 : lineBefore(paragraph, at);
    const passage = paragraph.slice(from, from + LONGEST).trim();
    if (passage.includes(value) && passage.toLowerCase().includes(about.toLowerCase())) return passage;
  }
  return null;
}
function lineBefore(text, at) {
  const newline = text.lastIndexOf('\n', at);
  return newline >= 0 && at - newline < LONGEST / 2
    ? newline + 1
    : Math.max(0, text.lastIndexOf(' ', at - LONGEST / 3));
}
