import { startAgain } from '../fixtures/running-app';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';
import { QuickChat, visiblePages } from '../pages/quick-chat';

test('a second start hands over to the first and ends', async ({ launch, profile }) => {
  const { window: page, electron } = await launch();
  await expect(new MainWindow(page).field).toBeVisible();
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  expect(await startAgain(profile)).toBe(0);
  await expect.poll(() => visiblePages(electron)).toEqual(['index.html']);
  expect(await startAgain(profile, ['--quick'])).toBe(0);
  await expect.poll(() => visiblePages(electron)).toEqual(['index.html', 'quick-chat.html']);
});

test('the quick chat has the keyboard at once, and hidden it is really gone', async ({ launch, profile }) => {
  const { electron } = await launch();
  // a window that comes up takes the keyboard
  await expect.poll(() => visiblePages(electron)).toEqual(['index.html']);
  await startAgain(profile, ['--quick']);
  const quick = await QuickChat.of(electron);
  await expect(quick.field).toBeFocused();
  await quick.page.keyboard.type('hello');
  await expect(quick.field).toHaveValue('hello');
  await quick.page.keyboard.press('Escape');
  await expect.poll(() => visiblePages(electron)).toEqual(['index.html']);
  await startAgain(profile, ['--quick']);
  await expect.poll(() => visiblePages(electron)).toEqual(['index.html', 'quick-chat.html']);
  await expect(quick.field).toBeFocused();
  expect(electron.windows()).toHaveLength(2);
});

test('the first close explains, and its answer is remembered', async ({ launch }) => {
  const first = await launch();
  await expect(new MainWindow(first.window).field).toBeVisible();
  /** The system's own dialog stands outside of every page: what it is asked is kept, and it answers as told. */
  const answer = (response: number) =>
    first.electron.evaluate(({ dialog }, button) => {
      dialog.showMessageBox = (async (...args: unknown[]) => {
        Reflect.set(globalThis, 'asked', args.at(-1));
        return { response: button, checkboxChecked: false };
      }) as typeof dialog.showMessageBox;
    }, response);
  const close = (app: typeof first) =>
    app.electron.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.close();
    });
  await answer(1);
  await close(first);
  await expect.poll(() => first.electron.evaluate(() => Reflect.get(globalThis, 'asked')?.buttons?.length)).toBe(2);
  expect(await visiblePages(first.electron)).toEqual(['index.html']);
  await answer(0);
  const firstGone = first.gone();
  await close(first);
  expect(await firstGone).toBe(0);

  const second = await launch();
  await expect(new MainWindow(second.window).field).toBeVisible();
  const secondGone = second.gone();
  await close(second);
  expect(await secondGone).toBe(0);
});
