/** A real browser on the server's pages, as on a phone or a desk, with a passkey device if wanted. */
import assert from 'node:assert/strict';
import type axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { axeSource } from '../support/axe.ts';
import { findBrowser } from '../support/machine.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { startServe, type Served } from './program.ts';

export const sizes = {
  phone: { width: 390, height: 844 },
  tablet: { width: 900, height: 800 },
  desk: { width: 1440, height: 900 },
} as const;

export function launch(more: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? findBrowser();
  if (executablePath === undefined) throw new Error('No Chromium found.');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...more],
  });
}

export interface Visit {
  readonly page: Page;
  /** Violations of the policy, errors, and requests to other places. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** A browser of its own, without cookies. */
export async function visit(browser: Browser, served: Served, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: sizes.phone, locale: 'en-US', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Failed requests of an interrupted connection are part of some tests.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${served.origin}/`) && !request.url().startsWith('data:'))
      complaints.push(`request: ${request.url()}`);
  });
  return { page, complaints, close: () => context.close() };
}

/** The same, with a session that the code opened. */
export async function signedIn(browser: Browser, served: Served, options?: BrowserContextOptions): Promise<Visit> {
  const opened = await visit(browser, served, options);
  await opened.page.goto(`${served.origin}/#${served.code}`);
  await opened.page.locator('.browser-inbox h1').waitFor({ state: 'attached' });
  return opened;
}

/**
 * Starts the built server and a browser for all tests of a suite, and ends both after them. No test may leave a complaint
 * on the page.
 * @param arrive opens that page
 */
export function withBrowser(arrive: (browser: Browser, served: Served) => Promise<Visit>): void {
  const ends: (() => Promise<void>)[] = [];
  let here: Visit | undefined;
  before(async () => {
    const [browser, served] = await Promise.all([launch(), startServe()]);
    ends.push(() => browser.close(), served.stop);
    here = await arrive(browser, served);
  });
  after(async () => {
    for (const end of ends) await end();
    removeSandboxes();
  });
  afterEach(() => {
    assert.deepEqual(here?.complaints, []);
  });
}

/** What axe finds wrong, as `rule: element`. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations: found } = await inPage.run();
    return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`));
  });
}

/** Attributes that run a script, or lead to another kind of address. */
export function liveAttributes(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) =>
      [...element.attributes].flatMap(({ name, value }) =>
        name.startsWith('on') || (/^(href|src|action|srcdoc)$/.test(name) && !/^(\/|data:,|https?:\/\/|#)/.test(value))
          ? [`${element.tagName} ${name}=${value}`]
          : [],
      ),
    ),
  );
}

/** How many pixels the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

export interface Device {
  /** Whether its human gives a fingerprint or PIN from now on. */
  verifies(does: boolean): Promise<void>;
}

/** A device with passkeys, as a phone has one. */
export async function addDevice(page: Page): Promise<Device> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifies: async (isUserVerified) => {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}
