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
  get cancelButton(): Locator {
    return this.region.getByRole('button', { name: 'Cancel' });
  }

  /**
   * Keeps every title that the card shows from now on; `words` answers them in order, without repeats. What passes
   * too quickly to be looked at is kept as well.
   */
  async watch(): Promise<{ words(): Promise<readonly string[]> }> {
    await this.#page.evaluate(() => {
      const seen: string[] = [];
      Reflect.set(globalThis, 'cardTitles', seen);
      const look = () => {
        const title = document.querySelector('section.card h2')?.textContent;
        if (title && seen.at(-1) !== title) seen.push(title);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
      look();
    });
    return { words: () => this.#page.evaluate(() => Reflect.get(globalThis, 'cardTitles') as string[]) };
  }
}
