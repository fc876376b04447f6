import type { ElectronApplication, Locator, Page } from '@playwright/test';

/** The quick chat, once it was summoned. */
export class QuickChat {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The quick chat's page, waited for where it is only now being made. */
  static async of(app: ElectronApplication): Promise<QuickChat> {
    const isQuick = (page: Page) => page.url().endsWith('/quick-chat.html');
    const page = app.windows().find(isQuick) ?? (await app.waitForEvent('window', { predicate: isQuick }));
    return new QuickChat(page);
  }

  get field(): Locator {
    return this.page.getByRole('textbox');
  }
}

/** Which of the app's windows are on the screen, by the name of their page. */
export function visiblePages(app: ElectronApplication): Promise<readonly string[]> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((window) => window.isVisible())
      .map((window) => new URL(window.webContents.getURL()).pathname.slice(1))
      .sort(),
  );
}
