/** Notifications of the editor, in its notification centre: hosts for tests show no toasts. */
import type { Locator } from 'playwright-core';
import { until } from './until.ts';
import type { EditorWindow } from './window.ts';

/** Opens the centre until it has this notification: it closes by itself while it has nothing to show. */
export async function notificationShown(window: EditorWindow, text: string | RegExp): Promise<Locator> {
  const notices = window.page.locator('.notifications-center .notification-list-item', { hasText: text });
  await until(`a notification with ${String(text)}`, async () => {
    await window.evaluate(async ({ vscode }) => {
      await vscode.commands.executeCommand('notifications.showList');
    }, undefined);
    return notices.first().isVisible();
  });
  return notices;
}
