import type { Locator, Page } from '@playwright/test';

/** The compression card at the end of the transcript. */
export class CompressionCard {
  readonly region: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.region = page.getByRole('region', { name: 'Compression', exact: true });
  }

  /** Its phase in words, or how it ended. */
  get title(): Locator {
    return this.region.getByRole('heading');
  }
  /** The newest line of the growing summary. */
  get newestLine(): Locator {
    return this.region.locator('.newest');
  }
  /** What Recover says that it would do, once it is asked. */
  async askRecover(): Promise<Locator> {
    await this.region.getByRole('button', { name: 'Recover…' }).click();
    const dialog = this.#page.getByRole('dialog', { name: 'Recover this compression?' });
    await dialog.locator('[aria-busy=false]').waitFor();
    return dialog;
  }
  get cancelButton(): Locator {
    return this.region.getByRole('button', { name: 'Cancel' });
  }

  /**
   * Keeps every title and every newest line that the card shows from now on, in order and without repeats: also what
   * passes too quickly to be looked at.
   */
  async watch(): Promise<{ titles(): Promise<readonly string[]>; newestLines(): Promise<readonly string[]> }> {
    await this.#page.evaluate(() => {
      const titles: string[] = [];
      const lines: string[] = [];
      Reflect.set(globalThis, 'cardSaid', { titles, lines });
      const keep = (seen: string[], selector: string) => {
        const text = document.querySelector(selector)?.textContent;
        if (text && seen.at(-1) !== text) seen.push(text);
      };
      const look = () => {
        keep(titles, 'section.card h2');
        keep(lines, 'section.card .newest .grow');
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
      look();
    });
    const said = () =>
      this.#page.evaluate(() => Reflect.get(globalThis, 'cardSaid') as { titles: string[]; lines: string[] });
    return { titles: async () => (await said()).titles, newestLines: async () => (await said()).lines };
  }
}
