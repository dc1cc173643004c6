import path from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext } from 'playwright-core';
import type { Host } from './host.ts';
import { findBrowser } from './machine.ts';
import { start } from './processes.ts';
import type { Program, ProgramSettings, Scenario, WindowRequest } from './scenario.ts';

export interface WebServer {
  readonly origin: string;
  stop(): Promise<void>;
}

/** VS Code's own server. It prints the port it took, so two runs cannot fight over one. */
export async function startServer(
  host: Host & { kind: 'web' },
  scenario: Scenario,
  settings: Pick<ProgramSettings, 'workspaceTrust'>,
): Promise<WebServer> {
  const args = [
    host.serverMain,
    ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token'],
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    // A built VS Code takes an extension under development from the address only with this.
    '--enable-smoke-test-driver',
    ...(settings.workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...['--user-data-dir', scenario.userData, '--extensions-dir', scenario.extensions],
    ...['--server-data-dir', path.join(scenario.folder, 'server-data')],
  ];
  const server = start(host.node, args, { env: scenario.env, cwd: scenario.folder });
  const [, port] = await server.line(/^Extension host agent listening on (\d+)/);
  return { origin: `http://127.0.0.1:${port ?? ''}`, stop: () => server.stop() };
}

/** The address of a window. The authority of the extension must be the one of the address, or VS Code refuses it. */
export function windowUrl(origin: string, request: WindowRequest): string {
  const remote = (file: string): string => `vscode-remote://${new URL(origin).host}${file}`;
  const payload = [
    ['extensionDevelopmentPath', remote(request.extension)],
    ...(request.tests === undefined ? [] : [['extensionTestsPath', remote(request.tests)]]),
    ['skipWelcome', 'true'],
  ];
  const url = new URL(origin);
  if (request.workspace === undefined) url.searchParams.set('ew', 'true');
  else url.searchParams.set('folder', request.workspace);
  url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

export async function startWeb(
  host: Host & { kind: 'web' },
  scenario: Scenario,
  settings: ProgramSettings,
): Promise<Program> {
  const server = await startServer(host, scenario, settings);
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('No Chromium found.');
  const browser = await chromium
    .launch({
      executablePath,
      args: ['--disable-gpu', '--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
      headless: !process.env['HOLDPOINT_HEADED'],
      // The driver of this run stops it: a signal is for the run, not for its parts.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
    .catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });

  async function close(): Promise<void> {
    await browser.close();
    await server.stop();
  }

  try {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    // The key with which the browser encrypts secrets: without an answer it is a new one for every page.
    const key = Buffer.alloc(32, 'holdpoint');
    await context.route('**/mint-key', (route) =>
      route.fulfill({ body: key, contentType: 'application/octet-stream' }),
    );
    if (settings.copilot) await enableCopilot(context, server.origin);
    return {
      pageFor: async (request) => {
        const page = await context.newPage();
        await page.goto(windowUrl(server.origin, request));
        return page;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The bundled Copilot extension stays off until this mark says that its user was asked. */
export async function enableCopilot(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/version`);
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('vscode-web-state-db-global');
        const fail = (): void => {
          reject(opening.error ?? new Error('no state database'));
        };
        opening.onerror = fail;
        opening.onupgradeneeded = () => {
          opening.result.createObjectStore('ItemTable');
        };
        opening.onsuccess = () => {
          const change = opening.result.transaction('ItemTable', 'readwrite');
          change.objectStore('ItemTable').put('true', 'builtinChatExtensionEnablementMigration');
          change.onerror = fail;
          change.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
  );
  await page.close();
}
