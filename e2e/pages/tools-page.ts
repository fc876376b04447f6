import { expect, type Locator, type Page } from '@playwright/test';

/** The settings of tools, by what their user sees. */
export class ToolsPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('Control+,');
    await this.page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Tools' }).click();
    await expect(this.page.getByRole('heading', { level: 1, name: 'Tools' })).toBeVisible();
  }
  async close(): Promise<void> {
    await this.page.getByRole('button', { name: /Back to chats/ }).click();
  }

  /** Adds a program by the form, and answers once the form is gone. */
  async addProgram(name: string, command: string, args: readonly string[]): Promise<void> {
    await this.page.getByRole('button', { name: 'Add server' }).click();
    const form = this.page.getByRole('dialog', { name: 'Add tool server' });
    await form.getByLabel('Name', { exact: true }).fill(name);
    await form.getByLabel('Command').fill(command);
    await form.getByLabel('Arguments').fill(args.join('\n'));
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(form).toBeHidden();
  }

  server(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }
  async show(name: string): Promise<void> {
    await this.server(name)
      .getByRole('button', { name: `Show ${name}` })
      .click();
  }
}
