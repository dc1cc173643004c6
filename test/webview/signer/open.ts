/** Opens a page of Holdpoint Signer with VS Code's side of it. */
import type { Browser, Page } from 'playwright-core';
import { boundary, defaultStyles } from '../hostPage.ts';
import { themes } from '../themes.ts';
import { signerPage } from './samples.ts';

export interface OpenedSigner {
  readonly page: Page;
  /** Violations of the policy, and errors on the console. */
  readonly complaints: readonly string[];
}

export async function openSigner(browser: Browser, name: string): Promise<OpenedSigner> {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.addInitScript(boundary, themes.dark);
  const ground = `html { background: var(--vscode-editor-background); } ${defaultStyles}`;
  const body = (await signerPage(name)).replace(/<style nonce="[^"]+">/, (tag) => `${tag}${ground}`);
  await page.route('http://127.0.0.1:1/signer', (route) => route.fulfill({ body, contentType: 'text/html' }));
  await page.goto('http://127.0.0.1:1/signer');
  return { page, complaints };
}
