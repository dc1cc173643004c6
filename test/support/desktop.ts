import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { _electron, type ElectronApplication } from 'playwright-core';
import type { Host } from './host.ts';
import type { Program, ProgramSettings, Scenario } from './scenario.ts';

/** The Electron program. Each further window is a separate instance with its own profile. */
export async function startDesktop(
  host: Host & { kind: 'desktop' },
  scenario: Scenario,
  settings: ProgramSettings,
): Promise<Program> {
  if (settings.copilot) await enableCopilot(scenario.userData);
  const applications: ElectronApplication[] = [];
  return {
    pageFor: async ({ workspace, extension, tests }) => {
      const first = applications.length === 0;
      const userData = first ? scenario.userData : `${scenario.userData}-${applications.length}`;
      const application = await _electron.launch({
        executablePath: host.executable,
        env: Object.fromEntries(
          Object.entries(scenario.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
        ),
        args: [
          ...(process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []),
          ...[
            '--disable-gpu',
            '--disable-updates',
            '--skip-welcome',
            '--skip-release-notes',
            '--enable-smoke-test-driver',
          ],
          // Stores secrets in a file of the profile, not in the user's key ring.
          '--password-store=basic',
          '--use-inmemory-secretstorage',
          ...(settings.workspaceTrust ? [] : ['--disable-workspace-trust']),
          `--user-data-dir=${userData}`,
          `--extensions-dir=${scenario.extensions}`,
          ...(extension === undefined ? [] : [`--extensionDevelopmentPath=${extension}`]),
          ...(tests === undefined ? [] : [`--extensionTestsPath=${tests}`]),
          ...(workspace === undefined ? [] : [workspace]),
        ],
      });
      applications.push(application);
      return application.firstWindow();
    },
    close: async () => {
      await Promise.all(applications.map((application) => application.close()));
    },
  };
}

/** The workbench in the browser stores this flag in IndexedDB; here it is a row in SQLite. */
async function enableCopilot(userData: string): Promise<void> {
  const folder = path.join(userData, 'User', 'globalStorage');
  await mkdir(folder, { recursive: true });
  // Not imported, because tools that read imports do not know this Node module yet.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(path.join(folder, 'state.vscdb'));
  database.exec('CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)');
  database.prepare('INSERT INTO ItemTable VALUES (?, ?)').run('builtinChatExtensionEnablementMigration', 'true');
  database.close();
}
