/** Variables and builtins of a script: which values can be followed, and which change what commands do. */

/** Plain names for values. All others may change what programs do, or what the shell itself does. */
const plainNames =
  /^(?:[a-zA-Z]|f\d|files?|dirs?|folder|names?|line|out|output|result|res|count|num|idx|item|msg|branch|url|host|port|version|base|target|src|dst|tmp|pkg|key|val|value|data|text|ids?|pids?|log|sha|ref|ext|words?|root|total|sum|ok|rc|ret|code|start|end|PORT|NODE_ENV|CI|DEBUG|FORCE_COLOR|NO_COLOR|LOG_LEVEL|TZ|LANG|LC_ALL|COLUMNS|RUST_BACKTRACE|RUST_LOG|VERBOSE|VERSION|NAME|COUNT|RESULT|OUT|FILES?|DIR|BRANCH|SHA|TAG|URL|DATE)$/;
/** They decide which folder, which words or which other programs a command has. */
const steering =
  /^(?:CDPATH|cdpath|HOME|PWD|OLDPWD|IFS|BASH_ENV|ENV|ZDOTDIR|GIT_(?!(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|TERMINAL_PROMPT$|OPTIONAL_LOCKS$)\w*|PROMPT_COMMAND|HISTFILE|HISTFILESIZE|PS\d|SHELLOPTS|BASHOPTS|GLOBIGNORE|EXECIGNORE|precmd|preexec|chpwd|PERL5OPT|PERL5DB|RUBYOPT)$/;
const programs =
  /^(?:path|fpath|module_path|aliases|commands|functions|options|fignore|histchars|LD_\w+|DYLD_\w+|NODE_(?!ENV$)\w+|(?:PYTHON|PERL|RUBY|GEM|BUNDLE|BUN|DENO|CARGO|RUSTC?|MAVEN|GRADLE|JAVA|_JAVA|JDK|DOTNET|NUGET|LESS|RSYNC|MAKE|MFLAGS|NPM_CONFIG|XDG_CONFIG|RIPGREP|FZF|BAT|AWK)_?\w*|PATH|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|SHELL|MANOPT|GREP_OPTIONS|GOFLAGS|GOROOT|GOPATH|GOTOOLCHAIN|CC|CXX|TAR_OPTIONS|GZIP|UNZIP|ZIPOPT|CURL_HOME|WGETRC|EXINIT|VIMINIT|POSIXLY_CORRECT|\w+_ASKPASS|\w+_(?:OPTS|OPTIONS|WRAPPER|PRELOAD|PLUGINS?|COMMAND|CMD|PROGRAM))$/i;
export type Variable = 'plain' | 'steering' | 'programs' | 'other';

export function kindOfVariable(name: string): Variable {
  if (plainNames.test(name)) return 'plain';
  return steering.test(name) ? 'steering' : programs.test(name) ? 'programs' : 'other';
}

/**
 * Whether its texts have commands in subscripts, which shells run once they evaluate them: `x='a[$(rm y)]'`; or the
 * expression has a variable whose value is read from elsewhere, or is not a number.
 */
export function evaluatesText(script: string, expression = ''): boolean {
  const isRead = (name: string) =>
    new RegExp(
      `\\b(?:(?:read|mapfile|readarray|getopts)\\b[^;\\n|&]*\\b${name}\\b|${name}\\+?=(?!=|["']?-?\\d*["']?(?:[\\s;)&|]|$)|"?\\$\\())`,
    ).test(script);
  if ((expression.match(/[A-Za-z_]\w*/g) ?? []).some(isRead)) return true;
  return /[\w}]\[[^\]]*(?:\$\(|`)/.test(script.replaceAll(/['"\\]/g, ''));
}

/**
 * What a builtin changes: variables and nothing else (`settings`), variables to values that cannot be followed
 * (`computed`), commands (`replaced`), how the shell reads what follows (`options`), or what a script of its own changes.
 */
export function changeOf(program: string): 'settings' | 'computed' | 'replaced' | 'options' | 'script' | null {
  if (/^(?:export|declare|typeset|local|readonly|unset)$/.test(program)) return 'settings';
  if (/^(?:set|shopt|setopt|unsetopt|emulate|zmodload)$/.test(program)) return 'options';
  if (/^(?:read|let|mapfile|readarray|getopts|integer|float)$/.test(program)) return 'computed';
  if (/^(?:enable|vared)$/.test(program)) return 'replaced';
  return program === '.' || program === 'source' ? 'script' : null;
}

/** Commands that a name in quotes would hide. */
export function isBuiltin(program: string): boolean {
  return changeOf(program) !== null || /^(?:printf|eval|trap|cd|pushd|popd|select|coproc)$/.test(program);
}

/** Whether a script is read as before: `same`, also names and variables are found so, or wildcards find more files. */
export function optionsOf(program: string, words: readonly string[]): 'same' | 'more' | 'other' {
  const line = [program, ...words].join(' ');
  if (/^set(?: (?:[-+][eux]+o?|pipefail))*$/.test(line)) return 'same';
  const more =
    /^set(?: --(?: .*)?|(?: (?:[-+][euxfnvmabhECT]*o?|pipefail|errexit|nounset|xtrace))*)$|^shopt(?: (?:-[supqo]+|globstar|nullglob|dotglob|failglob|nocaseglob|lastpipe))*$/s;
  return more.test(line) ? 'more' : 'other';
}
