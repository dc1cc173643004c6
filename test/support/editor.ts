import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startDesktop } from './desktop.ts';
import { findHost, root, type Host } from './host.ts';
import { emptyExtension, installVsix } from './installVsix.ts';
import { probeSource, startProbeServer, type Probe, type ProbeServer } from './probe.ts';
import { newScenario, type Program, type ScenarioOptions } from './scenario.ts';
import { hostFor, type SystemUser } from './secondUser.ts';
import { startWeb } from './web.ts';
import { openWindow, type EditorWindow } from './window.ts';

export interface EditorOptions extends ScenarioOptions {
  /** The folder or `.code-workspace` file to open (`copyFolder` copies a template). If omitted, VS Code opens empty. */
  readonly workspace?: string;
  /** The extension under development; this checkout by default. */
  readonly extension?: string;
  /** A packed extension to install instead, which VS Code runs as it does for users. */
  readonly vsix?: string;
  /** Folders of further extensions to install. */
  readonly beside?: readonly string[];
  /** Whether VS Code asks for workspace trust, as it does for users. */
  readonly workspaceTrust?: boolean;
  /** Whether code can run in the extension host. VS Code then answers its own modal dialogs, so demos turn it off. */
  readonly probe?: boolean;
}

export interface Editor {
  readonly env: NodeJS.ProcessEnv;
  /** The user data folder, where extensions store data. */
  readonly userData: string;
  /** The first window. */
  readonly window: EditorWindow;
  /** Opens another window, on the same folder by default. */
  openWindow(workspace?: string): Promise<EditorWindow>;
  close(): Promise<void>;
}

export async function openEditor(options: EditorOptions = {}): Promise<Editor> {
  const found = await findHost();
  const scenario = await newScenario(options);
  let probes: ProbeServer | undefined;
  let program: Program | undefined;

  let removeHost: (() => Promise<void>) | undefined;

  async function close(): Promise<void> {
    await program?.close();
    probes?.close();
    await scenario.remove();
    await removeHost?.();
  }

  try {
    if (options.probe !== false) probes = await startProbeServer();
    for (const folder of options.beside ?? [])
      await cp(folder, path.join(scenario.extensions, path.basename(folder)), { recursive: true });
    const { host, remove } = await hostOf(found, options.user);
    removeHost = remove;
    if (options.vsix !== undefined) await installVsix(host, scenario, options.vsix);
    // VS Code runs the probe only beside an extension under development.
    const besideProbe = probes && (() => emptyExtension(scenario.folder));
    const extension = options.vsix === undefined ? (options.extension ?? root) : await besideProbe?.();
    const settings = {
      workspaceTrust: options.workspaceTrust ?? false,
      copilot: options.model !== undefined,
    };
    const started = await (host.kind === 'web'
      ? startWeb(host, scenario, settings)
      : startDesktop(host, scenario, settings));
    program = started;
    let count = 0;

    const open = async (workspace: string | undefined): Promise<EditorWindow> => {
      const name = `window-${++count}`;
      const file = path.join(scenario.folder, `${name}.cjs`);
      if (probes) await writeFile(file, probeSource(probes.port, name));
      const page = await started.pageFor({
        workspace,
        extension,
        tests: probes && file,
      });
      return openWindow(page, probes && ((): Promise<Probe> => probes!.connected(name)));
    };

    const window = await open(options.workspace);
    return {
      env: scenario.env,
      userData: scenario.userData,
      window,
      openWindow: (workspace = options.workspace) => open(workspace),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws Error for a user whose editor cannot run on this host */
async function hostOf(host: Host, user: SystemUser | undefined) {
  if (!user) return { host, remove: () => Promise.resolve() };
  if (host.kind === 'desktop') throw new Error('A desktop VS Code runs as the user of this process only.');
  return hostFor(host, user);
}
