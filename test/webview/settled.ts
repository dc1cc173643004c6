/** Waiting as a human does: what was just drawn takes no decision for a moment. */
import type { Page } from 'playwright-core';

export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('main')?.dataset['ready'] === 'true');
}
