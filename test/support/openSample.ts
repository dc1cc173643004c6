import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { root, type Host } from './host.ts';
import { installVsix } from './installVsix.ts';
import { start } from './processes.ts';
import { copyFolder, newScenario, type Scenario } from './scenario.ts';
import { packInto } from './vsix.ts';
import { startServer, windowUrl } from './web.ts';

export interface OpenedSample {
  /** The copy in which agents and the developer work. */
  readonly workspace: string;
  /** The environment for the sample's programs. */
  readonly env: NodeJS.ProcessEnv;
  /** Settles when the developer closes VS Code; never in a browser. */
  readonly closed: Promise<unknown>;
  /** Stops VS Code and removes its temporary files. */
  stop(): Promise<void>;
}

/**
 * VS Code with this checkout's extension, for a developer, on a new copy of sample/. The extension is packed and
 * installed: a browser loads one under development only with the test driver, which disables notifications.
 */
export async function openSample(host: Host, say: (line: string) => void): Promise<OpenedSample> {
  const workspace = await copyFolder(path.join(root, 'sample'));
  const scenario = await newScenario({
    settings: { 'workbench.startupEditor': 'readme', 'workbench.secondarySideBar.defaultVisibility': 'hidden' },
  });
  const remove = async (): Promise<void> => {
    await workspace.remove();
    await scenario.remove();
  };
  try {
    await installVsix(host, scenario, await packInto(scenario.folder));
    const opened = await (host.kind === 'desktop'
      ? openOnDesktop(host, workspace.folder, scenario, say)
      : openInBrowser(host, workspace.folder, scenario, say));
    return {
      workspace: workspace.folder,
      env: scenario.env,
      closed: opened.closed,
      stop: async () => {
        await opened.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

type Opened = Pick<OpenedSample, 'closed' | 'stop'>;

async function openOnDesktop(
  host: Host & { kind: 'desktop' },
  workspace: string,
  scenario: Scenario,
  say: (line: string) => void,
): Promise<Opened> {
  const program = start(
    host.executable,
    [
      ...(process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...['--disable-updates', '--skip-release-notes', '--disable-workspace-trust'],
      `--user-data-dir=${scenario.userData}`,
      `--extensions-dir=${scenario.extensions}`,
      workspace,
    ],
    { env: scenario.env },
  );
  say(`VS Code opens: ${host.executable}`);
  return Promise.resolve({ closed: program.exited, stop: () => program.stop() });
}

async function openInBrowser(
  host: Host & { kind: 'web' },
  workspace: string,
  scenario: Scenario,
  say: (line: string) => void,
): Promise<Opened> {
  // The workbench can run programs, so on a shared machine the port alone must not give access.
  const token = randomBytes(24).toString('hex');
  const server = await startServer(host, scenario, {
    workspaceTrust: false,
    driver: false,
    token,
    secretKey: randomBytes(32),
    home: (origin, query) => {
      const url = new URL(windowUrl(origin, { workspace }));
      url.searchParams.set('tkn', query.get('tkn') ?? '');
      return url.pathname + url.search;
    },
  });
  say(`VS Code is open at:\n\n  ${server.origin}/?tkn=${token}\n`);
  return { closed: new Promise(() => undefined), stop: () => server.stop() };
}
