/** Detects hosts in use: by their folders in the workspace or home, and their programs on the PATH. */
import fs from 'node:fs';
import path from 'node:path';
import { gitPlaces } from './gitPlaces.ts';
import { setupNames } from './names.ts';
import type { SetupName } from './names.ts';
import type { Place } from './place.ts';

const signs: Readonly<Record<Exclude<SetupName, 'git'>, { workspace: string[]; home: string[]; program: string }>> = {
  vscode: {
    workspace: ['.vscode', '.github/copilot-instructions.md'],
    home: ['.vscode', '.vscode-server'],
    program: 'code',
  },
  'claude-code': { workspace: ['.claude', 'CLAUDE.md'], home: ['.claude', '.claude.json'], program: 'claude' },
  'copilot-cli': { workspace: ['.github/copilot'], home: ['.copilot'], program: 'copilot' },
  codex: { workspace: ['.codex'], home: ['.codex'], program: 'codex' },
  opencode: {
    workspace: ['.opencode', 'opencode.json', 'opencode.jsonc'],
    home: ['.config/opencode'],
    program: 'opencode',
  },
  'gemini-cli': { workspace: ['.gemini', 'GEMINI.md'], home: ['.gemini/settings.json'], program: 'gemini' },
  cursor: { workspace: ['.cursor', '.cursorrules'], home: ['.cursor'], program: 'cursor' },
  windsurf: { workspace: ['.windsurf', '.windsurfrules'], home: ['.codeium/windsurf'], program: 'windsurf' },
  kiro: { workspace: ['.kiro'], home: ['.kiro'], program: 'kiro' },
  antigravity: { workspace: ['.agents'], home: ['.gemini/antigravity', '.antigravity'], program: 'antigravity' },
};

/** The first evidence of each host: a path. Hosts without one appear unused. */
export function foundHosts(place: Place): ReadonlyMap<SetupName, string> {
  const found = new Map<SetupName, string>();
  for (const name of setupNames) {
    const sign = name === 'git' ? gitPlaces(place)?.hooks : signOf(place, name);
    if (sign !== undefined) found.set(name, sign);
  }
  return found;
}

function signOf(place: Place, name: keyof typeof signs): string | undefined {
  const { workspace: here, home: there, program } = signs[name];
  return [
    ...here.map((file) => path.join(place.workspace, file)),
    ...there.map((file) => path.join(place.home, file)),
    ...onPath(place, program, ['.exe', '.cmd', '.ps1']),
  ].find((file) => fs.existsSync(file));
}

/** Path of a program that can be started without a shell. */
export function programOf(place: Pick<Place, 'env' | 'platform'>, program: string): string | undefined {
  return onPath(place, program, ['.exe']).find((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Candidate paths. */
function onPath({ env, platform }: Pick<Place, 'env' | 'platform'>, program: string, endings: string[]): string[] {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.flatMap((folder) =>
    (platform === 'win32' ? endings : ['']).map((ending) => path.join(folder, program + ending)),
  );
}
