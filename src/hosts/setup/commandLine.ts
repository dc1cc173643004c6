/**
 * The command that a host runs for each tool call, as written into the host's files. VS Code and Claude Code continue
 * when a hook's command is missing, crashes or exits with 1; only exit code 2 stops them. So each form turns every code
 * but 0 into 2 and explains it on standard error: Codex treats a silent 2 as a failure.
 */
import type { HostName } from '../names.ts';
import { lastLine, lastLineOnWindows } from './lastLine.ts';

export interface HookCommand {
  readonly host: HostName;
  /** Absolute path of the launcher, without extension. */
  readonly launcher: string;
  /** Absolute path of the folder the agent works in. */
  readonly workspace: string;
  /**
   * For hooks before a tool: every failure denies. Other hooks only add context, so a failure must not stop anything.
   */
  readonly denying: boolean;
}

const broken =
  'Holdpoint cannot tell whether this may go on, so it is denied. Open the folder in VS Code once, or run: holdpoint setup --check';

/** For sh, bash, zsh and dash, and for Git Bash on Windows, which needs forward slashes in paths. */
export function posixCommand(hook: HookCommand): string {
  const slashed = (file: string) => (/^[A-Za-z]:\\/.test(file) ? file.replaceAll('\\', '/') : file);
  const [launcher, workspace] = [slashed(hook.launcher), slashed(hook.workspace)];
  const call = `${posixQuoted(launcher)} hook ${hook.host} --workspace ${posixQuoted(workspace)}`;
  // An empty or torn launcher would exit with 0.
  const isWhole = `[ "$(tail -n 1 ${posixQuoted(launcher)} 2>/dev/null)" = '${lastLine}' ]`;
  return hook.denying ? `${isWhole} && ${call} || { [ $? -eq 2 ] || echo '${broken}' >&2; exit 2; }` : call;
}

/** For `cmd /d /s /c "…"`, the form in which programs on Windows run a command line. */
export function cmdCommand({ host, launcher, workspace, denying }: HookCommand): string {
  const call = `call "${launcher}.cmd" hook ${host} --workspace "${workspace}"`;
  const explained = `(if errorlevel 3 (echo ${broken}>&2) else if not errorlevel 2 (echo ${broken}>&2))`;
  const isWhole = `findstr /x /c:"${lastLineOnWindows}" "${launcher}.cmd" >nul 2>nul`;
  return denying ? `${isWhole} && ${call} || (${explained} & exit 2)` : call;
}

/**
 * For `powershell -Command` and `pwsh -Command`. A missing program leaves `$LASTEXITCODE` unset, which does not equal
 * 0.
 */
export function powershellCommand({ host, launcher, workspace, denying }: HookCommand): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const call = `& ${quoted(`${launcher}.cmd`)} hook ${host} --workspace ${quoted(workspace)}`;
  const last = `"$(Get-Content -LiteralPath ${quoted(`${launcher}.cmd`)} -Tail 1 -ErrorAction SilentlyContinue)"`;
  const whole = `if (${last} -cne '${lastLineOnWindows}') { [Console]::Error.WriteLine('${broken}'); exit 2 }`;
  return denying
    ? `${whole}; ${call}; if ($LASTEXITCODE -ne 0) { if ($LASTEXITCODE -ne 2) { [Console]::Error.WriteLine('${broken}') }; exit 2 }`
    : `${call}; exit $LASTEXITCODE`;
}

export function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whether a command is Holdpoint's hook, original or edited. */
export function isHookCommand(command: unknown): boolean {
  return typeof command === 'string' && /holdpoint/i.test(command) && /\bhook\b['"\s,]+[a-z]+/.test(command);
}
