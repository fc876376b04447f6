import type { Locator } from '@playwright/test';
import { importConversation, withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { expect, test } from '../fixtures/test';

/** Whether all of it, or as much as its scroller has room for, is to be seen. */
async function expectInView(part: Locator, scroller: Locator): Promise<void> {
  await expect(async () => {
    const [box, view] = [await part.boundingBox(), await scroller.boundingBox()];
    if (!box || !view) throw new Error('not on the page');
    expect(box.y).toBeGreaterThanOrEqual(view.y);
    expect(Math.min(box.height, view.height)).toBeLessThanOrEqual(view.y + view.height - box.y + 1);
  }).toPass();
}

test('a summary is shown whole, its sources are there when one arrives, and a sent message leads to the end', async ({
  launch,
  serve,
  stored,
}) => {
  const server = await serve({ window: 16_384 });
  const app = await launch();
  const main = await withServer(app, server);
  const { page } = main;
  const source = conversation(90, 500);
  await importConversation(app, main, stored, source);
  await main.compressNow('Extract, without a model');
  await expect(main.card.title).toHaveText('Compressed');
  await main.meter.click();

  await main.card.region.getByRole('button', { name: 'Show summary' }).click();
  const fold = page.getByRole('region', { name: /^Summary of messages 1 to / });
  await expectInView(fold, main.transcript);
  await expect(main.transcript.locator('.is-found')).toHaveCount(0);

  // every frame from the click on shows words: the old place's or the new one's
  await page.evaluate(() => {
    const blank: number[] = [];
    Reflect.set(globalThis, 'blank', blank);
    const look = () => {
      const view = document.querySelector('.scroll')?.getBoundingClientRect();
      const words = [...document.querySelectorAll('.scroll .prose, .scroll .user, .scroll .fold')];
      const seen = words.some((each) => {
        const box = each.getBoundingClientRect();
        return view && box.bottom > view.top && box.top < view.bottom;
      });
      if (!seen) blank.push(performance.now());
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await fold.getByRole('button', { name: 'Message 1', exact: true }).first().click();
  await expect(main.message(1)).toContainText(source.texts[0] ?? '');
  await expectInView(main.message(1), main.transcript);
  const sticky = page.getByRole('button', { name: 'Covered by a summary. Go to it.' });
  const [line, first] = [await sticky.boundingBox(), await main.message(1).locator('.user').boundingBox()];
  expect(line?.x).toBe(first?.x);
  expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(first?.y ?? 0);
  await page.getByRole('button', { name: 'Back to summary' }).click();
  await expectInView(fold, main.transcript);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'blank'))).toEqual([]);

  // a way that was gone is not gone again: who comes back from another page is at the end
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Back to chats' }).click();
  await expectInView(main.message(source.texts.length), main.transcript);
  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, -2_000);
  await expect(page.getByRole('button', { name: /^Go to the end/ })).toBeVisible();
  await main.send('Which step takes longest?\nAnd which one is short?\nThree lines.');
  await expect(main.message(source.texts.length + 2)).toContainText('Three lines.');
  await expectInView(main.message(source.texts.length + 2), main.transcript);
  await expect(main.card.region).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Go to the end/ })).toHaveCount(0);
});
