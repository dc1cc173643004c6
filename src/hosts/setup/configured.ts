/**
 * Reads the hook back from the host's own file, for another folder in place of the workspace. Only for hooks exactly as
 * setup writes them; an edited hook is reported, not run.
 */
import fs from 'node:fs';
import { textsIn } from '../payload/fields.ts';
import { isFormHost } from '../payload/forms.ts';
import { posixQuoted } from './commandLine.ts';
import { readObject } from './jsonText.ts';
import type { JsonObject } from './jsonText.ts';
import type { Place } from './place.ts';
import type { HostName } from '../names.ts';

export type Configured =
  /** A command line for a shell. */
  | { readonly kind: 'command'; readonly shell: 'posix' | 'cmd' | 'powershell'; readonly line: string }
  /** The source text of an opencode plugin. */
  | { readonly kind: 'plugin'; readonly text: string };

/** Null when the file has no hook, or none for this workspace. */
export function configuredHook(place: Place, host: HostName, file: string, folder: string): Configured | null {
  const text = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  if (host === 'opencode') return replaced(text, JSON.stringify(place.workspace), JSON.stringify(folder), asPlugin);
  const shell = shellOf(place, host);
  const quoted = (path: string) =>
    shell === 'cmd'
      ? `"${path}"`
      : shell === 'powershell'
        ? `'${path.replaceAll("'", "''")}'`
        : posixQuoted(place.platform === 'win32' ? path.replaceAll('\\', '/') : path);
  const settings = readObject(text, file);
  const line = commandsOf(place, host, settings).find((command) => command.includes(` hook ${host} `));
  if (line === undefined) return null;
  return replaced(line, `--workspace ${quoted(place.workspace)}`, `--workspace ${quoted(folder)}`, (changed) => ({
    kind: 'command',
    shell,
    line: changed,
  }));
}

function shellOf({ platform }: Place, host: HostName): 'posix' | 'cmd' | 'powershell' {
  if (platform !== 'win32') return 'posix';
  if (host === 'gemini-cli' || host === 'windsurf') return 'powershell';
  return host === 'claude-code' || host === 'copilot-cli' ? 'posix' : 'cmd';
}

/** The commands before a tool. */
function commandsOf(place: Place, host: HostName, file: JsonObject): string[] {
  // Setup writes no other commands for these hosts.
  if (isFormHost(host))
    return textsIn(file, (key) => key === (shellOf(place, host) === 'powershell' ? 'powershell' : 'command')) ?? [];
  const { hooks } = file as { hooks?: Record<string, readonly JsonObject[]> };
  const entries = (hooks?.[before[host] ?? 'PreToolUse'] ?? []).flatMap((group) =>
    Array.isArray(group['hooks']) ? (group['hooks'] as JsonObject[]) : [group],
  );
  const field = { vscode: systemOf(place.platform), 'copilot-cli': 'bash' }[host as string] ?? 'command';
  return entries.flatMap((entry) => (typeof entry[field] === 'string' ? [entry[field]] : []));
}

/** Hosts that do not call it `PreToolUse`. */
const before: Readonly<Partial<Record<HostName, string>>> = { 'copilot-cli': 'preToolUse', 'gemini-cli': 'BeforeTool' };

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
