/** What a `git` command does to the files of the worktree. */
import {
  removalEffect,
  acting,
  computed,
  harmless,
  isKnown,
  lineOf,
  opaque,
  operandsOf,
  options,
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
  describe: '||tags always dirty long match= exclude= abbrev exact-match contains all first-parent',
  shortlog: 'nsec||summary numbered email group= since= until= no-merges all',
  grep: '0123456789niIrlLcvwWhHEFPGaqzoe|eABCfm|line-number ignore-case word-regexp files-with-matches files-without-match count perl-regexp extended-regexp fixed-strings and or not heading break function-context show-function max-depth= threads= untracked no-index cached name-only column only-matching all-match color recurse-submodules invert-match context= after-context= before-context= null quiet max-count= exclude-standard no-exclude-standard text',
  version: '||build-options',
  branch:
    'arvl||all remotes verbose list show-current no-color color sort= contains= no-contains= merged no-merged points-at= format=|operands=0',
  tag: 'ln||list sort= format= points-at= contains=|operands=0',
  remote: 'v||verbose|operands=0',
};

const readingPart =
  /^(?:stash (?:list|show)|worktree list|reflog show|remote get-url|config (?:list|get|--get|--get-all|--get-regexp|--list|-l)|bisect log|notes list)$/;
const partOptions =
  'pulz|n|list show-origin show-scope stat name-only patch porcelain global local system all name-only get get-all get-regexp date= oneline';

/**
 * They change the index, references or the repository, but no file: names of files in them only select. `reset`,
 * `checkout` and the others do so with these options alone.
 */
const leavesFiles =
  /^(?:(?:add|commit|fetch|ls-remote|tag|branch|remote|gc|notes|prune|update-index|stage|maintenance|reflog|fsck|show-ref|symbolic-ref|update-ref|pack-refs|repack|range-diff|whatchanged|show-branch|cherry|verify-commit|verify-tag|verify-pack|hash-object|write-tree|mktree|merge-tree|fetch-pack|var|request-pull|replace|count-objects|get-tar-commit-id|fmt-merge-msg|check-ref-format|annotate|help|ls-tree|merge-base|rev-list|name-rev|for-each-ref|check-(?:ignore|attr)|diff-(?:tree|index|files)|cat-file -[ptse] \S+)(?: .*)?|checkout -[bB] [^-]\S*|switch (?:-[cC]|--create) [^-]\S*|reset(?: (?:--soft|--mixed|-q|--quiet|--|[^-]\S*))*|restore (?:[^-]\S* )*--staged(?: (?:--|--staged|[^-]\S*))*|rerere (?:status|diff|forget|clear|gc).*|submodule (?:status|summary).*|clean (?:-[dxX]+ )*(?:-[dxX]*n[dxX]*|--dry-run)(?: -[ndxX]+)*)$/s;
/** Their operands are the files that change, and they select nothing else. */
const changesNamed = /^(?:init|clone|archive|bundle|format-patch|config|rm|mv|diff|log|show|status|worktree|ls-files)$/;
/** Git takes any beginning of an option that is no other's. */
const runsOther = /^--(?:u(?!pdate(?:-|$)|nshallow$|ntracked|nset|nified|se-)|exe?c?(?:=|$)|e(?:=|$)|rec(?!ur))|^ext::/;

export interface GitParts {
  readonly subcommand: string | null;
  readonly rest: readonly Word[];
  /** Of `-C`; null for one that is unknown. */
  readonly folders: readonly (string | null)[];
}

const plainSetting =
  /^(?:(?:color\.\w+|core\.quote[pP]ath|advice\.\w+|user\.(?:name|email)|commit\.gpgsign)=[\w .@-]*|core\.pager=cat|core\.fsmonitor=false)$/;

/** Of the options before the subcommand, accepts only those that change no settings; `-c` can make git run programs. */
export function gitParts(args: readonly Word[]): GitParts {
  const folders: (string | null)[] = [];
  let at = 0;
  for (;;) {
    const text = args[at]?.text ?? '';
    const value = args[at + 1];
    const isSure = value !== undefined && isKnown(value);
    if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(text)) at++;
    else if (text === '-c' && isSure && plainSetting.test(value.text)) at += 2;
    else if (text === '-C') {
      folders.push(isSure ? value.text : null);
      at += 2;
    } else break;
  }
  const [subcommand, ...rest] = args.slice(at);
  if (subcommand === undefined || !isKnown(subcommand) || subcommand.text.startsWith('-'))
    return { subcommand: null, rest: args.slice(at), folders };
  return { subcommand: subcommand.text, rest, folders };
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
  const texts = rest.map(({ text }) => text);
  if (subcommand === null)
    return /^(?:--version|-v|--help|)$/.test(texts.join(' '))
      ? harmless
      : { ...whole, opaque: 'options of git before its subcommand' };
  const configured = [{ program: 'git', folders: places } as const];
  if (reads(subcommand, rest)) return { ...harmless, configured };
  const line = lineOf([subcommand, ...texts]);
  const isReading = Object.hasOwn(reading, subcommand);
  if (texts.some((text) => runsOther.test(text)) || /^clone (?:.* )?-\w*u/.test(line))
    return opaque('a git command that runs another program');
  if (isReading && texts.some((text) => /^(?:--(?:output|pathspec-from|ext-|open-f|text)|-O)/.test(text)))
    return { ...names(rest), opaque: 'options of git that write or run programs' };
  // It may change the worktree of the other side, which may be this one. Held files are compared after it.
  if (subcommand === 'push') return texts.some((text) => /^(?:\.|\/|~|file:|--rep)/.test(text)) ? whole : acting;
  // `updateInstead` lets a push change files; an included file may say so. In git's patterns, `:` starts a word that can
  // mean all other files, and a backslash hides the letter after it.
  const isWide = subcommand === 'config' ? /^(?:receive|include|includeif)(?:\.|$)/i : /^:|\\|^--pathspec/;
  if ((subcommand === 'config' || subcommand === 'rm') && texts.some((text) => isWide.test(text))) return whole;
  if (leavesFiles.test(line) && (/^(?!checkout|switch|reset|restore|clean)/.test(line) || rest.every(isKnown)))
    return acting;
  // The folder of the store is an ignored one. With `-e '!*'`, nothing is ignored.
  const cleans = /^clean (?:.* )?(?:-\w*[xX]|\S*!)|^stash (?:.* )?(?:-\w*a|--al)/.test(line);
  const paths = selectedPaths(subcommand, rest);
  if (paths !== null) return cleans ? removalEffect(names(paths), 'hidden') : names(paths);
  if (changesNamed.test(subcommand)) {
    const named = names(rest, subcommand === 'clone');
    return isReading ? { ...named, configured } : named;
  }
  // No option of theirs writes or runs anything but what settings name.
  if (isReading && subcommand !== 'grep') return { ...acting, configured };
  return cleans ? { ...whole, paths: [...whole.paths, { path: '.holdpoint', bases }] } : whole;
}

function reads(subcommand: string, rest: readonly Word[]): boolean {
  const [part, ...more] = rest;
  // Without -n, it asks the other side, by programs that settings name.
  if (subcommand === 'remote' && part?.text === 'show') return more[0]?.text === '-n' && more.length === 2;
  if (part !== undefined && readingPart.test(`${subcommand} ${part.text}`))
    return operandsOf(part.text.startsWith('-') ? rest : more, options(partOptions)) !== null;
  if (subcommand === 'reflog' && rest.length === 0) return true;
  if (!Object.hasOwn(reading, subcommand)) return false;
  const allowed = options(reading[subcommand] ?? '');
  const lists = rest.some(({ text }) => text === '-l' || text === '--list');
  return operandsOf(rest, lists ? { ...allowed, operands: Infinity } : allowed) !== null;
}

const selecting =
  /^(?:--worktree|--staged|--source=.*|-[SWfdqxXku]+|--force|--quiet|--(?:no-)?keep-index|--include-untracked|-m|--message(?:=.*)?)$/;

/** The files after `--`, or of `git restore` and `git clean`; null where it may change others. */
function selectedPaths(subcommand: string, all: readonly Word[]): Word[] | null {
  const isStash = subcommand === 'stash';
  if (!/^(?:checkout|restore|clean|stash)$/.test(subcommand) || (isStash && all[0]?.text !== 'push')) return null;
  const rest = isStash ? all.filter((_, at) => at > 0 && !/^(?:-m|--message)$/.test(all[at - 1]?.text ?? '')) : all;
  const dashes = rest.findIndex(({ text }) => text === '--');
  const isOption = ({ text }: Word) => text.startsWith('-');
  const before = rest.slice(0, dashes < 0 ? undefined : dashes);
  if (before.some((word) => isOption(word) && !selecting.test(word.text))) return null;
  const after = dashes < 0 ? [] : rest.slice(dashes + 1);
  const needsDashes = isStash || subcommand === 'checkout';
  const paths = needsDashes ? after : [...before.filter((word) => !isOption(word)), ...after];
  // `:/` and `:(top)` start at the root of the worktree; git takes `\r` for `r`.
  return paths.length === 0 || paths.some(({ text }) => /^:|\\/.test(text) || text.includes(computed)) ? null : paths;
}
