/**
 * What programs change, by rule, because no list of programs could be complete. Held files are compared after each call:
 * what this misses is reported, and can be restored.
 */
import { lineOf, type Word } from './word.ts';

export const here: Word = { text: '.', glob: false };

export function operands(args: readonly Word[]): Word[] {
  return args.filter(({ text }) => !text.startsWith('-'));
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
  const [verb = '', part = ''] = operands(args).map(({ text }) => text);
  // `npm --prefix x install`: an option with a value may stand before the verb.
  const manages = managing.test(verb) ? !asking.test(`${verb} ${part}`) : args[0]?.text !== verb && managing.test(part);
  return files !== undefined && manages ? files.split(' ') : [];
}

const rewritingVerb =
  /^(?:fmt|format|fix|tidy|codemod|spotlessApply)(?:[:_-](?!check).*)?$|[:_-](?:fix|write|format|apply)$/;
const rewritingFlag =
  /^--?(?:fix|fix-\w+|write|in-?place|apply|auto-?(?:fix|correct)|unsafe-fixes|update-all|update-?snapshots?|snapshot-update)(?:=|$)/;
/** The letters mean other things elsewhere. */
const rewritingLetter =
  /^(?:(?:jest|vitest|ava) -u|go generate)$|^(?:go(?:fmt|imports|fumpt)|prettier|biome|clang-format|shfmt|yapf|autopep8|djlint|buildifier|rubocop|rufo|stylua|yq|swiftformat|ktlint|astyle|dos2unix|sqlfluff|ast-grep|sg) -[wiUAa]$/;
const rewriting = /^(?:black|isort|rustfmt|standard|autopep8|dos2unix|unix2dos|swiftformat|pyupgrade)$/;
/** They run scripts: what is behind one, and whether it gets a flag, only the script knows. */
const scripts = /^(?:npm|pnpm|yarn|bun|make|just|task|nx|turbo|rake|ast-grep|sg)$/;
const looking =
  / --?(?:check|check-only|dry-run|list-different|no-fix|no-write|verify|help|version)(?:=(?:true|1))? |^(?:gofmt|shfmt) -[ld] |^(?:black|isort) .*--diff |^go .*-n /;

/**
 * The files and folders that a formatter or fixer rewrites: the folder it is started in where it is given none. Null for
 * another program, and for one that only looks.
 */
export function rewritesFolder(program: string, args: readonly Word[]): Word[] | null {
  const isFlag = args.some(({ text }) => rewritingFlag.test(text) || rewritingLetter.test(`${program} ${text}`));
  const isScript = scripts.test(program);
  if (!isFlag && !isScript && looking.test(`${lineOf([program, ...args.map(({ text }) => text)])} `)) return null;
  const isVerb = [
    program,
    ...operands(args)
      .slice(0, 2)
      .map(({ text }) => text),
  ].some((text) => rewritingVerb.test(text));
  if (!(isVerb && manifestsOf(program, args).length === 0) && !isFlag && !rewriting.test(program)) return null;
  const given = operands(args).filter(
    ({ text }, at) =>
      at > 0 || (!rewritingVerb.test(text) && !/^(?:check|lint|run|ci|apply|generate|clippy)$/.test(text)),
  );
  if (given.length === 0 || isScript) return [here];
  return given.map((word) => ({ ...word, text: word.text.replace(/\/?\.\.\.$/, '') || '.' }));
}

/** They check or build a project, send what they are given elsewhere, or show it, and change no file that they name. */
const checks =
  /^(?:fd(?:find)?|eslint|prettier|code|less|more|bat(?:cat)?|p?kill|killall|jest|vitest|mocha|ava|playwright|pytest|mypy|pyright|flake8|pylint|stylelint|markdownlint|oxlint|knip|depcruise|shellcheck|hadolint|actionlint|yamllint|madge|rubocop|gofmt|goimports|esbuild|cmake(?=.* (?:-B|--build))(?!.* -[EP])|(?:vue-)?tsc(?=.* --(?:noEmit|showConfig)\b)|(?:black|isort)(?=.* --(?:check|check-only|diff)\b)|ruff (?:check|format(?=.* --(?:check|diff)\b))|biome (?:check|lint|ci)|go (?:vet|test|build|install|run)|cargo (?:check|clippy|test|tree|fmt(?=.* --check\b))|(?:npm|pnpm|yarn|bun|make|just|task|nx|turbo|rake)(?: run(?:-script)?)? (?:t|tst|tests?|e2e|spec|coverage|typecheck|bench)(?:[:_-]\S*)?|(?:uv )?pip3? install|docker (?:buildx )?build|gh (?:api|pr|issue|workflow|label|auth|search|status|variable|secret|browse))(?: |$)/;
/** Options whose value is a file that is written: `--output-file`, `-test.trace`, `--coverage.reportsDirectory`. */
const writingOption =
  /^--?[\w.-]*(?:o|out[\w.-]*|file|dest\w*|report[\w.-]*|option\w*|write|dir\w*|path|trace|log\w*|xml|save\w*|profile|image|temp|target|location)$|^-[BtD]$/i;

/** The words of such a program that may be files which it writes; null for another one, and for one that rewrites. */
export function writtenByCheck(program: string, args: readonly Word[]): Word[] | null {
  const texts = args.map(({ text }) => text);
  if (!checks.test(lineOf([program, ...texts])) || rewritesFolder(program, args)) return null;
  // `less '+!rm x'`, `gh pr checkout`, `jest -u`
  if (texts.some((text) => /^\+(?!\d*[gGF]?$)|^-u$|^--update/.test(text)) || texts[1] === 'checkout') return null;
  // `docker build -t app`, but `pip install -t src`.
  const writes = (text: string) => writingOption.test(text) && (text !== '-t' || /^(?:pip3?|uv)$/.test(program));
  return args.filter(({ text }, at) => {
    const [name = '', value] = text.split('=');
    return value === undefined
      ? writes(texts[at - 1] ?? '') || /^-[BoD]./.test(text)
      : !name.startsWith('-') || writes(name);
  });
}

/** They change the files that they are given. */
const changers =
  /^(?:rm|rmdir|mv|cp|touch|ln|tee|sponge|dd|truncate|chmod|chown|chgrp|install|rsync|tar|unzip|zip|gzip|gunzip|split|shred|unlink|rename|xz|unxz|p?bzip2|bunzip2|(?:un)?zstd|(?:un)?lzma|pigz|trash(?:-put)?|uniq|strip|objcopy)$/;

export function isChanger(program: string): boolean {
  return changers.test(program);
}

export function isWriter(program: string, args: readonly Word[]): boolean {
  const hasOutput = args.some(({ text }) => /^-[a-zA-Z]*o|^--?(?:o|\w*out)/.test(text));
  return isChanger(program) || (hasOutput && /^(?:sort|shuf|iconv|openssl|base64)$/.test(program));
}

/** They write files that no word names into the folder that they are started in, or that an option names. */
const unpacking =
  /^(?:unzip (?!-[a-zA-Z]*[lptvzZ])(?!.*-d)|7za? (?![lti] )(?!.* -o)|(?:cpio|pax|unar|unrar|tarfile|gh (?:release|run) download) |wget (?!.*-\w*O)|curl .*(?:-[a-zA-Z#0-9]*[OJK]|--(?:remote|output-|config|next)|-:))/;

export function unpacksHere(line: string): boolean {
  return unpacking.test(`${line} `);
}

/** The archive that a `tar` writes, where it is clear that it writes nothing else; null where it unpacks. */
export function archiveOf([letters, archive, ...more]: readonly Word[]): Word[] | null {
  const isPlain =
    /^-?[ctzjJvh]+f?$/.test(letters?.text ?? '') && more.every(({ text }) => !/^-(?!C$|-exclude)/.test(text));
  if (!isPlain || archive?.unknown !== undefined) return null;
  return archive === undefined || letters?.text.includes('t') === true ? [] : [archive];
}

/** Lines that run other programs, compute the names of files they write, or bring the worktree into another state. */
const kinds: readonly [line: RegExp, kind: string][] = [
  [/^(?:test|\[|printf|exit|return|break|continue|shift) /, 'plain'],
  [
    /^(?:gh (?:(?:-R|--repo)[= ]?\S+ )?(?:pr (?:checkout|co)|co|repo sync|issue develop .*(?:-c|--checkout))|(?:hub|gt|graphite|git-town|git-branchless|lazygit|gitui|tig|git-(?:lfs|checkout|restore|reset|stash|merge|rebase|pull|switch|clean|rm|am|apply|read-tree|checkout-index|revert|cherry-pick))|(?:hg|svn|jj|sl) (?:.* )?(?:abandon|backout|checkout|clean|co|edit|goto|graft|import|merge|new|next|patch|prev|purge|rebase|restore|revert|shelve|switch|undo|unshelve|up|update)) /,
    'worktree',
  ],
  [/^fd(?:find)? (?:.* )?(?:-[a-zA-Z]*[xX]|--exec)/, 'programs that fd runs for each file'],
  [/^zip (?:.* )?(?:-\w*TT|--un)/, 'a program that zip runs'],
  [/^file (?:.* )?(?:-\w*C|--c)/, 'a compiled file, named after another'],
  [/^split (?:.* )?--(?:additional|filter)/, 'names that split computes'],
  [/^make (?:.* )?(?:-|-f-|--eval\S*|--file=-|\/dev\/stdin) /, 'what make evaluates'],
  [/^print (?:.* )?-\w*[^rnlNoOcDi-]/, 'what print evaluates'],
  [/^env (?:.* )?-(?:\w*S|-split)/, 'words that env splits'],
  [/^(?:npx|npm exec)(?: (?:-p|--package) \S+| -\S+)* (?:-c|--call)[= ]/, 'a command line of npx'],
  [/^find (?:.* )?-files0/, 'folders that a file names'],
  [
    /^tar (?:.* )?(?:-\w*[PIFg]|\w*P\w* |--(?:to-|check|use-|rsh|rmt|listed|info|new-vol|abs|remove))/,
    'options of tar',
  ],
  [/^(?:hash|fc|r|at|batch|crontab|tmux|screen|parallel|rename|prename|csplit|zmv|mmv) /, 'what it runs later'],
];

/** `plain`, `worktree`, or what cannot be followed; null for another line. */
export function kindOf(line: string): string | null {
  return kinds.find(([form]) => form.test(`${line} `))?.[1] ?? null;
}
