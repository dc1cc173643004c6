import type { Frame } from 'playwright-core';
import type { EditorWindow } from './window.ts';

/** The review of an RFC, once its page accepts acts. */
export async function reviewShown(window: EditorWindow): Promise<Frame> {
  return window.webview('main[data-view="rfc"][data-ready="true"]');
}

/** Waits until clicks count: the delay starts when the page renders the previous act. */
export async function settled(review: Frame): Promise<void> {
  await review.locator('main[data-ready="true"]').waitFor();
}

/** Approves as a human does, with pointer and keys through the browser. */
export async function approveAsHuman(review: Frame, conditions: readonly string[]): Promise<void> {
  await settled(review);
  await review.locator('[data-act="open-approve"]').click();
  await review.locator('#conditions').fill(conditions.join('\n'));
  await settled(review);
  await review.locator('[data-act="decide"]').click();
  await review.locator('.decided-approved').waitFor();
}
