/**
 * Reads the hook back from the host's own file, for another folder in place of the workspace. Only for hooks exactly as
 * setup writes them; an edited hook is reported, not run.
 */
import fs from 'node:fs';
import { posixQuoted } from './commandLine.ts';
import { readObject } from './jsonText.ts';
import type { JsonObject } from './jsonText.ts';
import type { Part } from './part.ts';
import type { Place } from './place.ts';
import type { HostName } from '../names.ts';

export type Configured =
  /** A command line for a shell. */
  | { readonly kind: 'command'; readonly shell: 'posix' | 'cmd'; readonly line: string }
  /** The source text of an opencode plugin. */
  | { readonly kind: 'plugin'; readonly text: string };

/** Null when the file has no hook, or none for this workspace. */
export function configuredHook(place: Place, host: HostName, part: Part, folder: string): Configured | null {
  const text = fs.readFileSync(part.file, 'utf8').replace(/^\uFEFF/, '');
  if (host === 'opencode') return replaced(text, JSON.stringify(place.workspace), JSON.stringify(folder), asPlugin);
  const { hooks } = readObject(text, part.file) as { hooks?: Record<string, readonly JsonObject[]> };
  const entries = (hooks?.[host === 'copilot-cli' ? 'preToolUse' : 'PreToolUse'] ?? []).flatMap((group) =>
    Array.isArray(group['hooks']) ? (group['hooks'] as JsonObject[]) : [group],
  );
  const windows = place.platform === 'win32';
  const field = { vscode: systemOf(place.platform), 'copilot-cli': 'bash', 'claude-code': 'command', codex: 'command' }[
    host
  ];
  const shell = windows && (host === 'vscode' || host === 'codex') ? 'cmd' : 'posix';
  const quoted = (path: string) =>
    shell === 'cmd' ? `"${path}"` : posixQuoted(windows ? path.replaceAll('\\', '/') : path);
  for (const entry of entries) {
    const line = entry[field];
    if (typeof line !== 'string' || !line.includes(` hook ${host} `)) continue;
    return replaced(line, `--workspace ${quoted(place.workspace)}`, `--workspace ${quoted(folder)}`, (changed) => ({
      kind: 'command',
      shell,
      line: changed,
    }));
  }
  return null;
}

/** The platform-specific field that VS Code prefers on this system. */
export function systemOf(platform: NodeJS.Platform): 'windows' | 'osx' | 'linux' {
  return platform === 'win32' ? 'windows' : platform === 'darwin' ? 'osx' : 'linux';
}

function asPlugin(text: string): Configured {
  return { kind: 'plugin', text };
}

function replaced(text: string, from: string, to: string, make: (text: string) => Configured): Configured | null {
  return text.includes(from) ? make(text.replaceAll(from, () => to)) : null;
}
