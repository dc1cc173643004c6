/** What one simple command does to files. */
import { isBuiltin } from './variables.ts';
import { findEffect, foundBy } from './find.ts';
import { gitEffect } from './git.ts';
import { interpreterEffect, isInterpreter, readsCommands, type RunScript } from './interpreters.ts';
import { namesEverything, removed } from './names.ts';
import {
  operandsOf,
  options,
  acting,
  computed,
  harmless,
  isKnown,
  opaque,
  together,
  type Effect,
  type Step,
  type Word,
} from './word.ts';
import { asks } from './ownVerbs.ts';
import {
  isChanger,
  isRewritingScript,
  isWriter,
  manifestsOf,
  rewritesFolder,
  tarOf,
  testNames,
  unpacksHere,
  writtenByCheck,
} from './programs.ts';
import { onlyReads } from './reading.ts';

export function effectOf(step: Step, run: RunScript): Effect {
  const [program] = step.words;
  const written = namesEverything(
    step.writes.filter(({ text }) => !isSink(text)),
    step.bases,
    'files',
  );
  const writes = step.writes.every(({ text }) => isSink(text)) ? harmless : written;
  if (program === undefined)
    return together([writes, step.inputs.length === 0 ? harmless : namesEverything(step.inputs, step.bases)]);
  if (!isKnown(program))
    return together([
      writes,
      opaque('the name of a program that the shell computes'),
      namesEverything(step.words, step.bases),
    ]);
  const name = program.text.replace(/^\/(?:usr\/)?bin\//, '');
  return together([writes, programEffect(name, step, run), byPlainName(name, step, run)]);
}

/** `/opt/homebrew/bin/git`, `cmd.exe` and, where case does not matter, `GIT`. Nothing else may be known to only read. */
function byPlainName(program: string, step: Step, run: RunScript): Effect {
  const name = plainName(program);
  // A program of the project may have the name of another one: `./test`, `bin/install`.
  const isInstalled = !program.includes('/') || /^\/(?:.*\/)?s?bin\/[^/]+$|\.exe$/i.test(program);
  const counts = isInstalled || name === 'git' || (isInterpreter(name) && !isBuiltin(name) && name !== 'patch');
  return name === program || !counts ? harmless : { ...programEffect(name, step, run), readOnly: false };
}

export function plainName(program: string): string {
  const name = program.replace(/^.*\//, '').toLowerCase();
  return name.replace(/\.exe$/, '');
}

function isSink(text: string): boolean {
  return text === '/dev/null' || text === '/dev/stdout' || text === '/dev/stderr';
}

function programEffect(program: string, step: Step, run: RunScript): Effect {
  const args = step.words.slice(1);
  if (!step.tampered) {
    if (onlyReads(program, args)) return harmless;
    if (program === 'curl' && operandsOf(args, fetching))
      return { ...harmless, configured: [{ program: 'curl', folders: [] }] };
    if (program === 'holdpoint' && asksHoldpoint(args)) return harmless;
    const checked = writtenByCheck(program, args);
    if (checked) return namesEverything(checked, step.bases);
  }
  const wrapped = wrappedEffect(program, step, run);
  if (wrapped) return wrapped;
  const names = (words: readonly Word[], fills = false) => namesEverything(words, step.bases, 'files', fills);
  if (program === 'git') {
    const found = gitEffect(args, step.bases, names);
    return step.tampered ? together([found, opaque('git with other settings'), names(args)]) : found;
  }
  if (versionControl.test([program, ...args.map(({ text }) => text)].join(' ')))
    return together([{ ...acting, wholeTree: true }, names(args)]);
  if (computing.has(program)) return args.some(mayBeEvaluated) ? opaque(`what ${program} evaluates`) : acting;
  if (
    evaluating.has(program) ||
    (program === 'print' && args.some(({ text }) => /^-\w*[^rnlNoOcDi-]/.test(text))) ||
    (program === 'make' && args.some(({ text }) => /^(?:-|-f-|--eval.*|--file=-|\/dev\/stdin)$/.test(text)))
  )
    return together([opaque(`what ${program} evaluates`), names(args)]);
  // `bun update`
  const interpreted = manifestsOf(program, args).length > 0 ? null : interpreterEffect(program, step, run);
  if (interpreted) return interpreted;
  if (/^g?find$/.test(program))
    return together([findEffect(step), ...foundBy(step).map((each) => ({ ...effectOf(each, run), readOnly: false }))]);
  const isFed = step.stdin === null && (readsCommands(program) || (program === 'sudo' && startsShell(args)));
  if (isFed) return opaque(`what ${program} reads from its input`);
  return together([otherEffect(program, step), ...inner(step, run)]);
}

function startsShell(args: readonly Word[]): boolean {
  return args.some(({ text }) => /^-\w*[is]$|^--(?:login|shell)$/.test(text));
}

/** Other programs that bring files of the worktree into another state. Git has some of its own by such names, too. */
const versionControl =
  /^(?:gh (?:(?:-R|--repo)[= ]?\S+ )?(?:pr (?:checkout|co)|co|repo sync|issue develop .*(?:-c|--checkout))|(?:hub|gt|graphite|git-town|git-branchless|lazygit|gitui|tig|git-(?:lfs|checkout|restore|reset|stash|merge|rebase|pull|switch|clean|rm|am|apply|read-tree|checkout-index|revert|cherry-pick))|(?:hg|svn|jj|sl) (?:.* )?(?:abandon|backout|checkout|clean|co|edit|goto|graft|import|merge|new|next|patch|prev|purge|rebase|restore|revert|shelve|switch|undo|unshelve|up|update))(?: |$)/;

/** They run text that they are given, or run it later. */
const evaluating = new Set('hash fc r at batch crontab tmux screen parallel rename prename csplit zmv mmv'.split(' '));
/** Shells evaluate subscripts in their arguments: `test -v 'a[$(rm x)]'`, in zsh `exit 'a[$(rm x)]'`. */
const computing = new Set('test [ printf exit return break continue shift'.split(' '));

function mayBeEvaluated({ text }: Word): boolean {
  return /[[`]|\$\(/.test(text.replace(/^\[\[?|\]\]?$/g, '')) || /^-[vR]/.test(text);
}

/** GET requests to standard output; `-w` may write files. */
const fetching = options(
  'sSLfkivIgNn46#|HAebmur|silent show-error location fail head include insecure max-time= connect-timeout= header= user-agent= user= url= get compressed retry= retry-delay= verbose http1.1 http2 ipv4 ipv6 no-progress-meter fail-with-body noproxy= resolve= retry-connrefused|',
);

function asksHoldpoint(args: readonly Word[]): boolean {
  const verb = args.find(({ text }, index) => !text.startsWith('-') && args[index - 1]?.text !== '--workspace');
  if (verb === undefined) return args.every(({ text }) => text === '--help' || text === '--version');
  const given = args.map((word) => ({ text: word.text, glob: word.glob || word.unknown === 'split' }));
  return isKnown(verb) && asks(verb.text, given);
}

/** Options of programs that start another one; after them comes its name. */
const wrappers: Readonly<Record<string, string>> = {
  env: 'i0|u|ignore-environment unset=|',
  nice: '|n|adjustment=|',
  nohup: '|||',
  time: 'pv|||',
  timeout: 'fv|ks|foreground kill-after= signal= preserve-status verbose|',
  stdbuf: '|ioe|output= input= error=|',
  command: 'p|||',
  builtin: '|||',
  xargs: '0rtpxo|nPILdsE|exit null no-run-if-empty max-args= max-procs= delimiter= verbose|',
  npx: 'yq||yes no no-install quiet|',
  bunx: '|||',
  setsid: 'wf|||',
  ionice: '|cn||',
  caffeinate: 'disu|||',
};
/** Of package managers; any other first word is a script or a program of the project. */
const ownVerbs =
  /^(?:-.*|i|install|add|remove|rm|uninstall|un|update|up|upgrade|dedupe|version|init|link|unlink|audit|pkg|publish|pack|cache|config|set|store|import|patch|create|test|t|build|start|login|logout|workspace|workspaces)$/;
const twoWords =
  /^(?:(?:pnpm|yarn|npm|bun) (?:exec|dlx|x)|(?:uv|poetry|pipenv|pdm|rye|hatch) run|bundle exec|python[\d.]* -m)$/;

function wrappedEffect(program: string, step: Step, run: RunScript): Effect | null {
  const args = step.words.slice(1);
  const [first] = args;
  if (first && isKnown(first) && twoWords.test(`${program} ${first.text}`)) {
    const rest = args.slice(1).filter(({ text }, at) => !(at === 0 && text === '--'));
    if (hasLine(rest)) return opaque(`a command line of ${program}`);
    return rest.length === 0 ? acting : runsOther(rest, step, run);
  }
  if (
    /^(?:yarn|pnpm|bun)$/.test(program) &&
    first &&
    isKnown(first) &&
    !ownVerbs.test(first.text) &&
    testNames(program, args).size === 0 &&
    !isRewritingScript(args)
  )
    return runsOther(first.text === 'run' ? args.slice(1) : args, step, run);
  const line = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined;
  if (line === undefined || args.length === 0) return null;
  if (program === 'npx' && hasLine(args)) return opaque('a command line of npx');
  if (program === 'env' && args.some(({ text }) => /^(?:-[a-zA-Z0]*S|--split)/.test(text)))
    return together([opaque('words that env splits'), namesEverything(args, step.bases)]);
  const allowed = options(line);
  let count = 0;
  while (count < args.length && operandsOf(args.slice(0, count + 1), allowed)?.length === 0) count++;
  let rest = args.slice(count);
  // `timeout 5 ls`, `env A=1 ls`
  if (program === 'timeout') rest = rest.slice(1);
  let tampered = step.tampered;
  const values = rest.slice(
    0,
    rest.findIndex(({ text }) => !/^\w+=/.test(text)),
  );
  while (program === 'env' && /^\w+=/.test(rest[0]?.text ?? '')) {
    tampered = true;
    rest = rest.slice(1);
  }
  const [inside] = rest;
  if (inside === undefined || !isKnown(inside) || inside.text.startsWith('-'))
    return program === 'xargs' && rest.length > 0 ? opaque('options of xargs') : null;
  // Its variables would not be followed.
  if (isBuiltin(inside.text)) return opaque(`${program} ${inside.text}`);
  const words = program === 'xargs' ? filledIn(args.slice(0, count), rest) : rest;
  const found = effectOf({ ...step, words, writes: [], tampered }, run);
  const local = program === 'npx' || program === 'bunx';
  if (program === 'env' && !found.readOnly) return together([found, namesEverything(values, step.bases)]);
  return local ? { ...found, readOnly: false } : found;
}

/** What `xargs` runs, with words that it reads: in place of `{}` or of the text after `-I`, or at the end. */
function filledIn(options: readonly Word[], words: readonly Word[]): Word[] {
  const marks = ['{}'];
  for (const [at, { text }] of options.entries()) {
    const [, attached] = /^-[0rtpxo]*I(.*)$/s.exec(text) ?? [];
    const mark = attached === '' ? options[at + 1]?.text : attached;
    if (mark !== undefined && mark !== '') marks.push(mark);
  }
  const isFilled = ({ text }: Word) => marks.some((mark) => text.includes(mark));
  return [
    ...words.map((word) => (isFilled(word) ? { ...word, unknown: 'split' as const } : word)),
    { text: computed, glob: false, unknown: 'split', source: `xargs ${words.map(({ text }) => text).join(' ')}` },
  ];
}

/** `npx -c 'eslint . && tsc'` */
function hasLine(args: readonly Word[]): boolean {
  const end = args.findIndex(
    ({ text }, at) => !text.startsWith('-') && !/^(?:-p|--package)$/.test(args[at - 1]?.text ?? ''),
  );
  return args.slice(0, end < 0 ? undefined : end).some(({ text }) => /^(?:-c|--call)(?:=|$)/.test(text));
}

/** Programs of the project, by name. */
function runsOther(words: readonly Word[], step: Step, run: RunScript): Effect {
  const [first] = words;
  if (words.length === 1 && first && /\s/.test(first.text))
    return isKnown(first) ? { ...run(first.text, step), readOnly: false } : opaque('a computed command line');
  return { ...effectOf({ ...step, words, writes: [] }, run), readOnly: false };
}

/**
 * Any word may be a program that an unknown program starts, and any text a command line of it: `sudo git reset`,
 * `find … -exec git checkout`, `watch 'git stash'`.
 */
function inner(step: Step, run: RunScript): Effect[] {
  // `npm version patch`
  if (step.words[1]?.text === 'version' && runners.has(step.words[0]?.text ?? '')) return [];
  return step.words.slice(1).flatMap((word, index) => {
    if (!isKnown(word)) return [];
    const name = plainName(word.text);
    const rest = step.words.slice(index + 1);
    // `sudo bash`
    if (step.stdin === null && rest.length === 1 && readsCommands(name)) return [opaque('the input of a shell')];
    const isProgram = name === 'git' || (isInterpreter(name) && name !== '.');
    if (isProgram && rest.length >= 2)
      return [{ ...programEffect(name, { ...step, words: rest, writes: [] }, run), readOnly: false }];
    const first = /^\s*(?:\w+=\S*\s+)*(?:\S*\/)?([\w.-]+)\s/.exec(word.text)?.[1] ?? '';
    const isLine = first === 'git' || isChanger(first) || isInterpreter(first) || first === 'cd';
    return isLine ? [{ ...run(word.text, step), readOnly: false }] : [];
  });
}

/** Programs whose arguments are mostly names of scripts and targets. */
const runners = new Set(
  'npm pnpm yarn bun make cargo go dotnet gradle gradlew ./gradlew mvn just rake task turbo nx'.split(' '),
);
const copying = options('rRapvfund|S|recursive archive verbose force no-clobber update preserve|');

function otherEffect(program: string, step: Step): Effect {
  const args = step.words.slice(1);
  if (program === 'cp') {
    const operands = operandsOf(args, copying);
    const last = operands?.at(-1);
    // The others are only read.
    if (operands && operands.length > 1 && last && operands.every(({ unknown }) => unknown === undefined)) {
      const targets = [...(/\/$|^\.$/.test(last.text) ? [] : [last]), ...copiedInto(operands, last)];
      return namesEverything(targets, step.bases, 'files', args.some(copiesFolders));
    }
  }
  const manifest: Effect = {
    ...acting,
    paths: manifestsOf(program, args).map((path) => ({ path, bases: step.bases })),
  };
  const evaluated = evaluatedBy(program, args);
  if (evaluated !== null) return together([opaque(evaluated), namesEverything(args, step.bases)]);
  const tar = /^(?:bsd|g)?tar$/.test(program) ? tarOf(args) : 'unknown';
  if (tar === 'runs') return opaque('options of tar that may run programs');
  // All others are only read.
  if (tar === null || typeof tar === 'object') return namesEverything(tar ? [tar] : [], step.bases, 'files');
  if (program === 'zip' && !args.some(({ text }) => /^-\w*(?:[mbO]|lf)|^--/.test(text))) {
    const [archive] = args.filter(({ text }) => !text.startsWith('-'));
    const names = archive ? [archive, { ...archive, text: `${archive.text}.zip` }] : [];
    return namesEverything(names, step.bases, 'files');
  }
  const unpacked = tar === 'unpacks' || !program.endsWith('tar') ? unpacksHere(program, args) : true;
  // `make -j$(nproc)`
  const isJobs = ({ text }: Word) => program === 'make' && /^-j\u0000$/.test(text);
  const passedOn = args.findIndex(({ text }) => text === '--');
  const rewritten = rewritesFolder(program, args);
  const saving = /^(?:-[a-zA-Z]*[oO]|--output(?:-document)?)$/;
  // A computed word may be an option.
  const isSure = !args.some(({ text }) => saving.test(text)) || args.every(({ unknown }) => unknown !== 'split');
  const output = /^(?:curl|wget)$/.test(program)
    ? args
        .filter((_, at) => !isSure || saving.test(args[at - 1]?.text ?? ''))
        // `#1` stands for a part of the address.
        .map((word) => ({ ...word, text: word.text.replace(/#\d.*$/s, '*') }))
    : [];
  const tests = testNames(program, args);
  const named = rewritten
    ? [...args, ...rewritten]
    : runners.has(program)
      ? args.filter(
          (word, at) =>
            !isJobs(word) &&
            !tests.has(word) &&
            ((passedOn >= 0 && at > passedOn) || /[./\\]/.test(word.text) || word.unknown !== undefined),
        )
      : args;
  const implied: Word[] = [
    ...(program === 'ln' ? linked(args) : []),
    ...(unpacked === true ? [{ text: '.', glob: false }] : []),
    ...(/^(?:curl|wget)$/.test(program) ? saved(program, args) : []),
  ];
  const text = typeof step.stdin === 'string' ? step.stdin : '';
  const found = together([
    { ...manifest, text },
    namesEverything(output, step.bases, 'files'),
    namesEverything(
      [...named, ...implied, ...step.inputs],
      step.bases,
      isWriter(program, args) || rewritten || unpacked !== null ? 'files' : 'perhaps',
      /^(?:rsync|scp|sftp)$/.test(program) || unpacked === false,
    ),
  ]);
  return /^(?:rm|rmdir|mv|shred|unlink|trash(?:-put)?)$/.test(program) ? removed(found) : found;
}

/** What a program evaluates, or names that it computes; null for nothing. */
function evaluatedBy(program: string, args: readonly Word[]): string | null {
  const has = (option: RegExp) => args.some(({ text }) => option.test(text));
  if (/^fd(?:find)?$/.test(program) && has(/^-[a-zA-Z]*[xX]|^--exec/))
    return `programs that ${program} runs for each file`;
  if (program === 'zip' && has(/^-\w*TT|^--un/)) return 'a program that zip runs';
  if (program === 'file' && has(/^-\w*C|^--c/)) return 'a compiled file, named after another';
  if (program === 'split' && has(/^--(?:additional|filter)/)) return 'names that split computes';
  return null;
}

/** What `curl` and `wget` save where no word names a file: named after the address, or by the server. */
function saved(program: string, args: readonly Word[]): Word[] {
  const has = (option: RegExp) => args.some(({ text }) => option.test(text));
  const isPlain =
    program === 'curl'
      ? !has(/^(?:-[a-zA-Z#0-9]*[JK]|--(?:remote-(?!name$)|output-|config|next)|-:)/)
      : args.every(
          ({ text, unknown }) => unknown === undefined && /^(?:[^-]|-(?:[qOcNPS]+|-quiet|[OP].+)$)/.test(text),
        );
  if (!isPlain) return [{ text: '.', glob: false }];
  if (program === 'curl' && !has(/^-[a-zA-Z#0-9]*O|^--remote-name$/)) return [];
  const addresses = args.filter(({ text }) => !text.startsWith('-'));
  // An address may have a pattern.
  return addresses.map((word) => {
    const name = word.text.replace(/[?#].*$/, '').replace(/^.*\//, '');
    return { ...word, text: /[{[]/.test(name) ? '.' : name || '.' };
  });
}

/** A link leads on from its own folder: what it leads to is reached by later words. */
function linked(args: readonly Word[]): Word[] {
  const [target, ...links] = args.filter(({ text }) => !text.startsWith('-'));
  if (target === undefined) return [];
  return links.map((link) => ({ ...target, text: `${link.text.replace(/[^/]*$/, '')}${target.text}` }));
}

function copiesFolders({ text }: Word): boolean {
  return /^-[a-zA-Z]*[rRa]|^--(?:r|a)/.test(text);
}

/** `cp a/held.js src` writes `src/held.js`. */
function copiedInto(operands: readonly Word[], last: Word): Word[] {
  return operands.slice(0, -1).map((word) => ({
    ...word,
    text: `${last.text.replace(/\/$/, '')}/${word.text.replace(/\/+$/, '').replace(/^.*\//, '')}`,
  }));
}
