/** Waiting for what a page does by itself. */
import type { Page } from 'playwright-core';

/** As a human does: what was just drawn takes no decision for a moment. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('main')?.dataset['ready'] === 'true');
}

/** The components of the toolkit do in the next frame what a drawing or another theme asks of them. */
export async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
}
