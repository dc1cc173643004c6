/** What of Gemini CLI's own files keeps its hooks from running, by its own rules (measured with version 0.61.0). */
import path from 'node:path';
import { realOf } from './git.ts';
import { settingsIn } from './jsonText.ts';
import type { JsonObject } from './jsonText.ts';
import { isWithin } from './place.ts';
import type { Place } from './place.ts';

/** A settings file that disables all hooks, or this one by its name. */
export function geminiDisabledIn(place: Place): string | null {
  const files = [path.join(place.workspace, '.gemini', 'settings.json'), userSettings(place), systemSettings(place)];
  const found = files.find((file) => {
    const { enabled, disabled } = objectAt(settingsIn(file), 'hooksConfig');
    return enabled === false || (Array.isArray(disabled) && disabled.includes('holdpoint'));
  });
  return found ?? null;
}

/** Whether the folder is trusted: only then does it read the folder's settings, and with them the hooks. */
export function geminiTrusts(place: Place): boolean {
  const { enabled } = objectAt(objectAt(settingsIn(userSettings(place)), 'security'), 'folderTrust');
  if (enabled === false) return true;
  const file = place.env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ?? path.join(place.home, '.gemini', 'trustedFolders.json');
  const real = realOf(place.workspace);
  const rules = Object.entries(settingsIn(file))
    .filter(([folder, rule]) => isWithin(real, realOf(rule === 'TRUST_PARENT' ? path.dirname(folder) : folder)))
    .sort(([a], [b]) => b.length - a.length);
  return rules[0]?.[1] === 'TRUST_FOLDER' || rules[0]?.[1] === 'TRUST_PARENT';
}

function userSettings({ home }: Place): string {
  return path.join(home, '.gemini', 'settings.json');
}

function systemSettings({ env, platform }: Place): string {
  const given = env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'];
  if (given !== undefined && given !== '') return given;
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/settings.json';
  return platform === 'win32' ? 'C:\\ProgramData\\gemini-cli\\settings.json' : '/etc/gemini-cli/settings.json';
}

function objectAt(settings: JsonObject, key: string): JsonObject {
  const value = settings[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
