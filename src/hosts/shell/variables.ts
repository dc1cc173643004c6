/** Variables of a script: which can be followed, and which change what commands do. */

/** Plain names for values. All others may change what programs do, or what the shell itself does. */
const plainNames =
  /^(?:[a-zA-Z]|f\d|file|files|dir|dirs|folder|name|names|line|out|output|result|res|count|num|idx|item|msg|message|branch|url|host|port|version|base|target|src|dst|tmp|pkg|test|tests|key|val|value|data|text|id|ids|pid|log|body|sha|ref|ext|word|words|root|total|sum|ok|rc|ret|code|start|end|PORT|NODE_ENV|CI|DEBUG|FORCE_COLOR|NO_COLOR|LOG_LEVEL|TZ|LANG|LC_ALL|COLUMNS|CGO_ENABLED|GOOS|GOARCH|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|VERBOSE|VERSION|NAME|COUNT|RESULT|OUT|FILE|FILES|DIR|BRANCH|SHA|TAG|URL|DATE)$/;
/** They decide which folder, which words or which other programs a command has. */
const steering =
  /^(?:CDPATH|cdpath|HOME|PWD|OLDPWD|IFS|BASH_ENV|ENV|ZDOTDIR|GIT_(?!(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|TERMINAL_PROMPT$|OPTIONAL_LOCKS$)\w*|PROMPT_COMMAND|HISTFILE|HISTFILESIZE|PS\d|SHELLOPTS|BASHOPTS|GLOBIGNORE|EXECIGNORE|precmd|preexec|chpwd|PERL5OPT|PERL5DB|RUBYOPT)$/;
/** They decide what programs do, or which program a name is. */
const programs =
  /^(?:path|fpath|module_path|aliases|commands|functions|options|fignore|histchars|LD_\w+|DYLD_\w+|NODE_(?!ENV$)\w+|(?:PYTHON|PERL|RUBY|GEM|BUNDLE|BUN|DENO|CARGO|RUSTC?|MAVEN|GRADLE|JAVA|_JAVA|JDK|DOTNET|NUGET|LESS|RSYNC|MAKE|MFLAGS|NPM_CONFIG|XDG_CONFIG|RIPGREP|FZF|BAT|AWK)_?\w*|PATH|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|SHELL|MANOPT|GREP_OPTIONS|GOFLAGS|GOROOT|GOPATH|GOTOOLCHAIN|CC|CXX|TAR_OPTIONS|GZIP|UNZIP|ZIPOPT|CURL_HOME|WGETRC|EXINIT|VIMINIT|POSIXLY_CORRECT|\w+_ASKPASS|\w+_(?:OPTS|OPTIONS|WRAPPER|PRELOAD|PLUGINS?|COMMAND|CMD|PROGRAM))$/i;
/** Commands that may set any variable. */
const setting =
  /\b(?:read|mapfile|readarray|declare|typeset|local|eval|source|getopts|let|unset|select|coproc|integer|float|vared|trap|printf\s+-v|export|readonly)\b|(?:^|[\s;&|])\.\s|:?=\}|\(\(|\+=/;

export function isPlainName(name: string): boolean {
  return plainNames.test(name);
}

export function isSteering(name: string): boolean {
  return steering.test(name);
}

export function steersPrograms(name: string): boolean {
  return programs.test(name);
}

/** Whether programs of the script may see its variables. */
export function exportsAny(script: string): boolean {
  return /\b(?:export|allexport|(?:declare|typeset|local|readonly)\s+-\w*x|set\s+-\w*a|setopt)\b/.test(script);
}

/** Whether a value of it may run commands once it is evaluated as an expression: `x='a[$(rm y)]'`, `x=a\[\$\(rm y\)]`. */
export function evaluatesText(script: string, expression?: string): boolean {
  if (expression !== undefined && evaluatesUnseen(script, expression)) return true;
  return /[\w}]\[[^\]]*(?:\$\(|`)/.test(script.replaceAll(/['"\\]/g, ''));
}

const reading = /\b(?:read|mapfile|readarray|getopts|printf\s+-v)\b((?:[^;\n|&'"]|'[^']*'|"[^"]*")*)/g;

/** Whether a variable of the expression may have a value that is read from elsewhere, or is put together from parts. */
function evaluatesUnseen(script: string, expression: string): boolean {
  // Elements of an array that are only listed are not evaluated.
  if (/^\$\{(?:#?\w+\[(?:@|\*|-?\d+)\]|!\w+\[[@*]\])\}$/.test(expression)) return false;
  const text = script.replaceAll('\\\n', '');
  const read = [...text.matchAll(reading)].map(([, words = '']) => words);
  if (read.some((words) => words.replace(/<.*$/s, '').includes('$'))) return true;
  // The values of an array are not, but those of its subscript are.
  const evaluated = expression.replace(/^\$\{#?\w+\[/, '').replaceAll(/\$\([^()]*\)|\$\{#[^}]*\}/g, '');
  const names = evaluated.match(/[A-Za-z_]\w*/g) ?? [];
  return names.some((name) => {
    if (read.some((words) => new RegExp(`\\b${name}\\b`).test(words))) return true;
    if (read.length > 0 && /^(?:REPLY|MAPFILE|OPTARG)$/.test(name)) return true;
    const values = text
      .replaceAll(new RegExp(`\\(\\(\\s*${name}\\+?=[^;\\n()$]*\\)\\)`, 'g'), '')
      .matchAll(new RegExp(`\\b${name}\\+?=(?!=)(\\S*)|\\bfor\\s+${name}\\s+in\\b([^;\\n]*)`, 'g'));
    return [...values].some(([, value = '0', list = '']) => !isNumeric.test(value) || !isNumbers(list));
  });
}

/** Digits, and what a command prints that does not just print a text. */
const isNumeric =
  /^(?:-?\d*[;)&|}]*$|["']-?\d*["'][;)&|}]*$|"?\$\((?!\s*(?:<|(?:cat|echo|printf|tr|rev|base64|xxd|print)\b)))/;

function isNumbers(list: string): boolean {
  const rest = list.replaceAll(/"?\$\{!\w+\[@\]\}"?|\$\((?=\s*seq\b)[^()]*\)/g, '');
  return /^[\s\d{}.-]*$/.test(rest);
}

export function setsAny(script: string): boolean {
  return setting.test(script);
}

/** Otherwise its value could change in a loop, or under a condition. */
export function isSetOnce(script: string, name: string): boolean {
  return [...script.matchAll(new RegExp(`\\b${name}\\+?=|\\bfor\\s+${name}\\b`, 'g'))].length === 1;
}

type Change =
  /** It sets variables or options, and does nothing else. */
  | 'settings'
  /** It sets variables to values that cannot be followed. */
  | 'computed'
  /** It replaces commands. */
  | 'replaced'
  /** It changes how the shell reads the text that follows. */
  | 'options'
  /** It runs a script in this shell. */
  | 'script';

const changes = new Map<string, Change>([
  ...each('settings', ['export', 'declare', 'typeset', 'local', 'readonly', 'unset']),
  ...each('options', ['set', 'shopt', 'setopt', 'unsetopt', 'emulate', 'zmodload']),
  ...each('computed', ['read', 'let', 'mapfile', 'readarray', 'getopts', 'integer', 'float']),
  ...each('replaced', ['enable', 'vared']),
  ...each('script', ['.', 'source']),
]);

export function changeOf(program: string): Change | undefined {
  return changes.get(program);
}

function each(change: Change, programs: readonly string[]): readonly (readonly [string, Change])[] {
  return programs.map((program) => [program, change]);
}

/** Options of bash with which a script is read as it was, or that only add names of files. */
const plainOptions = /^(?:-[supqo]+|globstar|nullglob|dotglob|failglob|nocaseglob|inherit_errexit|pipefail|lastpipe)$/;

const plainSet = /^[-+][euxfnvmabhECT]*o?$|^(?:pipefail|errexit|nounset|xtrace|verbose|noclobber|errtrace)$/;

export function areKnownOptions(program: string, words: readonly string[]): boolean {
  if (program === 'set') return words[0] === '--' || words.every((word) => plainSet.test(word));
  return program === 'shopt' && words.every((word) => plainOptions.test(word));
}

/** Those with which later lines are read, and names and variables found, as before. */
export function onlySetsOptions(program: string, words: readonly string[]): boolean {
  return program === 'set' && words.every((word) => /^[-+][eux]+o?$|^pipefail$/.test(word));
}

/** Commands that a name in quotes would hide from `setsAny`. */
export function isBuiltin(program: string): boolean {
  return changes.has(program) || /^(?:printf|eval|trap|cd|pushd|popd|select|coproc)$/.test(program);
}
