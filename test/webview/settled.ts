/** Waits for what a page does by itself. */
import type { Page } from 'playwright-core';

/** Waits as a human does: what was just drawn accepts no decision at first. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('main')?.dataset['ready'] === 'true');
}

/** The toolkit’s components apply a new snapshot or theme in the next frame. */
export async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
}
