import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { startFront, type FrontOptions } from './front.ts';
import type { Host } from './host.ts';
import { findBrowser } from './machine.ts';
import { start } from './processes.ts';
import type { Program, ProgramSettings, Scenario, WindowRequest } from './scenario.ts';

export interface WebServer {
  readonly origin: string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly workspaceTrust: boolean;
  /** False for people, because the test driver disables notifications. Development extensions require the driver. */
  readonly driver?: boolean;
  /** Required to open the workbench; omit it only for tests. */
  readonly token?: string;
  readonly home?: FrontOptions['home'];
  readonly secretKey?: Buffer;
}

/** VS Code's own server behind our proxy. It picks a free port, so runs cannot conflict. */
export async function startServer(
  host: Host & { kind: 'web' },
  scenario: Scenario,
  options: ServerOptions,
): Promise<WebServer> {
  const args = [
    host.serverMain,
    ...['--host', '127.0.0.1', '--port', '0'],
    ...(options.token === undefined ? ['--without-connection-token'] : ['--connection-token', options.token]),
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    // A built VS Code accepts a development extension in the URL only with this option.
    ...(options.driver === false ? [] : ['--enable-smoke-test-driver']),
    ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...['--user-data-dir', scenario.userData, '--extensions-dir', scenario.extensions],
    ...['--server-data-dir', scenario.serverData],
  ];
  const server = start(host.node, args, { env: scenario.env, cwd: scenario.folder, user: scenario.user });
  const [, port] = await server.line(/^Extension host agent listening on (\d+)/);
  const front = await startFront({
    port: Number(port),
    secretKey: options.secretKey ?? Buffer.alloc(32, 'holdpoint'),
    ...(options.home && { home: options.home }),
  });
  return {
    origin: front.origin,
    stop: async () => {
      await front.close();
      await server.stop();
    },
  };
}

/** The URL of a window. VS Code refuses an extension whose authority differs from the URL's. */
export function windowUrl(origin: string, request: Pick<WindowRequest, 'workspace'> & Partial<WindowRequest>): string {
  const remote = (file: string): string => `vscode-remote://${new URL(origin).host}${file}`;
  const payload = [
    ...(request.extension === undefined ? [] : [['extensionDevelopmentPath', remote(request.extension)]]),
    ...(request.tests === undefined ? [] : [['extensionTestsPath', remote(request.tests)]]),
  ];
  const url = new URL(origin);
  if (request.workspace === undefined) url.searchParams.set('ew', 'true');
  else url.searchParams.set(request.workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', request.workspace);
  url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

export async function startWeb(
  host: Host & { kind: 'web' },
  scenario: Scenario,
  settings: ProgramSettings,
): Promise<Program> {
  const server = await startServer(host, scenario, settings);
  const browser = await launchBrowser().catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });

  async function close(): Promise<void> {
    await browser.close();
    await server.stop();
  }

  try {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    // VS Code has each webview update its service worker first, and shows nothing if that takes long or fails. Here it is always new.
    await context.addInitScript(() => {
      if (!('ServiceWorkerRegistration' in globalThis)) return; // not in every frame
      ServiceWorkerRegistration.prototype.update = function () {
        return Promise.resolve(this);
      };
    });
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

/** The machine's Chromium, controlled by this process. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('No Chromium found.');
  return chromium.launch({
    executablePath,
    args: ['--disable-gpu', '--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    headless: !process.env['HOLDPOINT_HEADED'],
    // This process stops it: a signal is for the whole run.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** The bundled Copilot extension stays disabled until this flag says that the user was asked. */
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
