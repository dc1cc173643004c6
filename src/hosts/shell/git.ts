/** What a `git` command does to the files of the worktree. */
import {
  removalEffect,
  acting,
  computed,
  harmless,
  isKnown,
  lineOf,
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
  /^(?:(?:add|commit|fetch|push|ls-remote|tag|branch|remote|gc|notes|prune|update-index|stage|maintenance|reflog|fsck|show-ref|symbolic-ref|update-ref|pack-refs|repack|range-diff|whatchanged|show-branch|cherry|verify-commit|verify-tag|verify-pack|hash-object|write-tree|mktree|merge-tree|fetch-pack|var|request-pull|replace|count-objects|get-tar-commit-id|fmt-merge-msg|check-ref-format|annotate|help|ls-tree|merge-base|rev-list|name-rev|for-each-ref|check-(?:ignore|attr)|diff-(?:tree|index|files)|cat-file -[ptse] \S+)(?: .*)?|checkout -[bB] [^-]\S*|switch (?:-[cC]|--create) [^-]\S*|reset(?: (?:--soft|--mixed|-q|--quiet|--|[^-]\S*))*|restore (?:[^-]\S* )*--staged(?: (?:--|--staged|[^-]\S*))*|rerere (?:status|diff|forget|clear|gc).*|submodule (?:status|summary).*|clean (?:-[dxX]+ )*(?:-[dxX]*n[dxX]*|--dry-run)(?: -[ndxX]+)*)$/s;
/** Their operands are the files that change, and they select nothing else. */
const changesNamed =
  /^(?:(?:init|clone|archive|bundle|format-patch|config|rm|mv|worktree) ?|(?:restore|clean)(?: (?:-[SWfdqxX]+|--(?:worktree|staged|force|quiet|source=\S+)))* (?:-- )?(?!-)|(?:checkout(?: [^-]\S*)?|stash push.*) -- )/;
/** Git takes any beginning of an option that is no other's. These run programs, or write files that they name. */
const runsOther =
  /^(?:--(?:u(?!pdate(?:-|$)|nshallow$|ntracked|nset|nified|se-)|exe?c?(?:=|$)|e(?:=|$)|rec(?!ur)|outp|ext-|open-f|text)|ext::|-O)/;
/**
 * A push updates the worktree of a folder where its settings say so, which an included file may say too. In git's patterns,
 * `:` starts a word that can mean all other files, and a backslash hides the letter after it.
 */
const wide =
  /^(?:config (?:.* )?(?:receive|include|includeif)(?:\.| |$)|push (?:.* )?(?:[.\/~]|file:|--rep)|(?:rm|restore|clean|checkout|stash) (?:.* )?(?::|--pathspec|\S*\\))/i;
/** The folder of the store is an ignored one. With `-e '!*'`, nothing is ignored. */
const cleaning = /^clean (?:.* )?(?:-\w*[xX]|\S*!)|^stash (?:.* )?(?:-\w*a|--al)/;

const plainSetting =
  /^(?:(?:color\.\w+|core\.quote[pP]ath|advice\.\w+|user\.(?:name|email)|commit\.gpgsign)=[\w .@-]*|core\.pager=cat|core\.fsmonitor=false)$/;

export interface GitParts {
  readonly subcommand: string | null;
  readonly rest: readonly Word[];
  /** Of `-C`; null for one that is unknown. */
  readonly folders: readonly (string | null)[];
}

/** Of the options before the subcommand, accepts only those that change no settings; `-c` can make git run programs. */
export function gitParts(args: readonly Word[], folders: GitParts['folders'] = []): GitParts {
  const [first, value, ...more] = args;
  const known = value !== undefined && isKnown(value) ? value.text : null;
  if (first?.text === '-C') return gitParts(more, [...folders, known]);
  if (first?.text === '-c' && known !== null && plainSetting.test(known)) return gitParts(more, folders);
  if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(first?.text ?? ''))
    return gitParts(args.slice(1), folders);
  if (first === undefined || !isKnown(first) || first.text.startsWith('-'))
    return { subcommand: null, rest: args, folders };
  return { subcommand: first.text, rest: args.slice(1), folders };
}

/** @param bases folders that the command may start in */
export function gitEffect(args: readonly Word[], bases: Folders, names: (words: readonly Word[]) => Effect): Effect {
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
  if (texts.some((text) => runsOther.test(text)) || /^clone (?:.* )?-\w*u/.test(line))
    return { ...names(rest), opaque: 'options of git that write or run programs' };
  const isWide = wide.test(line);
  if (
    !isWide &&
    leavesFiles.test(line) &&
    (/^(?!checkout|switch|reset|restore|clean)/.test(line) || rest.every(isKnown))
  )
    return acting;
  // No option of theirs writes or runs anything but what settings name.
  if (
    /^(?:blame|rev-parse|describe|shortlog|version|diff|log|show|status|ls-files|branch|tag|remote)(?: |$)/.test(line)
  )
    return { ...acting, configured };
  const cleans = cleaning.test(line);
  if (isWide || !changesNamed.test(line) || texts.some((text) => text.includes(computed)))
    return cleans ? { ...whole, paths: [...entered, { path: '.holdpoint', bases }] } : whole;
  const dashes = /^(?:checkout|stash)$/.test(subcommand) ? texts.indexOf('--') + 1 : 0;
  const found = names(rest.slice(dashes));
  return cleans ? removalEffect(found, 'hidden') : found;
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
