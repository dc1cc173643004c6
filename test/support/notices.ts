/** Notifications of the editor, in its notification centre: hosts for tests show no toasts. */
import type { Locator } from 'playwright-core';
import { atMostMs } from './until.ts';
import type { EditorWindow } from './window.ts';

/** Opens the centre until it has this notification: it closes by itself while it has nothing to show. */
export async function notificationShown(window: EditorWindow, text: string | RegExp): Promise<Locator> {
  const notices = window.page.locator('.notifications-center .notification-list-item', { hasText: text });
  const end = Date.now() + atMostMs;
  for (;;) {
    await window.evaluate(async ({ vscode }) => {
      await vscode.commands.executeCommand('notifications.showList');
    }, undefined);
    try {
      await notices.first().waitFor({ timeout: 3_000 });
      return notices;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
