/**
 * The built page in a real browser, as VS Code would show it: its policy, its default styles, its theme variables, and
 * `acquireVsCodeApi` at the boundary. Everything sent and received is checked against the protocol.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import type * as z from 'zod';
import { auditMessage, auditSnapshot } from '../../src/protocol/audit/audit.ts';
import { dashboardMessage, dashboardSnapshot } from '../../src/protocol/dashboard/dashboard.ts';
import { questionMessage, snapshot as snapshotSchema } from '../../src/protocol/question/question.ts';
import type { QuestionMessage, Snapshot } from '../../src/protocol/question/question.ts';
import { briefingMessage, briefingSnapshot } from '../../src/protocol/memory/briefing.ts';
import { setupMessage, setupSnapshot } from '../../src/protocol/hosts/setup.ts';
import { rfcMessage, rfcSnapshot } from '../../src/protocol/rfc/rfc.ts';
import { findBrowser } from '../support/machine.ts';
import { twoFrames } from './settled.ts';
import { themes } from './themes.ts';
import type { ThemeFixture, ThemeName } from './themes.ts';

const dist = path.join(import.meta.dirname, '..', '..', 'dist', 'webview');
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** 2 for 200 %. */
  readonly zoom?: number;
  /** What an earlier page has kept with setState. */
  readonly state?: unknown;
}

/** A webview, and what is said between it and its host. */
export interface Surface<Message extends { type: string }, Sent extends { view: { type: string } }> {
  /** Its folder in webview/. */
  readonly name: string;
  readonly message: z.ZodType<Message>;
  readonly snapshot: z.ZodType<Sent>;
  /** What lies under it: the sidebar's ground or the editor's. */
  readonly ground: 'sideBar' | 'editor';
}

export const questionSurface: Surface<QuestionMessage, Snapshot> = {
  name: 'question',
  message: questionMessage,
  snapshot: snapshotSchema,
  ground: 'sideBar',
};

export const briefingSurface: Surface<z.infer<typeof briefingMessage>, z.infer<typeof briefingSnapshot>> = {
  name: 'memory',
  message: briefingMessage,
  snapshot: briefingSnapshot,
  ground: 'sideBar',
};

export const dashboardSurface: Surface<z.infer<typeof dashboardMessage>, z.infer<typeof dashboardSnapshot>> = {
  name: 'dashboard',
  message: dashboardMessage,
  snapshot: dashboardSnapshot,
  ground: 'editor',
};

export const auditSurface: Surface<z.infer<typeof auditMessage>, z.infer<typeof auditSnapshot>> = {
  name: 'audit',
  message: auditMessage,
  snapshot: auditSnapshot,
  ground: 'editor',
};

export const setupSurface: Surface<z.infer<typeof setupMessage>, z.infer<typeof setupSnapshot>> = {
  name: 'hosts',
  message: setupMessage,
  snapshot: setupSnapshot,
  ground: 'editor',
};

export const rfcSurface: Surface<z.infer<typeof rfcMessage>, z.infer<typeof rfcSnapshot>> = {
  name: 'rfc',
  message: rfcMessage,
  snapshot: rfcSnapshot,
  ground: 'editor',
};

/** One open view. */
export interface Form<Message = QuestionMessage, Sent = Snapshot> {
  readonly page: Page;
  /** Sends a snapshot, and waits until it is drawn. */
  show(snapshot: Sent): Promise<void>;
  /** Sends a snapshot, and waits until it is drawn and would take a decision. */
  send(snapshot: Sent): Promise<void>;
  /** Everything the page has posted since it was opened, but `ready` and what it keeps. */
  posted(): Promise<Message[]>;
  /** Changes the theme of the open page, as VS Code does. */
  wear(theme: ThemeName): Promise<void>;
  /** What the policy stopped, errors on the console, and addresses outside the page's own files. */
  readonly complaints: string[];
  reload(): Promise<void>;
  close(): Promise<void>;
}

export interface Harness<Message = QuestionMessage, Sent = Snapshot> {
  open(options?: OpenOptions): Promise<Form<Message, Sent>>;
  close(): Promise<void>;
}

export function startHarness(): Promise<Harness> {
  return startSurface(questionSurface);
}

export async function startSurface<Message extends { type: string }, Sent extends { view: { type: string } }>(
  surface: Surface<Message, Sent>,
): Promise<Harness<Message, Sent>> {
  // Read once: a build that goes on meanwhile does not change what is tested.
  const files = new Map<string, Buffer>();
  for (const name of existsSync(dist) ? await readdir(dist) : []) {
    files.set(`/${name}`, await readFile(path.join(dist, name)));
  }
  const list = files.get('/chunks.json');
  if (!list) throw new Error('dist/webview is not built: run the build first.');
  const chunks = (JSON.parse(list.toString()) as Record<string, string[]>)[surface.name] ?? [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    const body =
      pathname === '/view' ? document(origin, surface, chunks) : pathname === '/favicon.ico' ? '' : files.get(pathname);
    const type = types[path.extname(pathname)] ?? 'text/html';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await launch();
  return {
    open: (options = {}) => open(surface, browser, origin, options),
    close: async () => {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function launch(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? findBrowser();
  if (executablePath === undefined) throw new Error('No Chromium found.');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  });
}

/** The page, with the policy of the real one. */
function document(
  origin: string,
  { name, ground }: Pick<Surface<never, never>, 'name' | 'ground'>,
  chunks: readonly string[],
): string {
  const nonce = randomBytes(16).toString('base64url');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${origin} 'nonce-${nonce}'`,
    `font-src ${origin}`,
    `img-src ${origin} data:`,
  ].join('; ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta property="csp-nonce" content="${nonce}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${name}</title>
    <style nonce="${nonce}">html { background: var(--vscode-${ground}-background); } ${defaultStyles}</style>
    <link rel="stylesheet" href="/${name}.css" />
    ${chunks.map((chunk) => `<link rel="modulepreload" nonce="${nonce}" href="/${chunk}" />`).join('\n    ')}
    <script type="module" nonce="${nonce}" src="/${name}.js"></script>
  </head>
  <body></body>
</html>`;
}

/** What VS Code puts under every webview, as far as it shows here. */
const defaultStyles = `
@layer vscode-default {
  body {
    overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
    font-family: var(--vscode-font-family); font-weight: var(--vscode-font-weight);
    font-size: var(--vscode-font-size); margin: 0; padding: 0 20px;
  }
  a, a code { color: var(--vscode-textLink-foreground); }
  p > a { text-decoration: var(--text-link-decoration); }
  a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code {
    font-family: var(--monaco-monospace-font); color: var(--vscode-textPreformat-foreground);
    background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px;
  }
  pre code { padding: 0; }
  blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
  kbd { border-style: solid; border-width: 1px; box-shadow: inset 0 -1px 0 var(--vscode-widget-shadow); }
}`;

async function open<Message extends { type: string }, Sent extends { view: { type: string } }>(
  surface: Surface<Message, Sent>,
  browser: Browser,
  origin: string,
  options: OpenOptions,
): Promise<Form<Message, Sent>> {
  const { theme = 'dark', width = 340, height = 800, zoom = 1, state } = options;
  // Zoom makes the same window fewer, larger pixels: what VS Code's zoom does.
  const context = await browser.newContext({
    viewport: { width: Math.round(width / zoom), height: Math.round(height / zoom) },
    deviceScaleFactor: zoom,
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  const complaints: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() !== 'log') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${String(error)}`));
  page.on('request', (request) => {
    const { origin: from, pathname } = new URL(request.url());
    if (from !== origin || !own.test(pathname)) complaints.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(boundary, { theme: themes[theme], state });
  await page.goto(`${origin}/view`);
  await page.waitForFunction(() => (globalThis as unknown as Boundary).posted.length > 0);

  const show = async (value: Sent): Promise<void> => {
    const checked = surface.snapshot.parse(value);
    await page.evaluate(
      (message) =>
        new Promise<void>((resolve) => {
          // The page listens longer: it has heard, and drawn, before this does.
          const heard = () => {
            resolve();
          };
          window.addEventListener('message', heard, { once: true });
          window.postMessage(message, '*');
        }),
      checked,
    );
    await twoFrames(page);
    await page.locator(`main[data-view=${checked.view.type}]`).waitFor({ state: 'attached' });
  };

  return {
    page,
    complaints,
    show,
    send: async (value) => {
      await show(value);
      // Past the moment in which a click does not count.
      await page.waitForFunction(() => {
        const main = globalThis.document.querySelector('main');
        return main?.dataset['ready'] === 'true' || main?.querySelector('[aria-busy=true]') !== null;
      });
    },
    posted: async () => {
      const all = await page.evaluate(() => (globalThis as unknown as Boundary).posted);
      return all
        .map((message) => surface.message.parse(message))
        .filter(({ type }) => type !== 'ready' && type !== 'keep');
    },
    wear: async (name) => {
      await page.evaluate((theme) => {
        (globalThis as unknown as Boundary).wear(theme);
      }, themes[name]);
      await twoFrames(page);
    },
    reload: async () => {
      await page.reload();
      await page.waitForFunction(() => (globalThis as unknown as Boundary).posted.length > 0);
    },
    close: () => context.close(),
  };
}

/** All that the page may ever ask for. */
const own = /^\/(view|[\w-]+\.js|\w+\.css|codicon\.ttf|favicon\.ico)$/;

interface Boundary {
  posted: unknown[];
  wear(theme: ThemeFixture): void;
}

/** Runs in the page, before anything else: VS Code's side of it. */
function boundary(given: { theme: ThemeFixture; state: unknown }): void {
  const posted: unknown[] = [];
  Object.assign(globalThis, {
    posted,
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => posted.push(structuredClone(message)),
      setState: (state: unknown) => {
        sessionStorage.setItem('state', JSON.stringify(state));
      },
      getState: () => {
        const kept = sessionStorage.getItem('state');
        return kept === null ? given.state : (JSON.parse(kept) as unknown);
      },
    }),
  });
  globalThis.document.addEventListener('securitypolicyviolation', (event) => {
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
  const wear = ({ kind, variables }: ThemeFixture): void => {
    const { body, documentElement } = globalThis.document;
    documentElement.removeAttribute('style');
    for (const [name, value] of Object.entries(variables)) documentElement.style.setProperty(name, value);
    body.dataset['vscodeThemeKind'] = kind;
    body.className = kind;
  };
  Object.assign(globalThis, { wear });
  new MutationObserver((_, observer) => {
    if ((globalThis.document.body as HTMLElement | null) === null) return;
    observer.disconnect();
    wear(given.theme);
  }).observe(globalThis.document, { childList: true, subtree: true });
}
