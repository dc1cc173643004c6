import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Page, PageScreenshotOptions } from 'playwright-core';
import { root } from './host.ts';
import type { HostScope, Probe } from './probe.ts';
import { atMostMs } from './until.ts';

export interface EditorWindow {
  readonly page: Page;
  /** Errors on the console of the workbench and of every webview in it, oldest first. */
  readonly consoleErrors: readonly string[];
  /** Those from webviews: exceptions, logged errors, and violations of the content security policy. */
  readonly webviewErrors: readonly string[];
  /** Runs self-contained code in the extension host of this window. */
  evaluate<A, R>(body: (scope: HostScope, argument: A) => R | Promise<R>, argument: A): Promise<R>;
  /** Runs a command as a user does, by its title in the command palette. */
  command(title: string): Promise<void>;
  /** Runs a command that the palette does not list, by its id. */
  run(id: string): Promise<void>;
  /** Takes an item of the menu above the list, by the names on the way to it. */
  menu(...names: string[]): Promise<void>;
  /** Runs a command whose list of choices appears at once, and takes one of them. */
  choose(title: string, choice: string): Promise<void>;
  /** The document of the webview that contains `selector`, once it exists. */
  webview(selector: string): Promise<Frame>;
  reload(): Promise<void>;
  /** Writes screenshots/<name>.png (git-ignored), of the whole window or a part of it, and returns its path. */
  screenshot(name: string, clip?: PageScreenshotOptions['clip']): Promise<string>;
  close(): Promise<void>;
}

/** URLs of webviews and their scripts, in the browser and on the desktop. */
const webviewUrl = /\/contrib\/webview\/browser\/pre\/|vscode-resource|^vscode-webview:/m;

/** @param hasDriver false for people's windows, which have no test driver */
export async function openWindow(
  page: Page,
  connect: (() => Promise<Probe>) | undefined,
  hasDriver = true,
): Promise<EditorWindow> {
  page.setDefaultTimeout(atMostMs);
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
    run: async (id) => {
      await probe?.evaluate(({ vscode }, command) => void vscode.commands.executeCommand(command), id);
    },
    menu: (...names) => takeFromMenu(page, names),
    choose: (title, choice) => chooseFrom(page, title, choice),
    webview: (selector) => webviewWith(page, selector),
    reload: async () => {
      const gone = probe?.gone;
      await page.reload();
      await gone;
      await restored(page);
      probe = await connect?.();
    },
    screenshot: async (name, clip) => {
      const folder = path.join(root, 'screenshots');
      await mkdir(folder, { recursive: true });
      const file = path.join(folder, `${name}.png`);
      await page.screenshot(clip === undefined ? { path: file } : { path: file, clip });
      return file;
    },
    close: async () => {
      await page.close();
      await probe?.gone;
    },
  };
}

/**
 * The palette lists the commands known when it opens, and closes when it loses focus. While VS Code starts, extensions
 * register and editors open, so we reopen the palette until it has the command and is stable.
 */
async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input.input');
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
  // Of several open windows, those in the background are rarely drawn.
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
  // The command may open its own quick pick in the same place.
  await page
    .locator('.quick-input-widget input[aria-label="Type the name of a command to run."]')
    .waitFor({ state: 'hidden' });
}

/**
 * The menu closes when the list behind it is drawn again, so it is opened until an item was taken. A new menu ignores
 * clicks briefly.
 */
async function takeFromMenu(page: Page, names: readonly string[]): Promise<void> {
  const head = page.locator('.pane-header', { hasText: 'Waiting for you' });
  for (let attempt = 1; ; attempt++) {
    await runCommand(page, 'Holdpoint: Show Waiting Items');
    try {
      await head.hover({ timeout: 5_000 });
      await head.getByRole('button', { name: 'More Actions' }).click({ timeout: 5_000 });
      for (const name of names) {
        const item = page.locator('.monaco-menu').getByRole('menuitem', { name }).first();
        await item.hover({ timeout: 5_000 });
        await page.waitForTimeout(400);
        await item.click({ timeout: 5_000 });
      }
      await page.locator('.monaco-menu').first().waitFor({ state: 'hidden', timeout: 2_000 });
      return;
    } catch (error) {
      if (attempt === 5) throw new Error(`The menu does not have "${names.join('" > "')}".`, { cause: error });
      await page.keyboard.press('Escape');
    }
  }
}

/** A list closes, too, when it loses focus to something that opens late. */
async function chooseFrom(page: Page, title: string, choice: string): Promise<void> {
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: choice });
  for (let attempt = 1; ; attempt++) {
    await runCommand(page, title);
    try {
      await row.click({ timeout: 10_000 });
      return;
    } catch (error) {
      if (attempt === 4) throw new Error(`"${title}" does not offer "${choice}".`, { cause: error });
      await page.keyboard.press('Escape');
    }
  }
}

/** VS Code's driver reports when the layout is restored. */
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
 * A webview is a frame in a frame, and VS Code discards and recreates the inner one as views open and close. So
 * any existing or future frame may be the right one.
 */
function webviewWith(page: Page, selector: string): Promise<Frame> {
  return new Promise((resolve, reject) => {
    const done = new AbortController();
    const late = setTimeout(() => {
      finish();
      void shownIn(page).then((shown) => {
        reject(new Error(`No webview shows ${selector}, but:\n${shown}`));
      });
    }, atMostMs);
    const revive = setTimeout(() => {
      void reviveViews(page);
    }, atMostMs / 3);
    const finish = (): void => {
      clearTimeout(late);
      clearTimeout(revive);
      page.off('framenavigated', look);
      done.abort();
    };
    const look = (frame: Frame): void => {
      if (frame.parentFrame() === null) return;
      frame.waitForSelector(selector, { timeout: atMostMs }).then(
        () => {
          if (done.signal.aborted) return;
          finish();
          resolve(frame);
        },
        // The frame disappeared or belongs to another view: a later one may match.
        () => undefined,
      );
    };
    page.on('framenavigated', look);
    for (const frame of page.frames()) look(frame);
  });
}

/**
 * On a busy machine, the worker of one of VS Code's frames sometimes never starts, and its view stays empty. VS Code makes
 * new frames when the side bar is opened again. Says so, because this is no part of what a test describes.
 */
async function reviveViews(page: Page): Promise<void> {
  try {
    if (!(await hasStuckFrame(page))) return;
    console.warn('A frame of VS Code waits for its worker: closing and opening the side bar.');
    for (let times = 0; times < 2; times++) await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  } catch (error) {
    console.warn(`The side bar was not opened again: ${String(error)}`);
  }
}

/** Whether a frame has had its content for a while and still waits for its worker. */
async function hasStuckFrame(page: Page): Promise<boolean> {
  const frames = page.frames().filter((frame) => webviewUrl.test(frame.url()));
  const stuck = await Promise.allSettled(
    frames.map((frame) =>
      frame.evaluate(() => {
        const marks = performance.getEntriesByType('mark');
        const of = (name: string) => marks.filter((mark) => mark.name.endsWith(name));
        const since = of('started').at(-1)?.startTime ?? Infinity;
        return of('started').length > of('workerReady').length && performance.now() - since > 10_000;
      }),
    ),
  );
  return stuck.some((one) => one.status === 'fulfilled' && one.value);
}

/** What the webviews of a window show, and the state of the worker that each needs, for error messages. */
async function shownIn(page: Page): Promise<string> {
  const look = async (frame: Frame): Promise<string> => {
    const found = await frame.evaluate(async () => {
      const { controller } = navigator.serviceWorker;
      const registration = await navigator.serviceWorker.getRegistration();
      return {
        view: document.querySelector('main')?.dataset['view'],
        text: document.body.innerText.slice(0, 100),
        size: [innerWidth, innerHeight],
        controller: controller?.state,
        installing: registration?.installing?.state,
        waiting: registration?.waiting?.state,
        // How far VS Code's own page has got: it waits for its worker before it makes the frame with our page.
        passed: performance
          .getEntriesByType('mark')
          .map(({ name, startTime }) => `${name.split('/').at(-1) ?? name} ${startTime.toFixed(0)}`),
        now: performance.now().toFixed(0),
      };
    });
    return `${new URL(frame.url()).pathname.split('/').at(-1) ?? ''} ${JSON.stringify(found)}`;
  };
  const frames = page.frames().filter((frame) => webviewUrl.test(frame.url()));
  const looked = await Promise.allSettled(frames.map(look));
  return looked.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))).join('\n');
}
