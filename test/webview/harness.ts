/**
 * The built page in a real browser, as VS Code shows it: with its policy, default styles, theme variables, and
 * `acquireVsCodeApi` at the boundary. Every message of the page is checked as its host does.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright-core';
import type * as z from 'zod';
import { briefingMessage, type BriefingMessage } from '../../src/ui/briefing/messages.ts';
import type { BriefingSnapshot } from '../../src/ui/briefing/model.ts';
import {
  auditMessage,
  dashboardMessage,
  type AuditMessage,
  type DashboardMessage,
} from '../../src/ui/dashboard/messages.ts';
import type { AuditSnapshot } from '../../src/ui/dashboard/audit.ts';
import type { DashboardSnapshot } from '../../src/ui/dashboard/view.ts';
import { setupMessage, type SetupMessage } from '../../src/ui/setup/messages.ts';
import type { SetupSnapshot } from '../../src/ui/setup/model.ts';
import { rfcMessage, type RfcMessage } from '../../src/ui/rfc/messages.ts';
import type { RfcSnapshot } from '../../src/ui/rfc/model.ts';
import { questionMessage, type QuestionMessage } from '../../src/ui/answer/messages.ts';
import type { Snapshot } from '../../src/ui/answer/form.ts';
import { axeSource } from '../support/axe.ts';
import { findBrowser } from '../support/machine.ts';
import { document as documentOf, type Boundary } from './hostPage.ts';
import { otherLanguage } from './madeUp.ts';
import { pagesOf, type Pages } from './pages.ts';
import { twoFrames } from './settled.ts';
import { themes, type ThemeName } from './themes.ts';

const dist = path.join(import.meta.dirname, '..', '..', 'dist', 'webview');
const address = '/view';
const translatedAddress = '/view-translated';
/** Browsers request it unasked; as a page it has no content. */
const empty = '/favicon.ico';
/** The checks of accessibility, as a script that the browser keeps compiled. */
const axeScript = '/axe.js';
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** 2 stands for 200 %. */
  readonly zoom?: number;
  /** In a made-up language. */
  readonly translated?: boolean;
  /** What an earlier page kept with setState. */
  readonly state?: unknown;
}

/** A webview, and the messages between it and its host. */
export interface Surface<Message extends { type: string }, Sent extends { view: { type: string } }> {
  /** Its folder in webview/. */
  readonly name: string;
  readonly message: z.ZodType<Message>;
  /** Gives the type of its snapshots. */
  readonly sent?: Sent;
  /** The background colour: the sidebar’s or the editor’s. */
  readonly ground: 'sideBar' | 'editor';
}

export const questionSurface: Surface<QuestionMessage, Snapshot> = {
  name: 'question',
  message: questionMessage,
  ground: 'sideBar',
};

export const briefingSurface: Surface<BriefingMessage, BriefingSnapshot> = {
  name: 'memory',
  message: briefingMessage,
  ground: 'sideBar',
};

export const dashboardSurface: Surface<DashboardMessage, DashboardSnapshot> = {
  name: 'dashboard',
  message: dashboardMessage,
  ground: 'editor',
};

export const auditSurface: Surface<AuditMessage, AuditSnapshot> = {
  name: 'audit',
  message: auditMessage,
  ground: 'editor',
};

export const setupSurface: Surface<SetupMessage, SetupSnapshot> = {
  name: 'hosts',
  message: setupMessage,
  ground: 'editor',
};

export const rfcSurface: Surface<RfcMessage, RfcSnapshot> = {
  name: 'rfc',
  message: rfcMessage,
  ground: 'editor',
};

/** One open view. */
export interface Form<Message = QuestionMessage, Sent = Snapshot> {
  readonly page: Page;
  /** Sends a snapshot, and waits until the page has drawn it. */
  show(snapshot: Sent): Promise<void>;
  /** Sends a snapshot, and waits until the page has drawn it and accepts decisions. */
  send(snapshot: Sent): Promise<void>;
  /** Everything that the page has posted since it was opened, except `ready` and what it keeps. */
  posted(): Promise<Message[]>;
  /** Changes the theme of the open page, as VS Code does. */
  wear(theme: ThemeName): Promise<void>;
  /** Loads axe into the page, which the harness serves, so that the browser compiles it once for all pages. */
  loadAxe(): Promise<void>;
  /** Violations of the policy, errors on the console, and requests outside the page’s own files. */
  readonly complaints: string[];
  reload(): Promise<void>;
  /** Gives this page to no other test: it is no longer like new, even after a reload. */
  keep(): void;
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
  // Read once, so that a running build does not change what is tested.
  const files = new Map<string, Buffer>();
  for (const name of existsSync(dist) ? await readdir(dist) : []) {
    const content = await readFile(path.join(dist, name));
    files.set(`/${name.replace(/\.br$/, '')}`, name.endsWith('.br') ? brotliDecompressSync(content) : content);
  }
  files.set(axeScript, Buffer.from(axeSource));
  const list = files.get('/chunks.json');
  if (!list) throw new Error('dist/webview is not built: run the build first.');
  const chunks = (JSON.parse(list.toString()) as Record<string, string[]>)[surface.name] ?? [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    const documents: Record<string, string> = {
      [address]: documentOf(origin, surface, chunks),
      [translatedAddress]: documentOf(origin, surface, chunks, otherLanguage),
      [empty]: '',
    };
    const body = documents[pathname] ?? files.get(pathname);
    const type = types[path.extname(pathname)] ?? 'text/html';
    // The browser keeps scripts, and their compiled code with them: it opens hundreds of pages.
    const kept = files.has(pathname) ? { 'cache-control': 'max-age=3600, immutable' } : {};
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type, ...kept }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await launch();
  const pages = pagesOf(browser, `${origin}${empty}`);
  return {
    open: (options = {}) => open(surface, pages, origin, options),
    close: async () => {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function launch(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? findBrowser();
  if (executablePath === undefined) throw new Error('No Chromium found.');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  });
}

async function open<Message extends { type: string }, Sent extends { view: { type: string } }>(
  surface: Surface<Message, Sent>,
  pages: Pages,
  origin: string,
  options: OpenOptions,
): Promise<Form<Message, Sent>> {
  const { theme = 'dark', width = 340, height = 800, zoom = 1, state, translated = false } = options;
  const page = await pages.take({ theme, width, height, zoom });
  await page.evaluate(
    (kept) => {
      (globalThis as unknown as Boundary).end(kept);
    },
    state === undefined ? null : JSON.stringify(state),
  );
  const complaints = listenTo(page, origin);
  let changed = false;
  await page.goto(`${origin}${translated ? translatedAddress : address}`);
  await page.waitForFunction(() => (globalThis as unknown as Boundary).posted.length > 0);

  const show = async (value: Sent): Promise<void> => {
    await page.evaluate(
      (message) =>
        new Promise<void>((resolve) => {
          // The page registered its listener earlier, so it has drawn before this one runs.
          const heard = () => {
            resolve();
          };
          window.addEventListener('message', heard, { once: true });
          window.postMessage(message, '*');
        }),
      value,
    );
    await twoFrames(page);
    await page.locator(`main[data-view=${value.view.type}]`).waitFor({ state: 'attached' });
  };

  return {
    page,
    complaints,
    show,
    send: async (value) => {
      await show(value);
      // Waits past the moment in which clicks do not count.
      await page.waitForFunction(() => {
        const main = document.querySelector('main');
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
    loadAxe: () =>
      page.evaluate(
        (address) =>
          new Promise<void>((resolve, reject) => {
            const script = document.createElement('script');
            // As the page's own scripts: the policy allows no other.
            script.nonce = document.querySelector('script')?.nonce ?? '';
            script.addEventListener('load', () => {
              resolve();
            });
            script.addEventListener('error', () => {
              reject(new Error(`${address} was not loaded`));
            });
            script.src = address;
            document.head.append(script);
          }),
        axeScript,
      ),
    reload: async () => {
      await page.reload();
      await page.waitForFunction(() => (globalThis as unknown as Boundary).posted.length > 0);
    },
    keep: () => {
      changed = true;
    },
    close: () => pages.giveBack(page, changed),
  };
}

/** Records what the page must not do. */
function listenTo(page: Page, origin: string): string[] {
  const complaints: string[] = [];
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
  return complaints;
}

/** All requests that the page may make. */
const own = /^\/(view|view-translated|[\w-]+\.js|\w+\.css|codicon\.ttf|favicon\.ico)$/;
