/** What a person does to add a passkey: on the page of `holdpoint serve`, and in the editor that started the server. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { localOrigin } from '../../src/app/serving/editorLink.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { listenerAt } from '../../src/vscode/settings/browserAsking.ts';
import type { EditorWindow } from './window.ts';

/** Where the editor runs in a browser, the address opens beside it, and an editor in the background shows no forms. */
export function closePopups(window: Page): void {
  window.context().on('page', (popup) => {
    void popup.close().then(() => window.bringToFront());
  });
}

/**
 * Opens the page with a one-time code, and makes a passkey there.
 * @returns the code for the editor
 */
export async function createPasskey(page: Page, at: { workspace: Workspace; port: number }, name: string) {
  const found = await listenerAt(at.workspace, 'code', at.port);
  assert.ok(typeof found === 'object' && found.code !== undefined);
  // A code of another device leads there by itself.
  await page.goto(`${localOrigin(at.port)}/passkey#${found.code}`);
  await page.getByLabel('Name of this device').fill(name);
  await page.getByRole('button', { name: 'Create the passkey' }).click();
  return page.locator('.offer-code').innerText();
}

/** Types the code of the page, and agrees. */
export async function addPasskeyOf(window: EditorWindow, code: string): Promise<void> {
  await window.run('holdpoint.keys.addPasskey');
  await window.page.locator('.quick-input-widget input.input').fill(code);
  await window.page.keyboard.press('Enter');
  await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Add passkey' }).click();
}

/** On the page that has waited for the editor: ends at the list. */
export async function signInWithPasskey(page: Page): Promise<void> {
  await page.getByText('The editor has added the passkey.').waitFor();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.locator('.browser-inbox h1').waitFor({ state: 'attached' });
}
