/**
 * What programs change, by rule, because no list of programs could be complete: formatters and fixers rewrite the files
 * or the folder that they are given, package managers their manifests, and checks nothing but what an option writes.
 * Held files are compared after each call: what this misses is reported, and can be restored.
 */
import { isKnown, lineOf, type Word } from './word.ts';

const here: Word = { text: '.', glob: false };

function operands(args: readonly Word[]): string[] {
  return args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
}

const managers: readonly [RegExp, string][] = [
  [
    /^(?:npm|pnpm|yarn|bun)$/,
    'package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml pnpm-workspace.yaml yarn.lock .yarnrc.yml bun.lock bun.lockb',
  ],
  [/^cargo$/, 'Cargo.toml Cargo.lock'],
  [/^go$/, 'go.mod go.sum go.work go.work.sum'],
  [/^(?:poetry|uv|pdm|pipenv|rye|hatch)$/, 'pyproject.toml poetry.lock uv.lock pdm.lock Pipfile Pipfile.lock'],
  [/^bundle$/, 'Gemfile Gemfile.lock'],
  [/^composer$/, 'composer.json composer.lock'],
  [/^mix$/, 'mix.exs mix.lock'],
  [/^(?:dart|flutter)$/, 'pubspec.yaml pubspec.lock'],
  [/^terraform$/, '.terraform.lock.hcl'],
];
const managing =
  /^(?:i|in|install|add|rm|r|remove|un|uninstall|up|update|upgrade|require|lock|version|pkg|set|link|unlink|init|dedupe|shrinkwrap|import|sync|get|mod|work|generate-lockfile|deps\..*|pub|providers|audit)$/;
const asking = /^(?:pkg get|version --help|audit(?! fix)|mod (?:graph|why|verify|download)|pub deps|set script$)/;

/** The manifests that a package manager changes. */
export function manifestsOf(program: string, args: readonly Word[]): readonly string[] {
  const [, files] = managers.find(([name]) => name.test(program)) ?? [];
  if (files === undefined) return [];
  const [verb = '', part = ''] = operands(args);
  const at = args.findIndex(({ text }) => text === verb);
  // An option with a value may stand before the verb.
  const isValue = at > 0 && args[at - 1]?.text.startsWith('-') === true;
  const isManaging = managing.test(verb) ? !asking.test(`${verb} ${part}`) : managing.test(part) && isValue;
  return isManaging ? files.split(' ') : [];
}

const rewritingVerb = /^(?:fmt|format|fix|tidy)(?:[:_-](?!check).*)?$|[:_-](?:fix|write|format)$/;
const rewritingFlag =
  /^--?(?:fix|write|in-?place|apply|autofix|auto-correct|autocorrect|unsafe-fixes|fix-\w+|update-all)(?:=|$)/;
const rewritingLetter =
  /^(?:gofmt|goimports|gofumpt|prettier|biome|clang-format|shfmt|yapf|autopep8|djlint|buildifier|dprint|rubocop|rufo|stylua|taplo|yq|swiftformat|ktlint|uncrustify|astyle|dos2unix|sqlfluff|nixfmt|ast-grep|sg) -[wiUAa]$/;
const rewriting =
  /^(?:black|isort|rustfmt|standard|autopep8|nixpkgs-fmt|alejandra|zprint|dos2unix|unix2dos|swiftformat|google-java-format|pyupgrade)$/;
/** The letters mean other things elsewhere, or show what is rewritten as well. */
const looking =
  /^\S+ --?(?:check|check-only|dry-run|list-different|no-fix|no-write|verify|help|version)(?:=(?:true|1)|$)|^(?:gofmt|shfmt) -[ld]$|^(?:black|isort) --diff$|^go -n$/;
const runners = /^(?:npm|pnpm|yarn|bun|make|just|task|nx|turbo|rake)$/;

/**
 * The files and folders that a formatter or fixer rewrites: the folder it is started in where it is given none. Null for
 * another program, and for one that only looks.
 */
export function rewritesFolder(program: string, args: readonly Word[]): Word[] | null {
  const isFlag = args.some(({ text }) => rewritingFlag.test(text) || rewritingLetter.test(`${program} ${text}`));
  // What is behind a script, and whether it gets the flag, only the script knows.
  const isScript = runners.test(program) || /^(?:ast-grep|sg)$/.test(program);
  if (!isFlag && !isScript && args.some(({ text }) => looking.test(`${program} ${text}`))) return null;
  const isVerb = operands(args)
    .slice(0, 2)
    .some((text) => rewritingVerb.test(text));
  if (!(isVerb && manifestsOf(program, args).length === 0) && !isFlag && !rewriting.test(program)) return null;
  const isVerbOf = (text: string) => rewritingVerb.test(text) || /^(?:check|lint|run|ci|exec)$/.test(text);
  const given = args.filter(({ text }, at) => !text.startsWith('-') && !(at < 2 && isVerbOf(text)));
  if (given.length === 0 || isScript) return [here];
  return given.map((word) => ({ ...word, text: word.text.replace(/\/?\.\.\.$/, '') || '.' }));
}

/** `yarn test`, `pnpm run lint:fix`: a script, and no program of the project. */
export function isOwnScript(program: string, args: readonly Word[]): boolean {
  const [first = '', second = ''] = operands(args);
  const name = /^(?:run|run-script)$/.test(first) ? second : first;
  return rewritingVerb.test(name) || testNames(program, args).size > 0;
}

const testScript = /^(?:t|tst|test|tests|e2e|spec|coverage|typecheck|bench)(?:[:_-].*)?$/;
/** Options whose value is a file that is written: `--output-file`, `-test.trace`, `--coverage.reportsDirectory`. */
const writingOption =
  /^--?[\w.-]*(?:o|out[\w.-]*|file|dest\w*|report[\w.-]*|option\w*|write|dir\w*|path|trace|log\w*|xml|save\w*)$/i;

/** The words that only name tests: of `npm test -- src/a.test.js`, not what an option or `make test OUT=a.js` writes. */
export function testNames(program: string, args: readonly Word[]): ReadonlySet<Word> {
  const texts = operands(args);
  const script = /^(?:run|run-script)$/.test(texts[0] ?? '') ? texts[1] : texts[0];
  const isRunner = runners.test(program) || program === 'go' || program === 'cargo';
  if (!isRunner || !testScript.test(script ?? '') || args.some(({ text }) => rewritingFlag.test(text)))
    return new Set();
  const isName = ({ text }: Word, at: number) => !/^-|=/.test(text) && !writingOption.test(args[at - 1]?.text ?? '');
  return new Set(args.filter(isName));
}

/** They check or build a project, send what they are given elsewhere, or show it, and change no file that they name. */
const checks =
  /^(?:eslint|prettier|code|less|more|bat(?:cat)?|p?kill|killall|jest|vitest|mocha|ava|playwright|pytest|mypy|pyright|flake8|pylint|stylelint|markdownlint|oxlint|knip|depcruise|shellcheck|hadolint|actionlint|yamllint|madge|rubocop|gofmt|goimports|esbuild|cmake(?=.* (?:-B|--build))(?!.* -[EP])|(?:vue-)?tsc(?=.* --(?:noEmit|showConfig)\b)|(?:black|isort)(?=.* --(?:check|check-only|diff)\b)|ruff (?:check|format(?=.* --(?:check|diff)\b))|biome (?:check|lint|ci)|go (?:vet|test|build|install|run)|cargo (?:check|clippy|test|tree|fmt(?=.* --check\b))|(?:uv )?pip3? install|docker (?:buildx )?build|gh (?:api|pr|issue|workflow|label|auth|search|status|variable|secret|browse))(?: |$)/;
/** Options of theirs after which the next word is no file that is written. Letters that write somewhere are left out. */
const plainOption =
  /^(?:-[^-=ioutwABIOUW]{1,3}|--?(?:no-[\w-]+|quiet|verbose|watch\w*|coverage|cov|check[\w-]*|strict|ci|bail|silent|runInBand|run|noEmit|pretty|colou?rs?|ext|max-warnings|f?grep|spec|require|project|config|filter|reporters?|test\w*Pattern|timeout|retries|workers|headed|debug|ui|related|changed|exit|parallel|jobs|recursive|list-different|ignore[\w-]*|format|diff|select|exclude|extend-\w+|all|workspace|lib|bins|tests?|release|all-targets|all-features|features|package|maxfail|tb|durations|lf|ff|exitfirst|last-failed|failed-first|collect-only|passWithNoTests|skipLibCheck|showConfig|severity|shell|print-config|count|goto|wait|race|short|requirement|upgrade|editable|tag|build-arg|platform|title|body|cache|plain|line-length|forbid-only|warn|deny|allow|bundle|minify|circular|pull|follow)(?:=.*)?)$/;

/** The words of such a program that may be files which it writes; null for another one, and for one that rewrites. */
export function writtenByCheck(program: string, args: readonly Word[]): Word[] | null {
  const texts = args.map(({ text }) => text);
  if (!checks.test(lineOf([program, ...texts])) || rewritesFolder(program, args)) return null;
  // `less '+!rm x'`, `gh pr checkout`, `jest -u`
  if (texts.some((text) => /^\+(?!\d*[gGF]?$)|^-u$|^--update/.test(text)) || texts[1] === 'checkout') return null;
  // `docker build -t app`, but `pip install -t src`.
  const isPlain = (text: string) => plainOption.test(text) || (text === '-t' && !/^(?:pip3?|uv)$/.test(program));
  return args.filter(({ text }, at) => {
    const before = texts[at - 1] ?? '';
    return text.startsWith('-') ? !isPlain(text) : before.startsWith('-') && before !== '--' && !isPlain(before);
  });
}

/** They change the files that they are given, or the one after their option for it. */
const changers = new Set(
  'rm rmdir mv cp touch ln tee sponge dd truncate chmod chown chgrp install rsync tar unzip zip gzip gunzip split shred unlink rename'.split(
    ' ',
  ),
);
const writers = /^(?:xz|unxz|p?bzip2|bunzip2|(?:un)?zstd|(?:un)?lzma|pigz|trash(?:-put)?|uniq|strip|objcopy)$/;

export function isChanger(program: string): boolean {
  return changers.has(program);
}

export function isWriter(program: string, args: readonly Word[]): boolean {
  if (changers.has(program) || writers.test(program)) return true;
  const hasOutput = args.some(({ text }) => /^-[a-zA-Z]*o|^--?(?:o|\w*out)/.test(text));
  return hasOutput && /^(?:sort|shuf|iconv|openssl|base64)$/.test(program);
}

/** They unpack into the folder they are started in, unless an option names another or they only list. */
const unpacking: readonly [program: RegExp, listing: RegExp | null, folder: RegExp | null][] = [
  [/^unzip/, /^-[a-zA-Z]*[lptvzZ]/, /^-[a-zA-Z]*d$|^-d./],
  [/^7za? /, /^[lti]$/, /^-o./],
  [/^(?:cpio|pax|unar|unrar|tarfile|gh (?:release|run) download) /, null, null],
  [/^(?:bsd|g)?tar /, null, /^-[a-zA-Z]*C$|^--directory/],
];

/** Whether it writes files that no word names into the folder it is started in; null for a program of another kind. */
export function unpacksHere(program: string, args: readonly Word[]): boolean | null {
  const line = `${lineOf([program, ...args.map(({ text }) => text)])} `;
  const [, listing, folder] = unpacking.find(([name]) => name.test(line)) ?? [];
  if (listing === undefined) return null;
  return listing?.test(args[0]?.text ?? '') !== true && !args.some(({ text }) => folder?.test(text) === true);
}

const tarOption =
  /^(?:-[cruAtxzjJZvfpPhaCkX]+|--(?:create|extract|get|list|append|update|gzip|bzip2|xz|zstd|verbose|file(?:=.*)?|directory(?:=.*)?|exclude(?:=.*)?|exclude-vcs|strip-components=\d+|no-same-owner))$/;

/**
 * The archive that a `tar` writes, where it is clear that it writes nothing else; `unpacks`, or `runs` for options that
 * may run programs or name absolute places.
 */
export function tarOf([first, ...more]: readonly Word[]): Word[] | 'runs' | 'unpacks' {
  if (first === undefined || ![first, ...more].every(isKnown)) return 'runs';
  // `tar xzf x` has the letters without a dash.
  const args = [first.text.startsWith('-') ? first : { ...first, text: `-${first.text}` }, ...more];
  const options = args.map(({ text }) => text).filter((text) => text.startsWith('-'));
  const has = (option: RegExp) => options.some((text) => option.test(text));
  if (!options.every((text) => tarOption.test(text)) || has(/^-\w*P/)) return 'runs';
  if (has(/^-\w*x|^--(?:extract|get)$/)) return 'unpacks';
  if (has(/^-\w*t|^--list$/)) return [];
  return args.filter(({ text }, at) => /^-\w*f$|^--file$/.test(args[at - 1]?.text ?? '') || text.startsWith('--file='));
}

/** Lines that run other programs, compute the names of files they write, or bring the worktree into another state. */
const kinds: readonly [line: RegExp, kind: string][] = [
  [
    /^(?:gh (?:(?:-R|--repo)[= ]?\S+ )?(?:pr (?:checkout|co)|co|repo sync|issue develop .*(?:-c|--checkout))|(?:hub|gt|graphite|git-town|git-branchless|lazygit|gitui|tig|git-(?:lfs|checkout|restore|reset|stash|merge|rebase|pull|switch|clean|rm|am|apply|read-tree|checkout-index|revert|cherry-pick))|(?:hg|svn|jj|sl) (?:.* )?(?:abandon|backout|checkout|clean|co|edit|goto|graft|import|merge|new|next|patch|prev|purge|rebase|restore|revert|shelve|switch|undo|unshelve|up|update))(?: |$)/,
    'worktree',
  ],
  [/^fd(?:find)? (?:.* )?(?:-[a-zA-Z]*[xX]|--exec)/, 'programs that fd runs for each file'],
  [/^zip (?:.* )?(?:-\w*TT|--un)/, 'a program that zip runs'],
  [/^file (?:.* )?(?:-\w*C|--c)/, 'a compiled file, named after another'],
  [/^split (?:.* )?--(?:additional|filter)/, 'names that split computes'],
  [/^make (?:.* )?(?:-|-f-|--eval\S*|--file=-|\/dev\/stdin)(?: |$)/, 'what make evaluates'],
  [/^print (?:.* )?-\w*[^rnlNoOcDi-]/, 'what print evaluates'],
  [/^(?:hash|fc|r|at|batch|crontab|tmux|screen|parallel|rename|prename|csplit|zmv|mmv)(?: |$)/, 'what it runs later'],
];

/** `worktree`, or what cannot be followed; null for another line. */
export function kindOf(line: string): string | null {
  return kinds.find(([form]) => form.test(line))?.[1] ?? null;
}

/** What `curl` and `wget` save: the word after an option, or a name that is taken from the address, or by the server. */
export function savedBy(program: string, args: readonly Word[]): Word[] {
  if (program !== 'curl' && program !== 'wget') return [];
  const line = lineOf([program, ...args.map(({ text }) => text)]);
  const saving = /^(?:-[a-zA-Z]*[oO]|--output(?:-document)?)$/;
  // A computed word may be an option.
  const isSure = !args.some(({ text }) => saving.test(text)) || args.every(({ unknown }) => unknown !== 'split');
  const named = args
    .filter((_, at) => !isSure || saving.test(args[at - 1]?.text ?? ''))
    // `#1` stands for a part of the address, which may have a pattern.
    .map((word) => ({ ...word, text: word.text.replace(/#\d.*$/s, '*') }));
  const isPlain =
    program === 'wget'
      ? args.every(isKnown) && /^wget(?: (?:[^-]\S*|-[qOcNPS]+|--quiet|-[OP]\S+))*$/.test(line)
      : !/ (?:-[a-zA-Z#0-9]*[JK]|--(?:remote-(?!name )|output-|config|next)|-:)/.test(`${line} `);
  if (!isPlain) return [...named, here];
  if (program === 'curl' && !/ (?:-[a-zA-Z#0-9]*O|--remote-name(?: |$))/.test(line)) return named;
  const names = operands(args).map((text) => text.replace(/[?#].*$/, '').replace(/^.*\//, ''));
  return [...named, ...names.map((text) => ({ ...here, text: /[{[]/.test(text) ? '.' : text || '.' }))];
}
