import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { root } from './host.ts';
import type { HostScope, Probe } from './probe.ts';

export interface EditorWindow {
  readonly page: Page;
  /** Errors on the console of the workbench and of every webview in it, oldest first. */
  readonly consoleErrors: readonly string[];
  /** Those of them that come from a webview: what was thrown, logged, or refused by its content security policy. */
  readonly webviewErrors: readonly string[];
  /** Runs self-contained code in the extension host of this window. */
  evaluate<A, R>(body: (scope: HostScope, argument: A) => R | Promise<R>, argument: A): Promise<R>;
  /** Runs a command as a user does: by its title in the command palette. */
  command(title: string): Promise<void>;
  /** The document inside the webview that shows `selector`, as soon as there is one. */
  webview(selector: string): Promise<Frame>;
  reload(): Promise<void>;
  /** Writes screenshots/<name>.png (git-ignored) and returns its path. */
  screenshot(name: string): Promise<string>;
  close(): Promise<void>;
}

/** Documents of webviews and the scripts in them, in the browser and on the desktop. */
const webviewUrl = /\/contrib\/webview\/browser\/pre\/|vscode-resource|^vscode-webview:/m;

/** @param hasDriver false for the windows of people, which have no driver of tests */
export async function openWindow(
  page: Page,
  connect: (() => Promise<Probe>) | undefined,
  hasDriver = true,
): Promise<EditorWindow> {
  const restored = hasDriver ? restoredByDriver : statusBarShown;
  const consoleErrors: string[] = [];
  const webviewErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    consoleErrors.push(`${message.text()} (${url})`);
    if (webviewUrl.test(url)) webviewErrors.push(message.text());
  });
  page.on('pageerror', (error) => {
    consoleErrors.push(String(error));
    if (webviewUrl.test(error.stack ?? '')) webviewErrors.push(String(error));
  });
  await restored(page);
  let probe = await connect?.();

  return {
    page,
    consoleErrors,
    webviewErrors,
    evaluate: (body, argument) => {
      if (!probe) throw new Error('This editor was opened without a probe.');
      return probe.evaluate(body, argument);
    },
    command: (title) => runCommand(page, title),
    webview: (selector) => webviewWith(page, selector),
    reload: async () => {
      const gone = probe?.gone;
      await page.reload();
      await gone;
      await restored(page);
      probe = await connect?.();
    },
    screenshot: async (name) => {
      const folder = path.join(root, 'screenshots');
      await mkdir(folder, { recursive: true });
      const file = path.join(folder, `${name}.png`);
      await page.screenshot({ path: file });
      return file;
    },
    close: async () => {
      await page.close();
      await probe?.gone;
    },
  };
}

/**
 * The palette lists what is known when it opens, and closes when something else takes the focus; while VS Code starts,
 * extensions become known and editors open. So it is opened again until it has the command and keeps still.
 */
async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input.input');
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
  // Where several windows are open, those behind the first are hardly ever drawn.
  await page.bringToFront();
  for (let attempt = 1; ; attempt++) {
    try {
      await page.keyboard.press('F1');
      await input.fill(`>${title}`, { timeout: 2_000 });
      await row.click({ timeout: 2_000 });
      break;
    } catch (error) {
      if (attempt === 10) throw new Error(`The command palette does not run "${title}".`, { cause: error });
      await page.keyboard.press('Escape');
      await input.waitFor({ state: 'hidden' });
    }
  }
  // The command may ask something itself, in the same place.
  await page
    .locator('.quick-input-widget input[aria-label="Type the name of a command to run."]')
    .waitFor({ state: 'hidden' });
}

/** VS Code says itself when its parts are where they were. */
async function restoredByDriver(page: Page): Promise<void> {
  await page.waitForFunction(() => 'driver' in globalThis, undefined, { timeout: 60_000 });
  await page.evaluate(() =>
    (globalThis as unknown as { driver: { whenWorkbenchRestored(): Promise<void> } }).driver.whenWorkbenchRestored(),
  );
}

async function statusBarShown(page: Page): Promise<void> {
  await page.locator('.part.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
}

/**
 * A webview is a frame in a frame, and VS Code discards and recreates the inner one as views come and go. So
 * every frame that is there or still appears may be the one.
 */
function webviewWith(page: Page, selector: string, timeout = 30_000): Promise<Frame> {
  return new Promise((resolve, reject) => {
    const done = new AbortController();
    const late = setTimeout(() => {
      finish();
      reject(new Error(`No webview shows ${selector}`));
    }, timeout);
    const finish = (): void => {
      clearTimeout(late);
      page.off('framenavigated', look);
      done.abort();
    };
    const look = (frame: Frame): void => {
      if (frame.parentFrame() === null) return;
      frame.waitForSelector(selector, { timeout }).then(
        () => {
          if (done.signal.aborted) return;
          finish();
          resolve(frame);
        },
        // The frame went away, or it was another view: a later one tells.
        () => undefined,
      );
    };
    page.on('framenavigated', look);
    for (const frame of page.frames()) look(frame);
  });
}
