import type { Locator, Page } from '@playwright/test';

/** The main window, by what its user sees and hears read out. */
export class MainWindow {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The field in which messages are written. */
  get field(): Locator {
    return this.page.getByRole('region', { name: 'Composer' }).getByRole('textbox');
  }

  async send(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press('Enter');
  }
}
