/**
 * What programs change by their kind, whatever their name: formatters and fixers rewrite the files or the folder that they
 * are given, package managers their manifests. By rule, because no list of such programs could be complete.
 */
import type { Word } from './word.ts';

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
  // An option with a value may stand before the verb.
  const isManaging = managing.test(verb) ? !asking.test(`${verb} ${part}`) : managing.test(part) && before(args, verb);
  return isManaging ? files.split(' ') : [];
}

function operands(args: readonly Word[]): string[] {
  return args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
}

function before(args: readonly Word[], value: string): boolean {
  const at = args.findIndex(({ text }) => text === value);
  return at > 0 && args[at - 1]?.text.startsWith('-') === true;
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

/** `ruff check --fix`, `go fmt ./...` */
function isVerbOf(text: string): boolean {
  return rewritingVerb.test(text) || /^(?:check|lint|run|ci|exec)$/.test(text);
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
