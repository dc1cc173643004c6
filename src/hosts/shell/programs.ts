/**
 * Programs that only read, with the arguments for which that holds. Everything unlisted counts as a change: a list of
 * programs that write could never be complete; this one only has to be correct.
 */
import type { Word } from './words.ts';

type Check = (args: readonly Word[]) => boolean;

const always: Check = () => true;
const none: Check = (args) => args.length === 0;
/** Reads unless an argument matches, or a wildcard could expand to an option. */
const without =
  (forbidden: RegExp): Check =>
  (args) =>
    args.every(({ text, glob }) => !forbidden.test(text) && !(glob && /^[-*?[]/.test(text)));

const plain =
  'ls cat head tail wc grep egrep fgrep nl cut tr diff cmp comm basename dirname pwd echo true false which whoami id uname stat du df realpath readlink md5sum sha1sum sha256sum sha512sum cksum seq sleep printenv ps tac rev column fold expand od hexdump strings jq cd pushd popd';

const posix: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...plain.split(' ').map((name): [string, Check] => [name, always]),
  // Bash evaluates subscripts, quoted or not: `test -v 'a[$(rm x)]'`, `printf -v …`.
  ...['test', '[', 'printf'].map((name): [string, Check] => [name, without(/[[$`]|^-v/)]),
  ['env', none],
  ['hostname', none],
  ['date', (args) => args.every(({ text }) => /^(?:-u|-R|-I\w*|\+.*)$/.test(text))],
  ['type', always],
  ['file', without(/^(?:-[a-zA-Z]*C|--comp)/)],
  ['tree', without(/^(?:-[a-zA-Z]*[oR]|--output)/)],
  ['uniq', (args) => args.filter(({ text }) => !text.startsWith('-')).length <= 1 && !args.some(({ glob }) => glob)],
  ['find', without(/^-(?:exec|ok|delete|fprint|fls)/)],
  ['rg', without(/^--(?:pre|hostname)|^-[a-zA-Z]*z|^--search-zip/)],
  ['sort', sortReads],
  ['sed', sedReads],
  ['git', gitReads],
  ...'node npm npx pnpm yarn python python3 tsc cargo rustc go java ruby php gcc clang make cmake docker'
    .split(' ')
    .map((name): [string, Check] => [name, onlyVersion]),
]);

const windows: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...'ls dir cat type echo pwd cd head tail wc grep findstr where whoami hostname get-childitem get-content get-location get-item test-path resolve-path select-string measure-object get-filehash'
    .split(' ')
    .map((name): [string, Check] => [name, name === 'hostname' ? none : always]),
  ['rg', without(/^--(?:pre|hostname)|^-[a-zA-Z]*z|^--search-zip/)],
  ['git', gitReads],
]);

/** @param program name without folder */
export function onlyReads(program: string, args: readonly Word[], style: 'posix' | 'windows'): boolean {
  const check = style === 'posix' ? posix.get(program) : windows.get(program.toLowerCase().replace(/\.exe$/, ''));
  return check?.(args) ?? false;
}

function onlyVersion(args: readonly Word[]): boolean {
  return args.length === 1 && args[0]?.text === '--version';
}

/** `-o` writes, also as `-uo` or `--out`, or through a wildcard. */
function sortReads(args: readonly Word[]): boolean {
  return args.every(({ text, glob }) => {
    if (!text.startsWith('-')) return !(glob && /^[*?[]/.test(text));
    return /^-(?:[bdfghiMnRrVsuzcCm]+|k[\d.,bdfginrM]*|t.?)$/.test(text) || text === '--';
  });
}

/** Only `sed -n 10,20p file`: sed scripts can write files and run programs. */
function sedReads(args: readonly Word[]): boolean {
  const [flag, script, ...files] = args;
  return (
    flag?.text === '-n' &&
    /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/.test(script?.text ?? '') &&
    files.every(({ text, glob }) => !text.startsWith('-') && !(glob && /^[*?[]/.test(text)))
  );
}

const gitAlways = new Set(
  'status log diff show blame annotate rev-parse ls-files ls-tree describe shortlog cat-file merge-base rev-list name-rev for-each-ref grep count-objects diff-tree diff-index diff-files whatchanged check-ignore check-attr var version help'.split(
    ' ',
  ),
);
/** Long options may be abbreviated unambiguously. */
const gitForbidden = /^--(?:ou|ext|textc|filt|open|exec|upl)|^-O/;

function gitReads(args: readonly Word[]): boolean {
  const { subcommand, rest } = gitParts(args);
  if (subcommand === null || !without(gitForbidden)(rest)) return false;
  const texts = rest.map(({ text }) => text);
  const only = (...allowed: string[]) => texts.every((text) => allowed.includes(text));
  switch (subcommand) {
    case 'branch':
      return only('-a', '-r', '-v', '-vv', '--all', '--remotes', '--list', '--show-current', '--no-color');
    case 'tag':
      return only('-l', '--list', '-n');
    case 'remote':
      return only('-v', '--verbose');
    case 'stash':
      return texts[0] === 'list' || texts[0] === 'show';
    case 'worktree':
      return texts[0] === 'list';
    case 'reflog':
      return texts.length === 0 || texts[0] === 'show';
    case 'config':
      return ['--get', '--get-all', '--list', '-l'].includes(texts[0] ?? '');
    default:
      return gitAlways.has(subcommand);
  }
}

/** Of the options before the subcommand, accepts only those that change no settings; `-c` can make git run programs. */
export function gitParts(args: readonly Word[]): {
  readonly subcommand: string | null;
  readonly rest: readonly Word[];
} {
  let at = 0;
  for (;;) {
    const text = args[at]?.text;
    if (text === '--no-pager' || text === '--no-optional-locks') at++;
    else if (text === '-C') at += 2;
    else break;
  }
  const subcommand = args[at];
  if (subcommand === undefined || subcommand.glob || subcommand.text.startsWith('-'))
    return { subcommand: null, rest: [] };
  return { subcommand: subcommand.text, rest: args.slice(at + 1) };
}
