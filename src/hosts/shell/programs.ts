/**
 * What programs change, by rule, because no list of programs could be complete: formatters and fixers rewrite the files
 * or the folder that they are given, package managers their manifests, and checks nothing but what an option writes.
 * Held files are compared after each call: what this misses is reported, and can be restored.
 */
import { isKnown, type Word } from './word.ts';

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

function operands(args: readonly Word[]): string[] {
  return args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
}

const rewritingVerb = /^(?:fmt|format|fix|tidy)(?:[:_-](?!check).*)?$|[:_-](?:fix|write|format)$/;
const rewritingFlag =
  /^--?(?:fix|write|in-?place|apply|autofix|auto-correct|autocorrect|unsafe-fixes|fix-\w+|update-all)(?:=|$)/;
const rewritingLetter = /^-(?:w|i|U|A|a)$/;
/** Of these programs the letters do the same. */
const lettered =
  /^(?:gofmt|goimports|gofumpt|prettier|biome|clang-format|shfmt|yapf|autopep8|djlint|sql-formatter|buildifier|dprint|rubocop|rufo|stylua|taplo|yq|swiftformat|ktlint|uncrustify|astyle|dos2unix|sqlfluff|ormolu|fourmolu|nixfmt|latexindent|ast-grep|sg)$/;
const rewriting =
  /^(?:black|isort|rustfmt|standard|autopep8|nixpkgs-fmt|alejandra|zprint|dos2unix|unix2dos|swiftformat|google-java-format|pyupgrade)$/;
const lookingFlag =
  /^--?(?:check|check-only|dry-run|list-different|no-fix|no-write|verify|help|version)(?:=(?:true|1)|$)/;
/** Elsewhere these letters and names mean other things, or show what is rewritten as well. */
const lookingOf = /^(?:gofmt|shfmt) -[ld]$|^(?:black|isort) --diff$|^go -n$/;

/**
 * The files and folders that a formatter or fixer rewrites: the folder it is started in where it is given none. Null for
 * another program, and for one that only looks.
 */
export function rewritesFolder(program: string, args: readonly Word[]): Word[] | null {
  const isFlag = args.some(
    ({ text }) => rewritingFlag.test(text) || (lettered.test(program) && rewritingLetter.test(text)),
  );
  // What is behind a script, and whether it gets the flag, only the script knows.
  const onlyLooks = ({ text }: Word) => lookingFlag.test(text) || lookingOf.test(`${program} ${text}`);
  if (!isFlag && !isScript(program) && args.some(onlyLooks)) return null;
  const isVerb = operands(args)
    .slice(0, 2)
    .some((text) => rewritingVerb.test(text));
  const isManaged = manifestsOf(program, args).length > 0;
  if ((!isVerb || isManaged) && !isFlag && !rewriting.test(program)) return null;
  const isVerbOf = (text: string) => rewritingVerb.test(text) || /^(?:check|lint|run|ci|exec)$/.test(text);
  const given = args.filter(({ text }, at) => !text.startsWith('-') && !(at < 2 && isVerbOf(text)));
  if (given.length === 0 || isScript(program)) return [{ text: '.', glob: false }];
  return given.map((word) => ({ ...word, text: word.text.replace(/\/?\.\.\.$/, '') || '.' }));
}

/** Of `npm run format -- x`, only the script knows what it rewrites. */
function isScript(program: string): boolean {
  return /^(?:ast-grep|sg)$/.test(program) || (managersOfScripts.test(program) && !/^(?:go|cargo)$/.test(program));
}

/** `yarn format`, `pnpm run lint:fix` */
export function isRewritingScript(args: readonly Word[]): boolean {
  const [first = '', second = ''] = operands(args);
  return rewritingVerb.test(/^(?:run|run-script)$/.test(first) ? second : first);
}

const testScript = /^(?:t|tst|test|tests|e2e|spec|coverage|typecheck|bench)(?:[:_-].*)?$/;
const managersOfScripts = /^(?:npm|pnpm|yarn|bun|make|just|task|nx|turbo|rake|go|cargo)$/;

/** Options whose value is a file that is written: `--output-file`, `-test.trace`, `--coverage.reportsDirectory`. */
const writingOption =
  /^--?[\w.-]*(?:o|out[\w.-]*|file|dest\w*|report[\w.-]*|option\w*|write|dir\w*|path|trace|log\w*|xml|save\w*)$/i;

/** The words that only name tests: of `npm test -- src/a.test.js`, not what an option or `make test OUT=a.js` writes. */
export function testNames(program: string, args: readonly Word[]): ReadonlySet<Word> {
  const texts = operands(args);
  const script = /^(?:run|run-script)$/.test(texts[0] ?? '') ? texts[1] : texts[0];
  const isTest = managersOfScripts.test(program) && script !== undefined && testScript.test(script);
  if (!isTest || args.some(({ text }) => rewritingFlag.test(text))) return new Set();
  return new Set(
    args.filter(
      ({ text }, at) => !text.startsWith('-') && !text.includes('=') && !writingOption.test(args[at - 1]?.text ?? ''),
    ),
  );
}

/** They check or build a project, send what they are given elsewhere, or show it, and change no file that they name. */
const checks = new RegExp(
  `^(?:${[
    'eslint|prettier|code|less|more|bat(?:cat)?|p?kill|killall|jest|vitest|mocha|ava|playwright|pytest|mypy|pyright',
    'flake8|pylint|stylelint|markdownlint|oxlint|knip|depcruise|shellcheck|hadolint|actionlint|yamllint|madge|rubocop',
    'gofmt|goimports|esbuild|cmake(?=.* (?:-B|--build))(?!.* -[EP])|(?:vue-)?tsc(?=.* --(?:noEmit|showConfig)\\b)',
    '(?:black|isort)(?=.* --(?:check|check-only|diff)\\b)|ruff (?:check|format(?=.* --(?:check|diff)\\b))',
    'biome (?:check|lint|ci)|go (?:vet|test|build|install|run)|cargo (?:check|clippy|test|tree|fmt(?=.* --check\\b))',
    '(?:uv )?pip3? install|docker (?:buildx )?build',
    'gh (?:api|pr|issue|workflow|label|auth|search|status|variable|secret|browse)',
  ].join('|')})(?: |$)`,
);
/** Options of theirs after which the next word is no file that is written. Letters that write somewhere are left out. */
const plainOption = new RegExp(
  `^(?:-[^-=ioutwABIOUW]{1,3}|--?(?:${[
    'no-[\\w-]+|quiet|verbose|watch\\w*|coverage|cov|check\\w*|strict|ci|bail|silent|runInBand|run|noEmit|pretty|colou?rs?|ext',
    'max-warnings|grep|fgrep|spec|require|project|config|filter|reporters?|test\\w*Pattern|timeout|retries|workers|headed',
    'debug|ui|related|changed|exit|parallel|jobs|recursive|list-different|ignore[\\w-]*|format|diff|select|exclude|extend-\\w+',
    'all|workspace|lib|bins|tests?|release|all-targets|all-features|features|package|maxfail|tb|durations|lf|ff|exitfirst',
    'last-failed|failed-first|numprocesses|collect-only|passWithNoTests|skipLibCheck|showConfig|severity|shell|statistics',
    'print-config|count|show-source|goto|wait|race|short|requirement|upgrade|editable|tag|build-arg|platform|title|body|cache',
    'plain|check-only|line-length|forbid-only|full-trace|color|warn|deny|allow|bundle|minify|circular|pull|follow',
  ].join('|')})(?:=.*)?)$`,
);

/** The words of such a program that may be files which it writes; null for another one, and for one that rewrites. */
export function writtenByCheck(program: string, args: readonly Word[]): Word[] | null {
  const texts = args.map(({ text }) => text);
  if (!checks.test([program, ...texts].join(' ')) || rewritesFolder(program, args)) return null;
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
const writers = /^(?:xz|unxz|bzip2|bunzip2|zstd|unzstd|lzma|unlzma|pigz|trash(?:-put)?|uniq|strip|objcopy)$/;
const writersByOption = /^(?:sort|shuf|iconv|openssl|base64)$/;

export function isChanger(program: string): boolean {
  return changers.has(program);
}

export function isWriter(program: string, args: readonly Word[]): boolean {
  if (changers.has(program) || writers.test(program)) return true;
  return writersByOption.test(program) && args.some(({ text }) => /^-[a-zA-Z]*o|^--?(?:o|\w*out)/.test(text));
}

/** They unpack into the folder they are started in, unless an option names another or they only list. */
const unpacking: readonly [program: RegExp, listing: RegExp | null, folder: RegExp | null][] = [
  [/^unzip$/, /^-[a-zA-Z]*[lptvzZ]/, /^-[a-zA-Z]*d$|^-d./],
  [/^7za?$/, /^[lti]$/, /^-o./],
  [/^(?:cpio|pax|unar|unrar|tarfile)$/, null, null],
  [/^gh (?:release|run) download$/, null, null],
  [/^(?:bsd|g)?tar$/, null, /^-[a-zA-Z]*C$|^--directory/],
];

/** Whether it writes files that no word names into the folder it is started in; null for a program of another kind. */
export function unpacksHere(program: string, args: readonly Word[]): boolean | null {
  const found = unpacking.find(
    ([name]) => name.test(program) || name.test([program, args[0]?.text, args[1]?.text].join(' ')),
  );
  if (!found) return null;
  const [, listing, folder] = found;
  return listing?.test(args[0]?.text ?? '') !== true && !args.some(({ text }) => folder?.test(text) === true);
}

const tarOption =
  /^(?:-[cruAtxzjJZvfpPhaCkX]+|--(?:create|extract|get|list|append|update|gzip|bzip2|xz|zstd|verbose|file(?:=.*)?|directory(?:=.*)?|exclude(?:=.*)?|exclude-vcs|strip-components=\d+|no-same-owner))$/;

/** What a `tar` does: `runs` for options that may run programs or name absolute places; else the archive it writes. */
export function tarOf(args: readonly Word[]): 'unknown' | 'runs' | 'unpacks' | Word | null {
  const [first, ...more] = args;
  if (first === undefined || !args.every(isKnown)) return 'unknown';
  // `tar xzf x` has the letters without a dash.
  const letters = first.text.startsWith('-') ? first : { ...first, text: `-${first.text}` };
  const options = [letters, ...more].filter(({ text }) => text.startsWith('-'));
  const has = (letter: string, ...names: readonly string[]) =>
    options.some(({ text }) => (text.startsWith('--') ? names.includes(text.slice(2)) : text.includes(letter)));
  if (!options.every(({ text }) => tarOption.test(text)) || has('P')) return 'runs';
  if (has('x', 'extract', 'get')) return 'unpacks';
  if (has('t', 'list')) return null;
  const at = args.findIndex(
    ({ text }, index) => /^(?:-\w*f|--file)$/.test(text) || (index === 0 && /^\w*f$/.test(text)),
  );
  return args[at + 1] !== undefined && at >= 0 && !args.some(({ text }) => text.startsWith('--file='))
    ? (args[at + 1] ?? null)
    : 'unknown';
}
