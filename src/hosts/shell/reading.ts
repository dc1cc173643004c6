/**
 * Programs that only read, with the options for which that holds. Everything unlisted counts as a change: a list of
 * what writes could never be complete; this one only has to be correct.
 */
import { findReads } from './find.ts';
import { operandsOf, options, isKnown, mayBeOption, type Options, type Word } from './word.ts';

type Check = (args: readonly Word[]) => boolean;

const digits = '0123456789';
const always: Check = () => true;

const listed: Readonly<Record<string, string>> = {
  ls: `1aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ|ITw|all almost-all human-readable color recursive reverse sort= time= full-time group-directories-first size si inode classify directory numeric-uid-gid format= ignore= hide= time-style= width= no-group file-type dereference|any`,
  cat: `AbeEnstTuv||number show-all number-nonblank squeeze-blank show-ends show-tabs show-nonprinting|any`,
  head: `${digits}qvz|nc|lines= bytes= quiet silent verbose zero-terminated|any`,
  tail: `${digits}fFqvzr|ncs|lines= bytes= follow quiet silent verbose pid= retry sleep-interval= zero-terminated|any`,
  wc: `clLmw||bytes chars lines words max-line-length total=|any`,
  grep: `${digits}abcEFGhHiIlLnoPqRrsTUuvVwxyzZ|ABCDdefm|extended-regexp fixed-strings basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case invert-match word-regexp line-regexp count color colour files-with-matches files-without-match max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= line-number initial-tab null after-context= before-context= context= text binary-files= devices= directories= exclude= exclude-from= exclude-dir= include= recursive dereference-recursive null-data line-buffered|any`,
  nl: `p|bdfhilnsvw||any`,
  cut: `nsz|bcdf|bytes= characters= delimiter= fields= only-delimited output-delimiter= complement zero-terminated|any`,
  tr: `cCdst||complement delete squeeze-repeats truncate-set1|any`,
  diff: `${digits}abBcdeEHiNnpqrstTuwyZ|CDFISUWx|brief unified context= side-by-side recursive ignore-all-space ignore-space-change ignore-blank-lines ignore-case new-file report-identical-files color text width= exclude= label= minimal speed-large-files strip-trailing-cr suppress-common-lines no-dereference|any`,
  cmp: `bls|in|print-bytes verbose silent quiet bytes= ignore-initial=|any`,
  comm: `123iz||check-order nocheck-order output-delimiter= total zero-terminated|any`,
  basename: `az|s|multiple suffix= zero|any`,
  dirname: `z||zero|any`,
  pwd: `LP||logical physical|any`,
  which: `as||all|any`,
  whoami: `|||any`,
  id: `aGgnruZz||group groups name real user zero|any`,
  uname: `asnrvmpio||all kernel-name nodename kernel-release kernel-version machine operating-system|any`,
  stat: `LftxnFlsrq|c|format= printf= dereference file-system terse|any`,
  du: `${digits}abchHklLmsSxD|dtBX|all apparent-size bytes summarize human-readable max-depth= total exclude= one-file-system threshold= time|any`,
  df: `aBhHiklPTm|tx|all human-readable inodes local portability print-type type= total output|any`,
  realpath: `eLmPqsz||relative-to= relative-base= canonicalize-existing canonicalize-missing strip no-symlinks quiet zero|any`,
  readlink: `femnqsvz||canonicalize canonicalize-existing canonicalize-missing no-newline zero|any`,
  md5sum: `bctwz||check binary text quiet status strict warn ignore-missing tag zero|any`,
  shasum: `bctpsw|a|algorithm= check binary text quiet status strict warn ignore-missing tag zero|any`,
  seq: `w|fs|format= separator= equal-width|any`,
  sleep: `|||any`,
  printenv: `0||null|any`,
  tac: `br|s|before regex separator=|any`,
  rev: `|||any`,
  column: `txnJLe|cNorRsOHTW|table separator= output-separator= table-columns= json|any`,
  fold: `bs|w|bytes spaces width=|any`,
  expand: `i|t|initial tabs=|any`,
  od: `abcdfilosvx|ANjtSw|address-radix= skip-bytes= read-bytes= format= output-duplicates|any`,
  hexdump: `bcCdovx|ens|canonical length= skip=|any`,
  strings: `afow|nt|all print-file-name bytes= radix=|any`,
  jq: `acCegjMnrRsSvh0|fL|arg= argjson= slurpfile= rawfile= args jsonargs raw-output compact-output exit-status null-input raw-input slurp sort-keys color-output monochrome-output tab indent= unbuffered stream seq ascii-output join-output from-file= version|any`,
  nproc: `||all ignore=|any`,
  free: `bkmghtw|sc|human total|any`,
  uptime: `ps||pretty since|any`,
  groups: `|||any`,
  tty: `s||silent quiet|any`,
  arch: `|||any`,
  locale: `a||all-locales|any`,
  hash: `|||operands=0`,
  jobs: `lnprs||`,
  wait: `|||any`,
  tree: `adfilpsugDhFqNQrtcUnCASXJv|LIPHT|dirsfirst noreport charset= filelimit= prune gitignore du si matchdirs ignore-case|`,
  file: `bhikLNnprsv0S|F|brief mime mime-type mime-encoding dereference no-dereference keep-going raw version separator=|`,
  uniq: `cdDiuz|fsw|count repeated all-repeated unique ignore-case skip-fields= skip-chars= check-chars= zero-terminated|operands=1`,
  sort: `bcCdfghiMmnrRsuVz|kt|key= field-separator= numeric-sort reverse unique human-numeric-sort version-sort ignore-case stable general-numeric-sort random-sort zero-terminated check month-sort ignore-leading-blanks dictionary-order sort=|`,
  rg: `0acFHhiIlLnNopPqsSTuUvwx.|ABCdefgjMmrtTE|files type= type-not= glob= iglob= hidden no-ignore no-ignore-vcs files-with-matches files-without-match count count-matches line-number no-line-number no-heading heading json only-matching max-count= max-depth= context= after-context= before-context= ignore-case smart-case case-sensitive fixed-strings word-regexp multiline multiline-dotall pcre2 stats sort= sortr= color= colors= column vimgrep follow with-filename no-filename replace= passthru trim type-list no-messages text max-columns= max-filesize= max-columns-preview encoding= null invert-match quiet regexp= file= crlf byte-offset pretty|`,
  fd: `HIsiLpau0|eEtdg|hidden no-ignore extension= exclude= type= max-depth= absolute-path full-path follow glob color=|`,
  xxd: `abeEipu|cglos||operands=1`,
};

const alike: Readonly<Record<string, readonly string[]>> = {
  grep: ['egrep', 'fgrep'],
  md5sum: ['sha1sum', 'sha256sum', 'sha512sum', 'cksum', 'b2sum'],
  expand: ['unexpand'],
  fd: ['fdfind'],
};

const tables = new Map<string, Options>();
function tableOf(name: string): Options | undefined {
  const known = tables.get(name);
  const line = Object.hasOwn(listed, name) ? listed[name] : undefined;
  if (known !== undefined || line === undefined) return known;
  const made = options(line);
  tables.set(name, made);
  return made;
}

const sameAs = new Map(
  Object.entries(alike).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);

const special: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...['echo', 'true', 'false', ':', 'ps'].map((name): [string, Check] => [name, always]),
  ...['test', '['].map((name): [string, Check] => [name, testReads]),
  ['printf', printfReads],
  // Zsh evaluates what follows as an expression, with the commands in its subscripts.
  ...['exit', 'return', 'break', 'continue', 'shift'].map((name): [string, Check] => [name, countReads]),
  ['env', (args) => args.length === 0],
  ['hostname', (args) => args.length === 0 || (args.length === 1 && /^-[fsidA]$/.test(args[0]?.text ?? ''))],
  ['date', dateReads],
  ['type', plainWords(/^(?:-[aftpP]+|[\w./+-]+)$/)],
  ['find', (args) => findReads(args, onlyReads)],
  ['sed', sedReads],
  ...['awk', 'gawk', 'mawk'].map((name): [string, Check] => [name, awkReads]),
  ['command', (args) => /^-[vV]$/.test(args[0]?.text ?? '')],
  ...'node npx npm bun deno python python3 tsc go java ruby php gcc g++ clang make cmake docker podman perl git gh kubectl terraform helm dotnet uv pip pip3 poetry'
    .split(' ')
    .map((name): [string, Check] => [name, onlyVersion]),
]);

/** @param program name without folder */
export function onlyReads(program: string, args: readonly Word[]): boolean {
  const check = special.get(program);
  if (check?.(args) === true) return true;
  const table = tableOf(sameAs.get(program) ?? program);
  return table !== undefined && operandsOf(args, table) !== null;
}

function onlyVersion(args: readonly Word[]): boolean {
  return args.length === 1 && /^(?:--version|-v|-V|version)$/.test(args[0]?.text ?? '');
}

function countReads(args: readonly Word[]): boolean {
  return args.every((word) => word.unknown === 'number' || (isKnown(word) && /^\d+$/.test(word.text)));
}

/** Zsh evaluates what it prints as a number. */
function printfReads(args: readonly Word[]): boolean {
  const [format, ...values] = args;
  const isText = format !== undefined && isKnown(format) && !/%[^%a-zA-Z]*(?![sbq%])[a-zA-Z*]/.test(format.text);
  return testReads(args) && (isText || values.every(({ unknown }) => unknown === undefined || unknown === 'number'));
}

function plainWords(pattern: RegExp): Check {
  return (args) => args.every((word) => !word.glob && word.unknown === undefined && pattern.test(word.text));
}

/**
 * Bash evaluates subscripts, quoted or not: `test -v 'a[$(rm x)]'`, `printf -v …`. Of two computed words side by side,
 * the first may be such an option.
 */
function testReads(args: readonly Word[]): boolean {
  return args.every((word, at) => {
    if (/[[$`]/.test(word.text.replace(/^\[\[?|\]\]?$/g, '')) || /^-[vR]/.test(word.text)) return false;
    return !mayBeOption(word) || args[at + 1] === undefined || !mayBeOption(args[at + 1] ?? word);
  });
}

const dateOptions = options('uRj|dIrf|date= iso-8601 rfc-3339= utc universal rfc-email reference=|operands=1');

function dateReads(args: readonly Word[]): boolean {
  return operandsOf(args, dateOptions)?.every(({ text }) => text.startsWith('+')) ?? false;
}

/** PowerShell and cmd. */
const windows = new Set(
  'ls dir cat type echo pwd cd head tail wc grep findstr where whoami gci gc gi get-childitem get-content get-location get-item test-path resolve-path select-string measure-object get-filehash select-object select sort-object group-object measure format-table ft format-list fl out-string out-host out-null convertto-json convertfrom-json'.split(
    ' ',
  ),
);

export function onlyReadsOnWindows(program: string, args: readonly Word[]): boolean {
  const name = program.toLowerCase().replace(/\.exe$/, '');
  if (windows.has(name)) return true;
  if (name === 'hostname') return args.length === 0;
  return name === 'rg' && onlyReads('rg', args);
}

// Programs differ in whether a delimiter in brackets counts: not allowed.
const pieces = (mark: string) => String.raw`(?:[^${mark}\\\n[]|\\[^\n]|\[\^?\]?[^\]${mark}\\\n]*\])*`;
const pattern = String.raw`\/${pieces('\\/')}\/I?`;
const place = String.raw`(?:\d+|\$|${pattern})`;
const address = String.raw`(?:${place}(?:,(?:[+~]?\d+|${place}))?\s*!?\s*)?`;
const substitute = (mark: string) =>
  String.raw`s${mark}${pieces(mark)}${mark}(?:[^${mark}\\\n]|\\[^\n])*${mark}[gpIi\d]*`;
const command = String.raw`(?:[pdD=lNnGHhPx]|q\d*|${substitute('\\/')}|${substitute('\\|')}|${substitute('#')}|${substitute(',')})`;
const printing = new RegExp(String.raw`^\s*(?:${address}${command}\s*(?:[;\n]\s*|$))+$`);

const sedOptions = options('nErsuz||quiet silent regexp-extended null-data separate|');

export function sedReads(args: readonly Word[]): boolean {
  const scripts: Word[] = [];
  const rest: Word[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    const script = word.text === '-e' || word.text === '--expression' ? args[++at] : undefined;
    if (script) scripts.push(script);
    else rest.push(word);
  }
  const operands = operandsOf(rest, sedOptions);
  if (operands === null) return false;
  const [first] = operands;
  const all = scripts.length > 0 ? scripts : first ? [first] : [];
  return all.length > 0 && all.every((script) => isKnown(script) && printing.test(script.text));
}

const awkOptions = options('|Fv|field-separator= assign=|');

/** `>` and `|` write to files and programs; a comparison in parentheses is not told apart, and so refused. */
export function awkReads(args: readonly Word[]): boolean {
  const operands = operandsOf(args, awkOptions);
  const [program] = operands ?? [];
  if (program === undefined || !isKnown(program)) return false;
  const text = compared(program.text.replaceAll('||', ' ').replaceAll('>=', ' '));
  return !/[>|@`]|system|getline|close|include|load/i.test(text);
}

/** Before the first action nothing is printed: there, `>` compares. */
function compared(program: string): string {
  const [condition = ''] = /^[^{]*/.exec(program) ?? [];
  const isPlain = !condition.includes('print') && /^[\w$\s.<>=!&()+*%-]*$/.test(condition);
  return isPlain ? condition.replaceAll('>', ' ') + program.slice(condition.length) : program;
}
