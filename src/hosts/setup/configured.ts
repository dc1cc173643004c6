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

/** The hook before a tool. Null when the file has no hook, or none for this workspace. */
export function configuredHook(place: Place, host: HostName, file: string, folder: string): Configured | null {
  const text = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  if (host === 'opencode') {
    const from = JSON.stringify(place.workspace);
    return text.includes(from) ? { kind: 'plugin', text: text.replaceAll(from, () => JSON.stringify(folder)) } : null;
  }
  return commandIn(place, host, { text, file, folder }, before[host] ?? 'PreToolUse');
}

/** The hook after a tool that looks at held files. */
export function configuredAfterHook(
  place: Place,
  host: HostName,
  file: string,
  folder: string,
): (Configured & { kind: 'command' }) | null {
  if (host === 'opencode' || (isFormHost(host) && host !== 'cursor')) return null;
  const text = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  const found = commandIn(place, host, { text, file, folder }, after[host] ?? 'PostToolUse');
  if (found === null) return null;
  // It asks the shell first whether the folder has a baseline.
  const inside = (workspace: string) => posixQuoted(`${workspace}/`).slice(0, -1);
  return { ...found, line: found.line.replaceAll(inside(place.workspace), () => inside(folder)) };
}

interface Wanted {
  /** Of the host's file. */
  readonly text: string;
  readonly file: string;
  readonly folder: string;
}

function commandIn(
  place: Place,
  host: HostName,
  { text, file, folder }: Wanted,
  event: string,
): (Configured & { kind: 'command' }) | null {
  const shell = shellOf(place, host);
  const quoted = (path: string) =>
    shell === 'cmd'
      ? `"${path}"`
      : shell === 'powershell'
        ? `'${path.replaceAll("'", "''")}'`
        : posixQuoted(place.platform === 'win32' ? path.replaceAll('\\', '/') : path);
  // The last one: where there are two after a tool, the first notes answers.
  const line = commandsOf(place, host, readObject(text, file), event).findLast((one) => one.includes(` hook ${host} `));
  const from = `--workspace ${quoted(place.workspace)}`;
  if (line?.includes(from) !== true) return null;
  return { kind: 'command', shell, line: line.replaceAll(from, () => `--workspace ${quoted(folder)}`) };
}

function shellOf({ platform }: Place, host: HostName): 'posix' | 'cmd' | 'powershell' {
  if (platform !== 'win32') return 'posix';
  if (host === 'gemini-cli' || host === 'windsurf') return 'powershell';
  return host === 'claude-code' || host === 'copilot-cli' ? 'posix' : 'cmd';
}

/** The commands of an event. */
function commandsOf(place: Place, host: HostName, file: JsonObject, event: string): string[] {
  // Setup writes no other commands for these hosts.
  if (isFormHost(host) && host !== 'cursor')
    return textsIn(file, (key) => key === (shellOf(place, host) === 'powershell' ? 'powershell' : 'command')) ?? [];
  const { hooks } = file as { hooks?: Record<string, readonly JsonObject[]> };
  const entries = (hooks?.[event] ?? []).flatMap((group) =>
    Array.isArray(group['hooks']) ? (group['hooks'] as JsonObject[]) : [group],
  );
  const field = { vscode: systemOf(place.platform), 'copilot-cli': 'bash' }[host as string] ?? 'command';
  return entries.flatMap((entry) => (typeof entry[field] === 'string' ? [entry[field]] : []));
}

/** Hosts that do not call them `PreToolUse` and `PostToolUse`. */
const before: Readonly<Partial<Record<HostName, string>>> = {
  'copilot-cli': 'preToolUse',
  'gemini-cli': 'BeforeTool',
  cursor: 'preToolUse',
};
const after: typeof before = { 'copilot-cli': 'postToolUse', cursor: 'postToolUse' };

/** The platform-specific field that VS Code prefers on this system. */
export function systemOf(platform: NodeJS.Platform): 'windows' | 'osx' | 'linux' {
  return platform === 'win32' ? 'windows' : platform === 'darwin' ? 'osx' : 'linux';
}
