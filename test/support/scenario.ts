import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { giveTo, type SystemUser } from './secondUser.ts';
import { temporaryFolder, type TemporaryFolder } from './temporary.ts';

/** A scenario's own folders and environment, separate from the user's VS Code. */
export interface Scenario extends TemporaryFolder {
  readonly home: string;
  readonly userData: string;
  readonly extensions: string;
  readonly serverData: string;
  /** The environment of VS Code and of all programs that share its home. */
  readonly env: NodeJS.ProcessEnv;
  /** Whom VS Code runs as, if not as this process does. */
  readonly user: SystemUser | undefined;
}

/** A running VS Code of either kind. `pageFor` opens another window. */
export interface Program {
  pageFor(window: WindowRequest): Promise<Page>;
  close(): Promise<void>;
}

export interface WindowRequest {
  readonly workspace: string | undefined;
  /** None for a window as users open it, with installed extensions only. */
  readonly extension: string | undefined;
  /** The file with VS Code's test runner. */
  readonly tests: string | undefined;
}

export interface ProgramSettings {
  readonly workspaceTrust: boolean;
  /** Whether to enable the bundled Copilot extension. */
  readonly copilot: boolean;
}

export interface ScenarioOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The address of a scripted model for the bundled Copilot extension. */
  readonly model?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** What git calls the person. */
  readonly person?: string;
  /** Whom VS Code runs as (web hosts only); this process's own user by default. */
  readonly user?: SystemUser | undefined;
}

const quiet = {
  'chat.byokUtilityModelDefault': 'none',
  'chat.tips.enabled': false,
  'extensions.autoCheckUpdates': false,
  'git.openRepositoryInParentFolders': 'never',
  'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Copies a folder, so that a scenario can change it. */
export async function copyFolder(template: string): Promise<TemporaryFolder> {
  const parent = await temporaryFolder();
  const folder = path.join(parent.folder, path.basename(template));
  await cp(template, folder, { recursive: true });
  return { folder, remove: parent.remove };
}

/** Creates new folders with the files that VS Code expects. */
export async function newScenario(options: ScenarioOptions): Promise<Scenario> {
  const { folder, remove } = await temporaryFolder();
  const home = path.join(folder, 'home');
  const userData = path.join(folder, 'user-data');
  const extensions = path.join(folder, 'extensions');
  const serverData = path.join(folder, 'server-data');
  const user = path.join(userData, 'User');
  for (const each of [home, extensions, user]) await mkdir(each, { recursive: true });
  // A scripted model calls tools in the order of its script, not those that it is offered.
  const tools = options.model === undefined ? {} : { 'holdpoint.allTools': true };
  const settings = { ...quiet, ...tools, ...options.settings };
  await writeFile(path.join(user, 'settings.json'), JSON.stringify(settings, undefined, 2));
  if (options.model !== undefined) {
    await writeFile(
      path.join(user, 'chatLanguageModels.json'),
      JSON.stringify(modelsFile(options.model), undefined, 2),
    );
  }
  await writeFile(path.join(home, '.gitconfig'), `[user]\n\tname = ${options.person ?? 'Ada Lovelace'}\n`);
  if (options.user) giveTo(options.user, folder);
  const env = scenarioEnv(home, options.env);
  return { folder, home, userData, extensions, serverData, env, user: options.user, remove };
}

function scenarioEnv(home: string, extra: NodeJS.ProcessEnv | undefined): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    APPDATA: path.join(home, 'AppData', 'Roaming'),
    LOCALAPPDATA: path.join(home, 'AppData', 'Local'),
  };
  for (const name of Object.keys(env)) {
    // A VS Code that is started from a terminal of another VS Code must not connect to it.
    if (
      /^(XDG_(CONFIG|DATA|STATE|CACHE)_HOME|VSCODE_.*|ELECTRON_RUN_AS_NODE|NODE_OPTIONS|NODE_V8_COVERAGE)$/.test(name)
    ) {
      Reflect.deleteProperty(env, name);
    }
  }
  return { ...env, ...extra };
}

function modelsFile(url: string): unknown {
  const model = {
    id: 'scripted-1',
    name: 'Scripted One',
    url,
    toolCalling: true,
    vision: false,
    maxInputTokens: 128_000,
    maxOutputTokens: 16_000,
  };
  return [{ vendor: 'customendpoint', name: 'Scripted', apiType: 'chat-completions', models: [model] }];
}
