import { expect, type Locator, type Page } from '@playwright/test';
import type { SessionId } from '../../shared/model/ids';
import { ask } from '../fixtures/ask';
import { CompressionCard } from './compression-card';

/** The main window, by what its user sees and hears read out. */
export class MainWindow {
  readonly page: Page;
  readonly card: CompressionCard;

  constructor(page: Page) {
    this.page = page;
    this.card = new CompressionCard(page);
  }

  get composer(): Locator {
    return this.page.getByRole('region', { name: 'Composer' });
  }
  /** The field in which messages are written. */
  get field(): Locator {
    return this.composer.getByRole('textbox', { name: 'Message', exact: true });
  }
  get stopButton(): Locator {
    return this.composer.getByRole('button', { name: 'Stop', exact: true });
  }
  /** The one line per fact over the field. */
  get notices(): Locator {
    return this.composer.locator('.notice');
  }
  notice(words: string | RegExp): Locator {
    return this.notices.filter({ hasText: words });
  }
  /** Texts of what waits to be sent, in order. */
  get waiting(): Locator {
    return this.page.getByRole('region', { name: 'Waiting messages' }).getByRole('listitem');
  }
  get transcript(): Locator {
    return this.page.getByRole('region', { name: 'Conversation' });
  }
  /** The message with this number, while it is on screen. */
  message(seq: number): Locator {
    return this.transcript.locator(`[data-seq="${seq}"] article`);
  }
  /** Every answer that is on screen. */
  get answers(): Locator {
    return this.transcript.locator('article .prose');
  }
  /** The line under a cutoff, with what it opens. */
  fold(from: number, to: number): Locator {
    return this.page.getByRole('region', { name: `Summary of messages ${from} to ${to}` });
  }
  /** The summary that waits for a review. */
  get proposal(): Locator {
    return this.page.getByRole('region', { name: 'Summary for your review' });
  }

  /** Scrolls the transcript up, as with a wheel, until that is on screen. */
  async scrollUpTo(what: Locator): Promise<void> {
    await this.transcript.hover();
    await expect(async () => {
      await this.page.mouse.wheel(0, -400);
      await expect(what).toBeVisible({ timeout: 250 });
    }).toPass();
  }

  /** Asks an open fold to roll back by one of its buttons; answers what is said beforehand, once it was done. */
  async rollBack(fold: Locator, name = 'Roll back'): Promise<string> {
    await fold.getByRole('button', { name, exact: true }).click();
    const ask = this.page.getByRole('dialog', { name: 'What rolling back does' });
    await ask.locator('[aria-busy=false]').waitFor();
    const said = (await ask.locator('p').allTextContents()).join(' ');
    await ask.getByRole('button', { name, exact: true }).click();
    await ask.waitFor({ state: 'hidden' });
    return said;
  }
  get meter(): Locator {
    return this.composer.getByRole('button', { name: /^Context:/ });
  }

  /** Selects words of a message with the mouse, as a reader does. */
  async select(seq: number, words: string): Promise<void> {
    const box = await this.message(seq).evaluate((article, wanted) => {
      const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.nodeValue?.indexOf(wanted) ?? -1;
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        const { left, right, top, height } = range.getBoundingClientRect();
        return { left, right, middle: top + height / 2 };
      }
      throw new Error(`not shown: ${wanted}`);
    }, words);
    const { mouse } = this.page;
    await mouse.move(box.left, box.middle);
    await mouse.down();
    await mouse.move(box.right, box.middle, { steps: 4 });
    await mouse.up();
  }

  /** Files of the next message, and what is said of those that could not be attached. */
  get files(): Locator {
    return this.page.getByRole('region', { name: 'Files of the next message' }).getByRole('listitem');
  }
  get attachButton(): Locator {
    return this.composer.getByRole('button', { name: 'Attach files' });
  }

  async send(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press('Enter');
  }

  /** Leaves the first run as it came up. */
  async skipFirstRun(): Promise<void> {
    await this.page.getByRole('button', { name: 'Skip for now' }).click();
    await this.page.getByRole('navigation', { name: 'Chats' }).waitFor();
  }

  /** Opens the context panel and asks there for a compression by hand, by one way of the menu or the usual way. */
  async compressNow(way?: string): Promise<void> {
    await this.openPanel();
    if (way === undefined) {
      await this.page.getByRole('button', { name: 'Compress now' }).click();
      return;
    }
    await this.page.getByRole('button', { name: 'Choose how' }).click();
    await this.page.getByRole('menuitem', { name: way }).click();
  }
  /** Asks main for it: the stepper's own clicks are another test's. */
  async keepTurns(sessionId: SessionId, turns: number): Promise<void> {
    await ask(this.page, 'sessions.setKeepTurns', { sessionId, turns });
  }
  async openPanel(): Promise<void> {
    if ((await this.meter.getAttribute('aria-pressed')) !== 'true') await this.meter.click();
  }
}
