/**
 * The command that a host runs for each call of a tool, as it is written into the host's files.
 * VS Code and Claude Code go on when a hook's command is missing, crashes or exits 1; only exit 2 stops them. So each
 * form turns whatever is not a clear 0 into 2, and says why on standard error: Codex takes a 2 without a word for a failure.
 */
import type { HostName } from '../names.ts';

export interface HookCommand {
  readonly host: HostName;
  /** Absolute path of the launcher, without an ending. */
  readonly launcher: string;
  /** Absolute path of the folder the agent works in. */
  readonly workspace: string;
  /** For hooks before a tool: whatever goes wrong denies. Other hooks only tell, and must not stop anybody by failing. */
  readonly denying: boolean;
}

const broken =
  'Holdpoint cannot tell whether this may go on, so it is denied. Open the folder in VS Code once, or run: holdpoint setup --check';

/** For sh, bash, zsh and dash; also what Git Bash takes on Windows, whose paths it wants with slashes. */
export function posixCommand(hook: HookCommand): string {
  const slashed = (file: string) => (/^[A-Za-z]:\\/.test(file) ? file.replaceAll('\\', '/') : file);
  const [launcher, workspace] = [slashed(hook.launcher), slashed(hook.workspace)];
  const call = `${posixQuoted(launcher)} hook ${hook.host} --workspace ${posixQuoted(workspace)}`;
  return hook.denying ? `${call} || { [ $? -eq 2 ] || echo '${broken}' >&2; exit 2; }` : call;
}

/** For `cmd /d /s /c "…"`, which is what programs on Windows make of a command line. */
export function cmdCommand({ host, launcher, workspace, denying }: HookCommand): string {
  const call = `call "${launcher}.cmd" hook ${host} --workspace "${workspace}"`;
  const told = `(if errorlevel 3 (echo ${broken}>&2) else if not errorlevel 2 (echo ${broken}>&2))`;
  return denying ? `${call} || (${told} & exit 2)` : call;
}

/** For `powershell -Command` and `pwsh -Command`: a missing program leaves `$LASTEXITCODE` unset, which is not 0 either. */
export function powershellCommand({ host, launcher, workspace, denying }: HookCommand): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const call = `& ${quoted(`${launcher}.cmd`)} hook ${host} --workspace ${quoted(workspace)}`;
  return denying
    ? `${call}; if ($LASTEXITCODE -ne 0) { if ($LASTEXITCODE -ne 2) { [Console]::Error.WriteLine('${broken}') }; exit 2 }`
    : `${call}; exit $LASTEXITCODE`;
}

export function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whether a command is Holdpoint's hook, as we write it or as somebody changed it. */
export function isHookCommand(command: unknown): boolean {
  return typeof command === 'string' && /holdpoint/i.test(command) && /\bhook\b['"\s,]+[a-z]+/.test(command);
}
