// What the steps of the demo share: the app on a fresh profile, the model server, the second process, the pictures.
// Everything that was begun is ended here, however the demo ends.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../setup/places.mjs';
import { tell } from './account.mjs';
import { loadParts } from './parts.mjs';

export const PICTURES = path.join(ROOT, 'out', 'demo');

/** How long the app and its children may take to end, in milliseconds. */
const END_MS = 6_000;
/** How long a fact may take to come true before the step fails, in milliseconds. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 50;
/** Lines of the app's log that are shown after a failure. */
const LOG_LINES = 40;

export class Stage {
  parts;
  profile = fs.mkdtempSync(path.join(os.tmpdir(), 'palimpsest-demo-'));
  app = null;
  server = null;
  holder = null;
  /** The session that the demo is about, once it was imported. */
  session = null;
  shots = [];
  #folder = null;
  #apps = [];
  #ended = false;
  #closing = null;

  async open() {
    fs.rmSync(PICTURES, { recursive: true, force: true });
    fs.mkdirSync(PICTURES, { recursive: true });
    const { parts, folder } = await loadParts();
    this.parts = parts;
    this.#folder = folder;
    this.stored = new parts.Stored(this.profile);
  }

  async launch() {
    const { RunningApp, MainWindow } = this.parts;
    this.app = await RunningApp.launch(this.profile);
    this.#apps.push(this.app);
    this.main = new MainWindow(this.app.window);
    await this.main.field.waitFor();
  }
  get page() {
    return this.app.window;
  }

  /** Saves what the window shows as out/demo/NN-name.png. */
  async picture(name, page = this.page) {
    const number = String(this.shots.length + 1).padStart(2, '0');
    const file = `${number}-${name}.png`;
    await page.screenshot({ path: path.join(PICTURES, file) });
    this.shots.push(file);
    tell(`picture out/demo/${file}`);
  }

  /** Waits for a fact of the database or the server's journal; answers what `look` answered. */
  async until(what, look) {
    const begun = performance.now();
    for (;;) {
      const found = await look();
      if (found) return found;
      if (performance.now() - begun > PATIENCE_MS) throw new Error(`did not come true within 60 s: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  logTail() {
    return this.app ? this.app.log.trimEnd().split('\n').slice(-LOG_LINES).join('\n') : '(the app had not started)';
  }

  /** Ends everything, once; answers what did not end by itself. */
  close() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close() {
    const late = [];
    const within = async (what, work) => {
      let timer;
      const limit = new Promise((resolve) => {
        timer = setTimeout(() => resolve('late'), END_MS);
      });
      if ((await Promise.race([work.catch(() => 'late'), limit])) === 'late') late.push(what);
      clearTimeout(timer);
    };
    for (const app of this.#apps) await within('the app', app.quit());
    if (this.holder) await within('the second process', this.holder.end());
    if (this.server) await within('the model server', this.server.close());
    const left = await this.#survivors();
    this.closeNow();
    return [...late, ...left.map(({ pid, command }) => `process ${pid}: ${command.slice(0, 80)}`)];
  }

  /** Ends at once what is still there: for a demo that is being ended itself. */
  closeNow() {
    if (this.#ended) return;
    this.#ended = true;
    if (this.parts) {
      for (const { pid } of this.#left()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // it ended meanwhile
        }
      }
    }
    for (const folder of [this.profile, this.#folder]) {
      if (folder) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Processes that were seen to be the app's, and those which name its profile. */
  #left() {
    return this.parts.leftOver(
      this.#apps.flatMap((app) => app.processesSeen),
      this.profile,
    );
  }

  async #survivors() {
    if (!this.parts) return [];
    const begun = performance.now();
    while (this.#left().length > 0 && performance.now() - begun < END_MS) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return this.#left();
  }
}
