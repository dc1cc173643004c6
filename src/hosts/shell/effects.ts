/** What one simple command does to files: one rule over the tables of programs. */
import { gitEffect } from './git.ts';
import { filesOfPatch } from '../payload/toolKinds.ts';
import {
  namesEverything,
  removalEffect,
  acting,
  computed,
  harmless,
  isKnown,
  lineOf,
  opaque,
  mergeEffects,
  type Effect,
  type Step,
  type Word,
  isBuiltin,
} from './word.ts';
import { asksHoldpoint, fetchesOnly, findValued, onlyReads } from './reading.ts';

type RunScript = (text: string, step: Step) => Effect;

export function effectOf(step: Step, run: RunScript): Effect {
  const [program, ...args] = step.words;
  const written = step.writes.filter(({ text }) => !/^\/dev\/(?:null|stdout|stderr)$/.test(text));
  const writes = written.length === 0 ? harmless : namesEverything(written, step.bases, 'files');
  if (program === undefined)
    return mergeEffects([writes, step.inputs.length === 0 ? harmless : namesEverything(step.inputs, step.bases)]);
  if (!isKnown(program)) {
    const found = opaque('the name of a program that the shell computes');
    return mergeEffects([writes, found, namesEverything(step.words, step.bases)]);
  }
  const exact = program.text.replace(/^\/(?:usr\/)?bin\//, '');
  const reads = readingEffect(exact, args);
  if (reads) return mergeEffects([writes, reads]);
  // `/opt/homebrew/bin/git`, `cmd.exe`, and `GIT` where case does not matter. Nothing else may be known to only read.
  const found = programEffect(plainName(exact), step, run);
  return mergeEffects([writes, exact === plainName(exact) ? found : { ...found, readOnly: false }]);
}

export function plainName(program: string): string {
  return program
    .replace(/^.*\//, '')
    .toLowerCase()
    .replace(/\.exe$/, '');
}

function readingEffect(program: string, args: readonly Word[]): Effect | null {
  if (onlyReads(program, args) || (program === 'holdpoint' && asksHoldpoint(args))) return harmless;
  return program === 'curl' && fetchesOnly(args)
    ? { ...harmless, configured: [{ program: 'curl', folders: [] }] }
    : null;
}

function programEffect(program: string, step: Step, run: RunScript): Effect {
  const args = step.words.slice(1);
  const { bases } = step;
  const names = (words: readonly Word[]) => namesEverything(words, bases, 'files');
  if (program === 'git') return gitEffect(args, bases, names);
  const line = lineOf([program, ...args.map(({ text }) => text)]);
  if (switching.test(`${line} `)) return { ...names(args), wholeTree: true };
  const why = unread.find(([form]) => form.test(`${line} `))?.[1];
  if (why !== undefined) return mergeEffects([opaque(why), names(args)]);
  const checked = writtenByCheck(program, args);
  if (checked) return namesEverything(checked, bases);
  const isManager = manifestsOf(program, args).length > 0;
  const launched = isManager ? null : launchedEffect(line, step, run);
  if (launched) return launched;
  const isOther = isManager || rewritesFolder(program, args) !== null;
  return (
    (isOther ? null : interpreterEffect(program, step, run)) ??
    mergeEffects([otherEffect(program, step, line), ...innerEffects(step, run)])
  );
}

/** They run the program after them as it is. */
const wrapping =
  /^(?:nice(?: -n ?-?\d+)?|nohup|time(?: -p)?|command|timeout(?: -k [\w.]+)? [\d.]+[smhd]?|xargs(?: -[0rtx]+| -[nPLs] ?\d+)*) (?!-)/;
const filling = /^xargs(?: -[0rtpxo]+| -[nPLsdE] ?\S+| --(?:no-run-if-empty|null)| -[0rtpxo]*I ?\S+)* (?!-)/;
const launching =
  /^(?:npx|bunx|pnpx|(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)|(?:pnpm|yarn|bun(?! -))(?: run(?= \S))?|(?:uv|poetry|pipenv|pdm|rye|hatch) run|bundle exec|python[\d.]* -m|setsid|caffeinate|ionice|stdbuf|builtin)(?: -\S*)* (?!-)/;

function launchedEffect(line: string, step: Step, run: RunScript): Effect | null {
  const form = [wrapping, filling, launching].find((one) => one.test(line));
  if (form === undefined) return line.startsWith('xargs -') ? opaque('options of xargs') : null;
  const words = step.words.slice((form.exec(line)?.[0] ?? '').split(' ').length - 1);
  const [first] = words;
  if (first === undefined) return null;
  // Its variables would not be followed.
  if (form === wrapping && isBuiltin(first.text)) return opaque(`${line.split(' ')[0] ?? ''} ${first.text}`);
  // What it reads stands at the end, or anywhere.
  const more = { text: computed, glob: false, unknown: 'split' as const, source: line.replaceAll('\u0001', ' ') };
  const found =
    words.length === 1 && /\s/.test(first.text) && isKnown(first)
      ? run(first.text, step)
      : effectOf({ ...step, words: line.startsWith('xargs') ? [...words, more] : words, writes: [] }, run);
  if (form === wrapping) return found;
  return mergeEffects([acting, form === filling && !found.readOnly ? opaque(`what ${line} fills in`) : found]);
}

/**
 * Any word may be a program that an unknown program starts, and any text a command line of it: `sudo git reset`,
 * `find … -exec git checkout`, `watch 'git stash'`.
 */
function innerEffects(step: Step, run: RunScript): Effect[] {
  // `npm version patch`
  if (step.words[1]?.text === 'version') return [];
  const found = step.words.slice(1).flatMap((word, index) => {
    if (!isKnown(word)) return [];
    const name = plainName(word.text);
    const words = step.words.slice(index + 1);
    // `sudo bash`
    if (step.stdin === null && words.length === 1 && readsCommands(name)) return [opaque('the input of a shell')];
    if (words.length >= 2 && name !== '.' && (isProgram(name) || /^(?:npm|pnpm|yarn|env)$/.test(name)))
      return [programEffect(name, { ...step, words, writes: [] }, run)];
    const first = /^\s*(?:\w+=\S*\s+)*(?:\S*\/)?([\w.-]+)\s/.exec(word.text)?.[1] ?? '';
    return first === 'cd' || isProgram(first) ? [run(word.text, step)] : [];
  });
  return found.map((one) => ({ ...one, readOnly: false }));
}

function isProgram(name: string): boolean {
  return name === 'git' || changers.test(name) || isInterpreter(name);
}

/** Programs whose arguments are mostly names of scripts and targets. */
const runners = /^(?:npm|pnpm|yarn|bun|make|cargo|go|dotnet|gradle|gradlew|mvn|just|rake|task|turbo|nx)$/;
/** They write the archive that is named first, and nothing else. */
const packing = /^(?:(?:bsd|g)?tar -?[ctzjJvh]+f?|zip -[rq]+)(?: |$)(?!.* -(?!C |-exclude))/;
/**
 * They write files that no word names into the folder that they are started in: unpacked (with `tar -P`, `unzip -:` and
 * `7z -spf` wherever the archive says), fetched, or found there by a `find` without a folder.
 */
const writingHere =
  /^(?:(?:bsd|g)?tar (?:(?!.* (?:-\w*C|--directory))|(?!-?c)(?:-?\w*P|.* (?:-\w*P|--absolute-names)))|unzip (?!-[a-zA-Z]*[lptvzZ])(?:(?!.*-d)|(?:.* )?-\w*:)|7za? (?![lti] )(?:(?!.* -o)|.* -spf)|(?:cpio|pax|unar|unrar|tarfile|gh (?:release|run) download) |wget (?!.*-\w*O)|curl .*(?:-[a-zA-Z#0-9]*[OJK]|--(?:remote|output-|config|next)|-:)|find -)/;
/** Of `find`, what deletes only files whose names nothing of the store has. */
const leavingStore =
  /^find (?!.* (?:!|-not|,|-or?) )(?:(?!-delete|-exec|-ok).)*-i?name (?:[*\w.-]*\.(?:log|tmp|bak|py[co]|class|map|snap|[cm]?[jt]sx?|py|css|html)|node_modules|__pycache__|dist|build|out|coverage|target) /;
const removing = /^(?:(?:rm|rmdir|mv|shred|unlink|trash(?:-put)?) |find .*(?:-delete|rm|mv|shred|unlink) )/;

function otherEffect(program: string, step: Step, line: string): Effect {
  const { bases, inputs } = step;
  // Tests of `find` that only select.
  const args = step.words
    .slice(1)
    .filter((_, at) => program !== 'find' || !findValued.test(step.words[at]?.text ?? ''));
  const written = program === 'cp' ? copiedTo(args) : packing.test(line) ? args.slice(1, 2) : null;
  if (written) return namesEverything(written, bases, 'files');
  const rewritten = rewritesFolder(program, args);
  const passedOn = args.findIndex(({ text }) => text === '--');
  const isName = ({ text, unknown }: Word, at: number) =>
    !runners.test(program) || (passedOn >= 0 && at > passedOn) || /[./\\]/.test(text) || unknown !== undefined;
  const isHere = writingHere.test(`${line} `);
  const isSure = changers.test(program) || writingOutput.test(line) || rewritten !== null || isHere;
  const found = mergeEffects([
    {
      ...acting,
      paths: manifestsOf(program, args).map((path) => ({ path, bases })),
      text: typeof step.stdin === 'string' ? step.stdin : '',
    },
    namesEverything(
      [
        ...(rewritten ?? args.filter(isName)),
        ...(program === 'ln' ? linkTargets(args) : []),
        ...(isHere ? [here] : []),
        ...inputs,
      ],
      bases,
      isSure ? 'files' : 'perhaps',
    ),
  ]);
  return removing.test(`${line} `) && !leavingStore.test(`${line} `) ? removalEffect(found) : found;
}

/** A link continues from its own folder: later words reach its target. */
function linkTargets(args: readonly Word[]): Word[] {
  const [target, ...links] = operands(args);
  if (target === undefined) return [];
  return links.map((link) => ({ ...target, text: `${link.text.replace(/[^/]*$/, '')}${target.text}` }));
}

/** `cp a/held.js src` writes `src/held.js`. Null where more than the last name may be written. */
function copiedTo(args: readonly Word[]): Word[] | null {
  const given = operands(args);
  const last = given.at(-1);
  const isPlain = args.every(({ text, unknown }) => unknown === undefined && /^(?!-)|^-[rRapvfund]+$/.test(text));
  if (last === undefined || !isPlain || given.length < 2) return null;
  const copies = given.slice(0, -1).map((word) => ({
    ...word,
    text: `${last.text.replace(/\/$/, '')}/${word.text.replace(/\/+$/, '').replace(/^.*\//, '')}`,
  }));
  return /\/$|^\.$/.test(last.text) ? copies : [last, ...copies];
}

// * What programs change, by rule, because no list of programs could be complete. Held files are compared after each call:
// what this misses is reported, and can be restored.

const here: Word = { text: '.', glob: false };

function operands(args: readonly Word[]): Word[] {
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
function manifestsOf(program: string, args: readonly Word[]): readonly string[] {
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
function rewritesFolder(program: string, args: readonly Word[]): Word[] | null {
  const texts = args.map(({ text }) => text);
  const isFlag = texts.some((text) => rewritingFlag.test(text) || rewritingLetter.test(`${program} ${text}`));
  const isScript = scripts.test(program);
  if (!isFlag && !isScript && looking.test(`${lineOf([program, ...texts])} `)) return null;
  const given = operands(args);
  const isVerb = [program, ...given.slice(0, 2).map(({ text }) => text)].some((text) => rewritingVerb.test(text));
  if (!(isVerb && manifestsOf(program, args).length === 0) && !isFlag && !rewriting.test(program)) return null;
  const [first] = given;
  const isVerbFirst =
    first !== undefined &&
    (rewritingVerb.test(first.text) || /^(?:check|lint|run|ci|apply|generate|clippy)$/.test(first.text));
  const places = isVerbFirst ? given.slice(1) : given;
  if (places.length === 0 || isScript) return [here];
  return places.map((word) => ({ ...word, text: word.text.replace(/\/?\.\.\.$/, '') || '.' }));
}

/** They check or build a project, send what they are given elsewhere, or show it, and change no file that they name. */
const checks =
  /^(?:fd(?:find)?|eslint|prettier|code|less|more|bat(?:cat)?|p?kill|killall|jest|vitest|mocha|ava|playwright|pytest|mypy|pyright|flake8|pylint|stylelint|markdownlint|oxlint|knip|depcruise|shellcheck|hadolint|actionlint|yamllint|madge|rubocop|gofmt|goimports|esbuild|cmake(?=.* (?:-B|--build))(?!.* -[EP])|(?:vue-)?tsc(?=.* --(?:noEmit|showConfig)\b)|(?:black|isort)(?=.* --(?:check|check-only|diff)\b)|ruff (?:check|format(?=.* --(?:check|diff)\b))|biome (?:check|lint|ci)|go (?:vet|test|build|install|run)|cargo (?:check|clippy|test|tree|fmt(?=.* --check\b))|(?:npm|pnpm|yarn|bun|make|just|task|nx|turbo|rake)(?: run(?:-script)?)? (?:t|tst|tests?|e2e|spec|coverage|typecheck|bench)(?:[:_-]\S*)?|(?:uv )?pip3? install|docker (?:buildx )?build|gh (?:api|pr|issue|workflow|label|auth|search|status|variable|secret|browse))(?: |$)/;
/** Options whose value is a file that is written: `--output-file`, `-test.trace`, `--coverage.reportsDirectory`. */
const writingOption =
  /^--?[\w.-]*(?:o|out[\w.-]*|file|dest\w*|report[\w.-]*|option\w*|write|dir\w*|path|trace|log\w*|xml|save\w*|profile|image|temp|target|location)$|^-[BtD]$/i;

/** The words of such a program that may be files which it writes; null for another one, and for one that rewrites. */
function writtenByCheck(program: string, args: readonly Word[]): Word[] | null {
  const texts = args.map(({ text }) => text);
  if (!checks.test(lineOf([program, ...texts])) || rewritesFolder(program, args)) return null;
  // `less '+!rm x'`, `gh pr checkout`, `jest -u`
  if (texts.some((text) => /^\+(?!\d*[gGF]?$)|^-u$|^--update/.test(text)) || texts[1] === 'checkout') return null;
  return args.filter(({ text }, at) => {
    const [name = '', value] = text.split('=');
    return value === undefined
      ? writingOption.test(texts[at - 1] ?? '') || /^-[BoD]./.test(text)
      : !name.startsWith('-') || writingOption.test(name);
  });
}

/** They change the files that they are given. */
const changers =
  /^(?:rm|rmdir|mv|cp|touch|ln|tee|sponge|dd|truncate|chmod|chown|chgrp|install|rsync|tar|unzip|zip|gzip|gunzip|split|shred|unlink|rename|xz|unxz|p?bzip2|bunzip2|(?:un)?zstd|(?:un)?lzma|pigz|trash(?:-put)?|uniq|strip|objcopy|find)$/;
const writingOutput = /^(?:sort|shuf|iconv|openssl|base64) (?:.* )?-(?:[a-zA-Z]*o|-?\w*out)/;

/** Lines that bring the worktree into another state. */
const switching =
  /^(?:gh (?:(?:-R|--repo)[= ]?\S+ )?(?:pr (?:checkout|co)|co|repo sync|issue develop .*(?:-c|--checkout))|(?:hub|gt|graphite|git-town|git-branchless|lazygit|gitui|tig|git-(?:lfs|checkout|restore|reset|stash|merge|rebase|pull|switch|clean|rm|am|apply|read-tree|checkout-index|revert|cherry-pick))|(?:hg|svn|jj|sl) (?:.* )?(?:abandon|backout|checkout|clean|co|edit|goto|graft|import|merge|new|next|patch|prev|purge|rebase|restore|revert|shelve|switch|undo|unshelve|up|update)) /;

/** Lines that run other programs, or compute the names of files that they write. */
const unread: readonly [line: RegExp, why: string][] = [
  [
    /^(?:fd|fdfind) (?:.* )?(?:-[a-zA-Z]*[xX]|--exec)|^zip (?:.* )?(?:-\w*TT|--un)/,
    'programs that it runs for each file',
  ],
  [/^make (?:.* )?(?:-|-f-|--eval\S*|--file=-|\/dev\/stdin) |^print (?:.* )?-\w*[^rnlNoOcDi-]/, 'what it evaluates'],
  [
    /^(?:hash|fc|r|at|batch|crontab|tmux|screen|parallel|rename|prename|csplit|zmv|mmv|enable|vared) /,
    'what it runs later',
  ],
];

// Programs that run the text of another: shells, languages and editors with commands.

const shells = /^(?:sh|bash|zsh|dash|ksh|mksh|ash|fish|rbash)$/;
const languages =
  /^(?:python[\d.]*|pypy3?|node|nodejs|bun|deno|tsx|ts-node|perl[\d.]*|ruby|php|lua[\d.]*|rscript|osascript|tclsh|julia|groovy|guile|swift|scala|elixir|erl|ghci?|jshell|octave|sqlite3|psql|mysql|gdb|expect|m4|pwsh|powershell|cmd|busybox|xonsh|nu)$/;
const editors = /^(?:g?sed|[gmn]?awk)$/;
const patching = /^(?:apply_?patch|patch|eval|trap|alias|source|\.)$/;

/** Without a command, `su` and `script` start a shell. */
function readsCommands(program: string): boolean {
  return shells.test(program) || /^(?:su|script|ed|ex|vi|n?vim|emacs|nano)$/.test(program);
}

function isInterpreter(program: string): boolean {
  return [shells, languages, editors, patching].some((names) => names.test(program));
}

/** Null for another program. */
function interpreterEffect(program: string, step: Step, run: RunScript): Effect | null {
  if (shells.test(program)) return shellEffect(step, run);
  // A program of the project may have its name: `./patch`.
  if (patching.test(program)) return step.words[0]?.text.startsWith('./') ? null : patchingEffect(program, step, run);
  if (editors.test(program)) return editorEffect(program, step);
  if (languages.test(program)) return languageEffect(program, step);
  const startsShell = program === 'sudo' && step.words.some(({ text }) => /^-\w*[is]$|^--(?:login|shell)$/.test(text));
  const reads = step.stdin === null && (readsCommands(program) || startsShell);
  return reads ? opaque(`what ${program} reads from its input`) : null;
}

function shellEffect(step: Step, run: RunScript): Effect {
  const args = step.words.slice(1);
  const flag = args.findIndex(({ text }) => /^-[a-z]*c$/.test(text));
  if (flag >= 0) {
    const script = args.slice(flag + 1).find(({ text }) => text !== '--');
    const isPlain = args.slice(0, flag).every(({ text }) => /^-(?:[lieux]+|-login|-norc|-noprofile)$/.test(text));
    if (!isPlain || script === undefined || !isKnown(script) || /^[-+]/.test(script.text))
      return opaque('text for another shell');
    return run(script.text, step);
  }
  if (args.some((word) => !isKnown(word) || isStream(word))) return opaque('arguments of another shell');
  const at = args.findIndex(({ text }) => !text.startsWith('-'));
  const file = args[at];
  const isPlain = args.slice(0, Math.max(at, 0)).every(({ text }) => /^-[eluvx]+$|^--login$/.test(text));
  const readsFile = step.stdin === null ? isPlain : !args.some(({ text }) => /^-[a-z]*s/.test(text));
  if (file !== undefined && readsFile) return namesEverything([...args.slice(at + 1), ...step.inputs], step.bases);
  if (step.stdin === undefined && step.inputs.length === 0) return acting;
  return typeof step.stdin === 'string' ? run(step.stdin, step) : opaque('text that a shell reads from its input');
}

/** What is in it is known only while the program runs: `<(…)`, `/dev/stdin`. */
function isStream({ text }: Word): boolean {
  return /^\/+(?:dev|proc)\//.test(text);
}

function patchingEffect(program: string, step: Step, run: RunScript): Effect {
  const args = step.words.slice(1);
  const [first] = args;
  if (program === 'source' || program === '.')
    return first && isKnown(first) && !isStream(first)
      ? namesEverything(args.slice(1), step.bases)
      : opaque('a script of a computed name');
  if (!args.every(isKnown)) return opaque(`computed arguments of ${program}`);
  if (program === 'eval') return run(args.map(({ text }) => text).join(' '), step);
  if (program === 'trap') return /^-?$/.test(first?.text ?? '') ? harmless : run(first?.text ?? '', step);
  if (program === 'patch' || program === 'alias') return opaque(`what ${program} changes`);
  const patches = [...args.map(({ text }) => text), ...(typeof step.stdin === 'string' ? [step.stdin] : [])];
  const files = patches.map(filesOfPatch);
  if (step.stdin === null || files.length === 0 || !files.every((found) => found !== null && found.length > 0))
    return opaque('a patch');
  return { ...acting, paths: files.flatMap((found) => found ?? []).map((path) => ({ path, bases: step.bases })) };
}

/** Their scripts may write any file. `sed -i s/a/b/ file`, `sed -i '' -e '2d' file`: changes only the files it names. */
function editorEffect(program: string, step: Step): Effect {
  const args = step.words.slice(1);
  const inPlace = /^$|^-[nErsz]*i(?:\.\w+)?$|^--in-place(?:=\.\w+)?$/;
  const script = args.filter(({ text }) => !inPlace.test(text));
  const named = namesEverything([...args, ...step.inputs], step.bases, 'files');
  return program.endsWith('sed') && onlyReads('sed', script)
    ? named
    : mergeEffects([named, opaque(`a script of ${program} that may write files`)]);
}

const textOption =
  /^-[A-Za-z]*[cepErx]$|^--(?:eval|print|command|execute|expression|run|init-command)$|^(?:-[A-Za-z]*[ceE]|--(?:eval|print|command|execute)=)(?=.)/;
/** The only calls of a text that computes and prints. None of them calls a function that it is given. */
const calls =
  /^(?:print|len|sum|count|avg|min|max|abs|range|enumerate|zip|str|int|float|list|dict|set|tuple|loads?|dumps|read|readlines?|log|error|table|stringify|parse|keys|values|entries|fromEntries|join|split|slice|get|items|strip|cpus|now|toFixed|includes|startsWith|endsWith|trim|round|floor|ceil|String|Number|Date|if|for|while|in|of|and|or|not|return)$/;
const plainRead = /\b(?:require\((['"])(?:\.{1,2}\/[\w./@-]+\.json|(?:node:)?os)\1\)|open\((['"])[^'"]*\2\))/g;

/** Of Python, Node and SQL: whether a text only calls what is known, or is one statement that asks. */
function onlyPrints(program: string, text: string): boolean {
  const isQuery = /^(?:sqlite3|psql|mysql)$/.test(program);
  const asks = /^\s*(?:(?:select|show|explain)\b(?!.*\binto\b)[^;\\]*;?|\\[dl]\w*|\.(?:tables|schema))\s*$/i;
  if (isQuery ? !asks.test(text) : !/^(?:python|node|bun)/.test(program)) return false;
  const rest = text.replaceAll(plainRead, 'x');
  const called = [...rest.matchAll(/([\w$]+|[\])'"])\s*\(/g)].map(([, name = '']) => name);
  return !/\b(?:require|open)\b|`/.test(rest) && called.every((name) => calls.test(name));
}

function languageEffect(program: string, step: Step): Effect {
  const args = step.words.slice(1);
  const { bases, stdin } = step;
  const [file, ...more] = args.filter(({ text }) => !text.startsWith('-'));
  const texts = args.flatMap((word, at): Word[] => {
    const found = textOption.exec(word.text)?.[0];
    if (found === undefined) return [];
    return found === word.text ? args.slice(at + 1, at + 2) : [{ ...word, text: word.text.slice(found.length) }];
  });
  const isFed = file === undefined || file.text === '-' || args.some(({ text }) => /^-\w*i$|^--inter/.test(text));
  const isRead = isFed && texts.length === 0;
  const given = [
    ...texts,
    ...(program === 'sqlite3' ? more : []),
    ...(isRead && typeof stdin === 'string' ? [{ text: stdin, glob: false }] : []),
  ];
  const runsFile = /^(?:python|node|bun|tsx|ts-node|ruby|php|perl|lua|rscript)/.test(program);
  const isUnread =
    (isRead && (stdin === null || (stdin === undefined && step.inputs.length > 0))) ||
    given.some((word) => !isKnown(word) || !onlyPrints(program, word.text)) ||
    (program === 'deno' && file?.text === 'eval') ||
    args.some((word) => /\bdata:/i.test(word.text) || (word === file && isStream(word))) ||
    (!runsFile && !/^(?:deno|swift|sqlite3|psql|mysql)$/.test(program) && args.length > 0);
  if (isUnread) return opaque(`program text for ${program}`);
  // The program's own file is only read.
  const isOwn = (word: Word) => given.includes(word) || (word === file && runsFile && texts.length === 0);
  return mergeEffects([
    namesEverything([...args.filter((word) => !isOwn(word)), ...step.inputs], bases),
    // The look at every mention reads it.
    { ...acting, text: given.map(({ text }) => text).join('\n') },
  ]);
}
