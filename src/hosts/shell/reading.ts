/**
 * Programs that only read, with the options for which that holds. Everything unlisted is treated as a change: a list of
 * what writes could never be complete; this one only has to be correct.
 */
import { operandsOf, options, isKnown, mayBeOption, type Word } from './word.ts';

/** Programs of which no option writes or runs anything. */
const plain = new Set(
  'echo true false : ps ls cat head tail wc egrep fgrep nl cut tr cmp comm basename dirname pwd which whoami id uname stat du df realpath readlink md5sum sha1sum sha256sum sha512sum cksum b2sum shasum seq sleep printenv tac rev column fold expand unexpand od hexdump strings jq nproc free uptime groups tty arch locale wait'.split(
    ' ',
  ),
);

const digits = '0123456789';
/** Of the others: `flags|flags with a value|long names|operands=N`; with `any`, no option at all writes. */
const listed: Readonly<Record<string, string>> = {
  grep: `${digits}abcEFGhHiIlLnoPqRrsTUuvVwxyzZ|ABCDdefm|extended-regexp fixed-strings basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case invert-match word-regexp line-regexp count color colour files-with-matches files-without-match max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= line-number initial-tab null after-context= before-context= context= text binary-files= devices= directories= exclude= exclude-from= exclude-dir= include= recursive dereference-recursive null-data line-buffered|any`,
  diff: `${digits}abBcdeEHiNnpqrstTuwyZ|CDFISUWx|brief unified context= side-by-side recursive ignore-all-space ignore-space-change ignore-blank-lines ignore-case new-file report-identical-files color text width= exclude= label= minimal speed-large-files strip-trailing-cr suppress-common-lines no-dereference|any`,
  tree: `adfilpsugDhFqNQrtcUnCASXJv|LIPHT|dirsfirst noreport charset= filelimit= prune gitignore du si matchdirs ignore-case|`,
  file: `bhikLNnprsv0S|F|brief mime mime-type mime-encoding dereference no-dereference keep-going raw version separator=|`,
  uniq: `cdDiuz|fsw|count repeated all-repeated unique ignore-case skip-fields= skip-chars= check-chars= zero-terminated|operands=1`,
  sort: `bcCdfghiMmnrRsuVz|kt|key= field-separator= numeric-sort reverse unique human-numeric-sort version-sort ignore-case stable general-numeric-sort random-sort zero-terminated check month-sort ignore-leading-blanks dictionary-order sort=|`,
  rg: `0acFHhiIlLnNopPqsSTuUvwx.|ABCdefgjMmrtTE|files type= type-not= glob= iglob= hidden no-ignore no-ignore-vcs files-with-matches files-without-match count count-matches line-number no-line-number no-heading heading json only-matching max-count= max-depth= context= after-context= before-context= ignore-case smart-case case-sensitive fixed-strings word-regexp multiline multiline-dotall pcre2 stats sort= sortr= color= colors= column vimgrep follow with-filename no-filename replace= passthru trim type-list no-messages text max-columns= max-filesize= max-columns-preview encoding= null invert-match quiet regexp= file= crlf byte-offset pretty|`,
  date: 'uRj|dIrf|date= iso-8601 rfc-3339= utc universal rfc-email reference=|operands=1',
};

/** GET requests to standard output; `-w` may write files. */
const fetching = options(
  'sSLfkivIgNn46#|HAebmur|silent show-error location fail head include insecure max-time= connect-timeout= header= user-agent= user= url= get compressed retry= retry-delay= verbose http1.1 http2 ipv4 ipv6 no-progress-meter fail-with-body noproxy= resolve= retry-connrefused|',
);

export function fetchesOnly(args: readonly Word[]): boolean {
  return operandsOf(args, fetching) !== null;
}

const versioned =
  /^(?:node|npx|npm|bun|deno|python3?|tsc|go|java|ruby|php|gcc|g\+\+|clang|make|cmake|docker|podman|perl|git|gh|kubectl|terraform|helm|dotnet|uv|pip3?|poetry)$/;

/** @param program name without folder */
export function onlyReads(program: string, args: readonly Word[]): boolean {
  if (plain.has(program)) return true;
  const check = Object.hasOwn(special, program) ? special[program] : undefined;
  if (check) return check(args);
  const texts = args.map(({ text }) => text);
  // Zsh evaluates what follows as an expression, with the commands in its subscripts.
  if (/^(?:exit|return|break|continue|shift)$/.test(program))
    return args.every((word) => word.unknown === 'number' || (isKnown(word) && /^\d+$/.test(word.text)));
  if (versioned.test(program) && /^(?:--version|-v|-V|version)$/.test(texts.join(' '))) return true;
  const line = Object.hasOwn(listed, program) ? listed[program] : undefined;
  const operands = line === undefined ? null : operandsOf(args, options(line));
  return operands !== null && (program !== 'date' || operands.every(({ text }) => text.startsWith('+')));
}

const special: Readonly<Record<string, (args: readonly Word[]) => boolean>> = {
  test: testReads,
  '[': testReads,
  printf: printfReads,
  env: (args) => args.length === 0,
  hostname: (args) => /^(?:-[fsidA])?$/.test(args.map(({ text }) => text).join(' ')),
  type: (args) => args.every((word) => isKnown(word) && /^(?:-[aftpP]+|[\w./+-]+)$/.test(word.text)),
  command: ([first]) => /^-[vV]$/.test(first?.text ?? ''),
  find: findReads,
  sed: sedReads,
  awk: awkReads,
  gawk: awkReads,
  mawk: awkReads,
};

/** Zsh evaluates what it prints as a number. */
function printfReads(args: readonly Word[]): boolean {
  const [format, ...values] = args;
  const isText = format !== undefined && isKnown(format) && !/%[^%a-zA-Z]*(?![sbq%])[a-zA-Z*]/.test(format.text);
  return testReads(args) && (isText || values.every(({ unknown }) => unknown === undefined || unknown === 'number'));
}

/**
 * Bash evaluates subscripts, quoted or not: `test -v 'a[$(rm x)]'`, `printf -v …`. Of two computed words side by side,
 * the first may be such an option.
 */
function testReads(args: readonly Word[]): boolean {
  return args.every((word, at) => {
    if (/[[$`]/.test(word.text.replace(/^\[\[?|\]\]?$/g, '')) || /^-[vR]/.test(word.text)) return false;
    const next = args[at + 1];
    return !mayBeOption(word) || next === undefined || !mayBeOption(next);
  });
}

const windows = new Set(
  'ls dir cat type echo pwd cd head tail wc grep findstr where whoami gci gc gi get-childitem get-content get-location get-item test-path resolve-path select-string measure-object get-filehash select-object sort-object group-object measure format-table ft format-list fl out-string out-host out-null convertto-json convertfrom-json'.split(
    ' ',
  ),
);

export function onlyReadsOnWindows(program: string, args: readonly Word[]): boolean {
  return (
    windows.has(program) || (program === 'hostname' && args.length === 0) || (program === 'rg' && onlyReads('rg', args))
  );
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

const sedOptions = options('nErsuz||quiet silent regexp-extended null-data separate');
const awkOptions = options('|Fv|field-separator= assign=');

function sedReads(args: readonly Word[]): boolean {
  const isMark = (word: Word | undefined) => word?.text === '-e' || word?.text === '--expression';
  const scripts = args.filter((_, at) => isMark(args[at - 1]));
  const operands = operandsOf(
    args.filter((word, at) => !isMark(word) && !isMark(args[at - 1])),
    sedOptions,
  );
  if (operands === null) return false;
  const all = scripts.length > 0 ? scripts : operands.slice(0, 1);
  return all.length > 0 && all.every((script) => isKnown(script) && printing.test(script.text));
}

/** `>` and `|` write to files and programs. Before the first action nothing is printed: there, `>` compares. */
function awkReads(args: readonly Word[]): boolean {
  const [program] = operandsOf(args, awkOptions) ?? [];
  if (program === undefined || !isKnown(program)) return false;
  const text = program.text.replaceAll('||', ' ').replaceAll('>=', ' ');
  const condition = /^[^{]*/.exec(text)?.[0] ?? '';
  const isPlain = !condition.includes('print') && /^[\w$\s.<>=!&()+*%-]*$/.test(condition);
  const printed = isPlain ? text.slice(condition.length) : text;
  return !/[>|@`]/.test(printed) && !/[|@`]|system|getline|close|include|load/i.test(text);
}

const findTests =
  /^(?:[!(),]|-(?:i?(?:name|path|wholename|regex|lname)|x?type|(?:max|min)depth|not|and|or|a|o|size|[acm](?:time|min)|[ac]?newer|empty|prune|print0?|ls|depth|d|follow|[LHPEsx]|perm|user|group|links|inum|samefile|readable|writable|executable|daystart|mount|xdev|quit|true|false|nouser|nogroup|\d+))$/;
export const findValued =
  /^-(?:i?(?:name|path|wholename|regex|lname)|type|newer\w*|user|group|perm|size|links|\w?(?:time|min)|(?:max|min)depth)$/;

/** Its tests, and programs after `-exec` that only read. */
function findReads(args: readonly Word[]): boolean {
  const at = args.findIndex(({ text }) => /^-exec(?:dir)?$/.test(text));
  const others = at < 0 ? args : args.slice(0, at);
  const isTest = ({ text, glob, unknown }: Word, index: number) => {
    if (unknown !== undefined || (glob && /^[*?[]/.test(text))) return false;
    return !/^[-!(]/.test(text) || findTests.test(text) || findValued.test(others[index - 1]?.text ?? '');
  };
  if (!others.every(isTest)) return false;
  if (at < 0) return true;
  // The name of a file found below an operand: not an option, but of unknown text.
  const [program, ...inner] = args
    .slice(at + 1, -1)
    .map((one) => (one.text.includes('{}') ? { ...one, text: `./${one.text}`, glob: true } : one));
  const end = args.at(-1)?.text;
  const isWhole = end === ';' || (end === '+' && args.at(-2)?.text === '{}');
  const isOne = !inner.some(({ text }) => text === ';' || text === '+' || /^-(?:exec|ok)/.test(text));
  return isWhole && isOne && program !== undefined && isKnown(program) && onlyReads(program.text, inner);
}

// The verbs of `holdpoint` with which a held agent asks, records and looks. Every other verb counts as one that changes
// files. A test compares this with the command line's verbs, which hooks must not load.

const asking =
  // `restore` puts held files back as they were when the hold began.
  'question rfc work gate restore briefing post resolve supersede search request responsibility relationship dashboard history keys open help inbox watch reminders'.split(
    ' ',
  );
const changingWith: Readonly<Record<string, readonly string[]>> = {
  audit: ['--export'],
  check: ['--markdown'],
  export: ['--out'],
};

export const verbNames: readonly string[] = [...asking, ...Object.keys(changingWith)];

export function asksHoldpoint(args: readonly Word[]): boolean {
  const verb = args.find(({ text }, index) => !text.startsWith('-') && args[index - 1]?.text !== '--workspace');
  if (verb === undefined) return args.every(({ text }) => text === '--help' || text === '--version');
  if (!isKnown(verb)) return false;
  if (asking.includes(verb.text)) return true;
  const options = Object.hasOwn(changingWith, verb.text) ? changingWith[verb.text] : undefined;
  // The shell may substitute other words.
  const isOther = ({ text, glob, unknown }: Word) =>
    glob || unknown === 'split' || options?.some((option) => text === option || text.startsWith(`${option}=`)) === true;
  return options !== undefined && !args.some(isOther);
}
