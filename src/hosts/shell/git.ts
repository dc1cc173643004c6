/** What a `git` command does to the files of the worktree. */
import { removed } from './names.ts';
import {
  operandsOf,
  options,
  acting,
  computed,
  harmless,
  isKnown,
  opaque,
  type Effect,
  type Folders,
  type Word,
} from './word.ts';

const log = `oneline graph all decorate stat numstat shortstat name-only name-status summary patch no-patch cached staged follow format= pretty date= author= committer= grep= since= until= after= before= max-count= skip= reverse merges no-merges first-parent abbrev-commit abbrev color no-color word-diff color-words unified= ignore-all-space ignore-space-change ignore-blank-lines ignore-space-at-eol minimal histogram patience diff-algorithm= diff-filter= find-renames find-copies find-copies-harder no-renames relative no-ext-diff no-textconv exit-code quiet check full-index binary raw inter-hunk-context= no-prefix src-prefix= dst-prefix= left-right boundary topo-order date-order cherry cherry-pick cherry-mark parents children objects no-walk simplify-by-decoration ancestry-path count branches tags remotes merge-base function-context full-history`;
/** Flags, options with a value, and long names. Abbreviated names are not on the list. */
const reading: Readonly<Record<string, string>> = {
  status:
    'sbvuz||short branch long porcelain verbose show-stash ahead-behind no-ahead-behind untracked-files ignored ignore-submodules renames no-renames column no-column',
  log: `0123456789pcgirstuwzbaEFPWRBCDM|nLSGU|${log}`,
  show: `0123456789pcgirstuwzbaEFPWRBCDM|nLSGU|${log}`,
  diff: `pstuwzbaWRBCDM|SGUlI|${log} no-index no-color-moved color-moved`,
  blame:
    'befklnpstwcCM|LS|line-porcelain porcelain incremental show-email show-name show-number date= ignore-rev= ignore-revs-file= root color-lines abbrev=',
  'rev-parse':
    'q||show-toplevel git-dir git-common-dir show-prefix show-cdup is-inside-work-tree is-bare-repository abbrev-ref symbolic symbolic-full-name verify short quiet absolute-git-dir all branches tags remotes revs-only no-revs show-current',
  'ls-files':
    'cdmoiskuvztf|x|cached deleted modified others ignored stage unmerged full-name error-unmatch recurse-submodules directory no-empty-directory exclude-standard exclude= eol deduplicate',
  'ls-tree': 'rtdlz||name-only name-status long full-name full-tree abbrev',
  describe: '||tags always dirty long match= exclude= abbrev exact-match contains all first-parent',
  shortlog: 'nsec||summary numbered email group= since= until= no-merges all',
  'cat-file': 'tspe||batch-check',
  'merge-base': 'a||all octopus fork-point is-ancestor independent',
  'rev-list': `0123456789|n|${log} oneline bisect use-bitmap-index disk-usage`,
  'name-rev': '||tags name-only always',
  'for-each-ref': '||format= sort= count= contains= merged= no-merged= points-at=',
  grep: '0123456789niIrlLcvwWhHEFPGaqzoe|eABCfm|line-number ignore-case word-regexp files-with-matches files-without-match count perl-regexp extended-regexp fixed-strings and or not heading break function-context show-function max-depth= threads= untracked no-index cached name-only column only-matching all-match color recurse-submodules invert-match context= after-context= before-context= null quiet max-count= exclude-standard no-exclude-standard text',
  'count-objects': 'vH||verbose human-readable',
  'diff-tree': `rtpszcmuwb|SG|${log} root no-commit-id`,
  'diff-index': `pszm|SG|${log}`,
  'diff-files': `psz|SG|${log}`,
  'check-ignore': 'vnzq||verbose non-matching quiet no-index',
  'check-attr': 'az||all cached',
  version: '||build-options',
  branch:
    'arvl||all remotes verbose list show-current no-color color sort= contains= no-contains= merged no-merged points-at= format=|operands=0',
  tag: 'ln||list sort= format= points-at= contains=|operands=0',
  remote: 'v||verbose|operands=0',
};

/** Subcommands of subcommands. */
const readingParts: ReadonlySet<string> = new Set(
  'stash list,stash show,worktree list,reflog show,remote get-url,config list,config get,bisect log,notes list'.split(
    ',',
  ),
);
const partOptions = options(
  'pulz|n|list show-origin show-scope stat name-only patch porcelain global local system all name-only get get-all get-regexp date= oneline|',
);

/** They change the index, references or the repository, but no file. Names of files in them only select. */
const leavesFiles = new Set(
  'add commit fetch ls-remote tag branch remote gc notes prune update-index stage maintenance reflog fsck show-ref symbolic-ref update-ref pack-refs repack range-diff whatchanged show-branch cherry verify-commit verify-tag verify-pack hash-object write-tree mktree merge-tree fetch-pack var request-pull replace count-objects get-tar-commit-id fmt-merge-msg check-ref-format annotate help'.split(
    ' ',
  ),
);
/** Their operands are the files that change; what they select is nothing else. */
const changesNamed = new Set(
  'init clone archive bundle format-patch config rm mv diff log show status worktree ls-files'.split(' '),
);

export interface GitParts {
  readonly subcommand: string | null;
  readonly rest: readonly Word[];
  /** Of `-C`; null for one that is unknown. */
  readonly folders: readonly (string | null)[];
}

/** Of the options before the subcommand, accepts only those that change no settings; `-c` can make git run programs. */
export function gitParts(args: readonly Word[]): GitParts {
  const folders: (string | null)[] = [];
  let at = 0;
  for (;;) {
    const text = args[at]?.text;
    if (text === '--no-pager' || text === '-P' || text === '--no-optional-locks' || text === '--literal-pathspecs')
      at++;
    else if (text === '-c' && isKnownSetting(args[at + 1])) at += 2;
    else if (text === '-C') {
      const folder = args[at + 1];
      folders.push(folder && isKnown(folder) ? folder.text : null);
      at += 2;
    } else break;
  }
  const subcommand = args[at];
  if (subcommand === undefined || !isKnown(subcommand) || subcommand.text.startsWith('-'))
    return { subcommand: null, rest: args.slice(at), folders };
  return { subcommand: subcommand.text, rest: args.slice(at + 1), folders };
}

function isKnownSetting(word: Word | undefined): boolean {
  return (
    word !== undefined &&
    isKnown(word) &&
    /^(?:(?:color\.\w+|core\.quote[pP]ath|advice\.\w+|user\.(?:name|email)|commit\.gpgsign|core\.fsmonitor)=(?:false|true|never|auto|always|[\w .@-]*)|core\.pager=cat|core\.fsmonitor=false)$/.test(
      word.text,
    ) &&
    !/^core\.fsmonitor=(?!false$)/.test(word.text)
  );
}

/** @param bases folders that the command may start in */
export function gitEffect(
  args: readonly Word[],
  bases: Folders,
  names: (words: readonly Word[], fills?: boolean) => Effect,
): Effect {
  const { subcommand, rest, folders } = gitParts(args);
  const places = folders.length === 0 ? bases : [...bases, ...folders];
  const entered = places.flatMap((path) => (path === null || path === '.' ? [] : [{ path, bases: ['.'] }]));
  const whole: Effect = { ...acting, wholeTree: true, paths: entered };
  if (subcommand === null)
    return rest.length === 0 || (rest.length === 1 && /^(?:--version|-v|--help)$/.test(rest[0]?.text ?? ''))
      ? harmless
      : { ...whole, opaque: 'options of git before its subcommand' };
  if (reads(subcommand, rest)) return { ...harmless, configured: [{ program: 'git', folders: places }] };
  const texts = rest.map(({ text }) => text);
  // Git takes any beginning of an option that is no other's.
  const runsOther =
    /^--(?:u(?!pdate(?:-|$)|nshallow$|ntracked|nset|nified|se-)|exe?c?(?:=|$)|e(?:=|$)|rec(?!ur))|ext::/;
  if (
    texts.some((text) => runsOther.test(text)) ||
    (subcommand === 'clone' && texts.some((text) => /^-\w*u/.test(text)))
  )
    return opaque('a git command that runs another program');
  if (
    texts.some((text) => /^--(?:output|pathspec-from|ext-|open-f|text)/.test(text) || text.startsWith('-O')) &&
    reading[subcommand] !== undefined
  )
    return { ...names(rest), opaque: 'options of git that write or run programs' };
  // With `receive.denyCurrentBranch`, it changes the worktree of the other side, which may be this one.
  if (subcommand === 'push')
    return texts.some((text) => /^(?:\.|\/|~|file:|--rep)/.test(text))
      ? whole
      : { ...acting, configured: [{ program: 'git push', folders: places, remote: remoteOf(rest) }] };
  // `updateInstead` lets a push change files; an included file may say so.
  if (subcommand === 'config' && texts.some((text) => /^(?:receive|include|includeif)(?:\.|$)/i.test(text)))
    return whole;
  if (changesNamed.has(subcommand) && mayMatchMore(subcommand, texts)) return whole;
  if (isIndexOnly(subcommand, rest) || (subcommand === 'submodule' && /^(?:status|summary)$/.test(texts[0] ?? '')))
    return acting;
  const paths = selected(subcommand, rest);
  if (paths !== null) return cleansIgnored(subcommand, texts) ? removed(names(paths), 'hidden') : names(paths);
  if (leavesFiles.has(subcommand)) return acting;
  const configured = [{ program: 'git', folders: places } as const];
  if (changesNamed.has(subcommand)) {
    const named = names(rest, subcommand === 'clone');
    return reading[subcommand] === undefined ? named : { ...named, configured: [...named.configured, ...configured] };
  }
  // No option of theirs writes or runs anything but what settings name.
  if (reading[subcommand] !== undefined && !/^(?:grep|cat-file|diff-.*)$/.test(subcommand))
    return { ...acting, configured };
  return cleansIgnored(subcommand, texts)
    ? { ...whole, paths: [...whole.paths, { path: '.holdpoint', bases }] }
    : whole;
}

/** The folder of the store is an ignored one. */
function cleansIgnored(subcommand: string, texts: readonly string[]): boolean {
  // With `-e '!*'`, nothing is ignored.
  if (subcommand === 'clean') return texts.some((text) => /^-\w*[xX]|!/.test(text));
  return subcommand === 'stash' && texts.some((text) => /^-\w*a|^--al/.test(text));
}

function reads(subcommand: string, rest: readonly Word[]): boolean {
  const [part, ...more] = rest;
  // Without -n, it asks the other side, by programs that settings name.
  if (subcommand === 'remote' && part?.text === 'show') return more[0]?.text === '-n' && more.length === 2;
  if (part !== undefined && readingParts.has(`${subcommand} ${part.text}`))
    return operandsOf(more, partOptions) !== null;
  if (subcommand === 'config' && /^(?:--(?:get|get-all|get-regexp|list)|-l)$/.test(part?.text ?? ''))
    return operandsOf(rest, partOptions) !== null;
  if (subcommand === 'reflog' && rest.length === 0) return true;
  const line = Object.hasOwn(reading, subcommand) ? reading[subcommand] : undefined;
  if (line === undefined) return false;
  const lists = rest.some(({ text }) => text === '-l' || text === '--list');
  const allowed = options(line);
  return operandsOf(rest, lists ? { ...allowed, operands: Infinity } : allowed) !== null;
}

/** Starts a branch where it is, or changes only what is staged or noted. */
function isIndexOnly(subcommand: string, rest: readonly Word[]): boolean {
  const texts = rest.map(({ text }) => text);
  if (!rest.every(isKnown)) return false;
  if (subcommand === 'checkout')
    return texts.length === 2 && (texts[0] === '-b' || texts[0] === '-B') && isName(texts[1]);
  if (subcommand === 'switch')
    return texts.length === 2 && /^(?:-c|-C|--create)$/.test(texts[0] ?? '') && isName(texts[1]);
  if (subcommand === 'reset')
    return texts.every((text) => !text.startsWith('-') || /^(?:--soft|--mixed|-q|--quiet|--)$/.test(text));
  if (subcommand === 'restore')
    return (
      texts.includes('--staged') && texts.every((text) => !text.startsWith('-') || text === '--staged' || text === '--')
    );
  if (subcommand === 'rerere') return /^(?:status|diff|forget|clear|gc)$/.test(texts[0] ?? '');
  if (subcommand === 'clean')
    return (
      texts.length > 0 &&
      texts.every((text) => /^-[dxX]*n[dxX]*$|^--dry-run$|^-[dxX]+$/.test(text)) &&
      texts.some((text) => /n|dry/.test(text))
    );
  return false;
}

function isName(text: string | undefined): boolean {
  return text !== undefined && !text.startsWith('-');
}

/** The first operand; null where there is none, or it is not known which one that is. */
function remoteOf(rest: readonly Word[]): string | null {
  const [remote] = operandsOf(rest, pushing) ?? [];
  return remote !== undefined && isKnown(remote) ? remote.text : null;
}

const pushing = options(
  'unfqvd46|o|set-upstream dry-run force force-with-lease force-if-includes no-verify verify all branches mirror tags follow-tags no-follow-tags delete prune porcelain quiet verbose progress no-progress atomic no-atomic thin no-thin signed no-signed ipv4 ipv6 push-option= no-force-with-lease|',
);

/**
 * Whether `git rm` may remove files that it does not name. In git's patterns, `:` starts a word that can mean all other
 * files, and a backslash hides the letter after it.
 */
function mayMatchMore(subcommand: string, texts: readonly string[]): boolean {
  return subcommand === 'rm' && texts.some((text) => /^:|\\|^--pathspec/.test(text));
}

const selecting: ReadonlyMap<string, RegExp> = new Map([
  ['checkout', /^(?:--worktree|--staged|--source=.*|-[SW]+)$/],
  ['restore', /^(?:--worktree|--staged|--source=.*|-[SW]+)$/],
  ['clean', /^(?:-[fdqxX]+|--force|--quiet)$/],
  ['stash', /^(?:-[kqu]|--keep-index|--no-keep-index|--quiet|--include-untracked|-m|--message(?:=.*)?)$/],
]);

/** The files after `--`, or of `git restore` and `git clean`; null where it may change others. */
function selected(subcommand: string, all: readonly Word[]): Word[] | null {
  const allowed = selecting.get(subcommand);
  if (allowed === undefined || (subcommand === 'stash' && all[0]?.text !== 'push')) return null;
  const rest =
    subcommand === 'stash' ? all.slice(1).filter((_, at) => !/^(?:-m|--message)$/.test(all[at]?.text ?? '')) : all;
  const needsDashes = subcommand === 'checkout' || subcommand === 'stash';
  const dashes = rest.findIndex(({ text }) => text === '--');
  const before = dashes < 0 ? (needsDashes ? [] : rest) : rest.slice(0, dashes);
  const after = dashes < 0 ? [] : rest.slice(dashes + 1);
  if (dashes < 0 && needsDashes) return null;
  const isOption = ({ text }: Word) => text.startsWith('-');
  if (before.some((word) => isOption(word) && !allowed.test(word.text))) return null;
  const paths = needsDashes ? after : [...before.filter((word) => !isOption(word)), ...after];
  // `:/` and `:(top)` start at the root of the worktree; git takes `\r` for `r`.
  if (paths.length === 0 || paths.some(({ text }) => /^:|\\/.test(text) || text.includes(computed))) return null;
  return paths;
}

/** Whether it leads, or may lead, to a repository on this machine. */
export function isLocalAddress(address: string): boolean {
  const [, scheme, host] = /^([a-z][a-z\d+.-]*):\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)/i.exec(address) ?? [];
  if (scheme !== undefined) return /^file$/i.test(scheme) || isThisMachine(host ?? '');
  // `ext::sh -c …`
  if (/^[\w+.-]+::/.test(address)) return true;
  // `git@host:path`; `C:\path` is a drive.
  const [, place] = /^(?:[^/@]*@)?([^/:]{2,}):/.exec(address) ?? [];
  return place === undefined || isThisMachine(place);
}

function isThisMachine(host: string): boolean {
  return /^(?:|localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[?::1\]?)$/i.test(host);
}
