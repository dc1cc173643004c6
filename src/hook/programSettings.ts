/** Settings with which programs that only read run other programs. They are looked at only while something is held. */
import path from 'node:path';
import process from 'node:process';
import type { Answering } from '../app/workspace/atGate.ts';
import type { HookCall, ToolUse } from '../hosts/call.ts';

const repositoriesAtMost = 50;
const runs =
  /^(?:core\.(?:fsmonitor|pager|alternaterefscommand|sshcommand)|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|pager\..*|gpg\.(?:.*\.)?program|log\.showsignature|alias\.lfs|trace2\..*target|include.*)$/;
const plainValue =
  /^(?:true|false|cat|(?:less|more|delta|bat|most)(?: -{1,2}[\w=]+)*|git-lfs (?:clean|smudge|process)(?: --skip)?(?: -- %f)?)$/;

/** Null if none does; otherwise what was found, in words. */
export function settingsThatRun(workspace: Answering, { cwd }: Pick<HookCall, 'cwd'>, tool: ToolUse): string | null {
  for (const { program, folders } of tool.configured) {
    const found = program === 'git' ? gitSettings(workspace, cwd, folders) : curlSettings(workspace);
    if (found !== null) return found;
  }
  return null;
}

function gitSettings(workspace: Answering, cwd: string | null, folders: readonly (string | null)[]): string | null {
  const start = cwd ?? workspace.worktree;
  const places = new Set(folders.map((folder) => (folder === null ? start : path.resolve(start, folder))));
  for (const place of places) {
    if (workspace.options.fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    const found = ofRepositories(workspace, place);
    if (found !== null) return found;
  }
  return null;
}

/** Git looks into submodules, each with settings of its own, as far as they are checked out. */
function ofRepositories(workspace: Answering, folder: string): string | null {
  const open = [folder];
  const seen = new Set<string>();
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (seen.has(place)) continue;
    if (seen.size >= repositoriesAtMost) return 'there are too many submodules to look at the settings of each';
    seen.add(place);
    const found = ofFolder(workspace, place);
    if (typeof found === 'string') return found;
    open.push(...found.filter((each) => workspace.options.fs.existsSync(path.join(each, '.git'))));
  }
  return null;
}

function ofFolder(workspace: Answering, folder: string): string | string[] {
  const { fs } = workspace.options;
  const git = (...args: string[]) => askGit(workspace, folder, ...args);
  const hooksThatRun = ['post-index-change'];
  try {
    const settings = settingsOf(workspace, folder);
    for (const [key, value] of settings) {
      if (runs.test(key) && !key.startsWith('include') && !plainValue.test(value))
        return `git has the setting ${key}, which runs a program`;
      if (key === 'log.showsignature' && value !== 'false') return 'git checks signatures, which runs a program';
    }
    const fetching = fetchingRuns(settings, () => ofMachine(workspace, folder));
    if (fetching !== null) return fetching;
    if (promisorsIn(settings).size > 0) hooksThatRun.push(...fetchingHooks);
  } catch {
    return 'the settings of git cannot be read';
  }
  let top: string;
  try {
    const hooks = path.resolve(folder, git('rev-parse', '--git-path', 'hooks').trim());
    const hook = hooksThatRun.find((name) => fs.existsSync(path.join(hooks, name)));
    if (hook !== undefined) return `git has the hook ${hook}`;
    top = git('rev-parse', '--show-toplevel').replace(/\n$/, '');
  } catch {
    // Not a repository, or one without files: no submodules.
    return [];
  }
  try {
    const files = git('ls-files', '--stage', '--full-name', '-z', ':/');
    // A repository of its own has this mode.
    return [...files.matchAll(/(?:^|\0)160000 \w+ \d\t([^\0]+)/g)].map(([, name = '']) => path.join(top, name));
  } catch {
    return 'the submodules of git cannot be read';
  }
}

/** Without a file of settings, git fails. */
function ofMachine(workspace: Answering, folder: string): Setting[] {
  try {
    return settingsOf(workspace, folder, '--system');
  } catch {
    return [];
  }
}

function curlSettings({ options }: Answering): string | null {
  const { env, home, fs } = options;
  const folders = [home, path.join(home, '.config'), env['CURL_HOME'], env['XDG_CONFIG_HOME']];
  const files = folders.flatMap((folder) =>
    folder === undefined ? [] : ['.curlrc', 'curlrc'].map((name) => path.join(folder, name)),
  );
  const found = files.find((file) => fs.existsSync(file));
  return found === undefined ? null : `curl has settings in ${found}`;
}

// The settings that git has in a folder: those of the repository, of the user and of the machine.

/** The key is in lower case, except for its middle part. */
type Setting = readonly [key: string, value: string];

const waitsMs = 2_000;
/** The list of files of a large repository. Bytes. */
const outputAtMost = 256 * 1024 * 1024;

/** @throws Error if git fails */
function askGit({ options }: Answering, folder: string, ...args: readonly string[]): string {
  // Loaded with the first question: that takes a fifth of a hook's own time.
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    maxBuffer: outputAtMost,
    timeout: waitsMs,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...options.env, HOME: options.home },
    windowsHide: true,
  });
}

/** @param scope `--system`: those of the machine only. @throws Error if git fails */
function settingsOf(workspace: Answering, folder: string, ...scope: readonly '--system'[]): Setting[] {
  return askGit(workspace, folder, 'config', ...scope, '--list', '--includes', '-z')
    .split('\0')
    .map((entry): Setting => {
      const [key = '', value = ''] = entry.split(/\n(.*)/s);
      return [key, value];
    });
}

// Fetching what a partial clone lacks: git does it also while it only reads, and settings say by which programs.

const runsWhenFetching =
  /^(?:remote\..*\.(?:uploadpack|vcs)|core\.(?:gitproxy|askpass)|credential\.(?:.*\.)?helper|gc\.recentobjectshook|url\.(?!https:\/\/).*\.insteadof)$/;
/** Helpers of git itself, and of programs that their users install. */
const plainHelper =
  /^(?:|store|cache(?: --timeout[= ]\d+)?|osxkeychain|manager(?:-core)?|libsecret|wincred|!(?:\/(?:usr|usr\/local|opt\/homebrew)\/bin\/)?gh auth git-credential)$/;

const fetchingHooks = ['pre-auto-gc', 'reference-transaction'];

/** Remotes from which git fetches objects that are missing. Empty unless the repository is a partial clone. */
function promisorsIn(settings: readonly Setting[]): Set<string> {
  return new Set(
    settings.flatMap(([key, value]) => {
      if (key === 'extensions.partialclone') return [value];
      const [, name, what] = /^remote\.(.*)\.(promisor|partialclonefilter)$/.exec(key) ?? [];
      return name === undefined || (what === 'promisor' && value === 'false') ? [] : [name];
    }),
  );
}

/**
 * Null where only git itself fetches: over https. Ssh and local addresses are reached through programs.
 * @param ofMachine settings that only administrators write
 */
function fetchingRuns(settings: readonly Setting[], ofMachine: () => readonly Setting[]): string | null {
  const remotes = promisorsIn(settings);
  if (remotes.size === 0) return null;
  for (const remote of remotes) {
    const addresses = settings.filter(([key]) => key === `remote.${remote}.url`);
    if (addresses.length === 0 || addresses.some(([, value]) => !/^https:\/\/[^/]/.test(value)))
      return `git fetches what this partial clone lacks from ${remote}, which runs a program`;
  }
  const suspects = settings.filter(
    ([key, value]) => runsWhenFetching.test(key) && !(key.endsWith('.helper') && plainHelper.test(value)),
  );
  if (suspects.length === 0) return null;
  const known = new Set(ofMachine().map((setting) => setting.join('\n')));
  const found = suspects.find((setting) => !known.has(setting.join('\n')));
  return found ? `git has the setting ${found[0]}, which runs a program when a partial clone fetches` : null;
}
