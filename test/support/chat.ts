import type { EditorWindow } from './window.ts';

/** Types a request into the chat in agent mode, as a developer does. */
export async function askCopilot(window: EditorWindow, request: string): Promise<void> {
  await window.command('Chat: Open Chat (Agent)');
  const input = window.page.locator('.interactive-input-part .monaco-editor').first();
  await input.click();
  await window.page.keyboard.type(request);
  await window.page.keyboard.press('Enter');
}
