/** What one simple command does to files: one rule over the table of programs. */
import { findEffect, foundBy } from './find.ts';
import { gitEffect } from './git.ts';
import { interpreterEffect, isInterpreter, readsCommands, type RunScript } from './interpreters.ts';
import { namesEverything, removed } from './names.ts';
import { asksHoldpoint } from './ownVerbs.ts';
import {
  isChanger,
  isOwnScript,
  isWriter,
  kindOf,
  manifestsOf,
  rewritesFolder,
  savedBy,
  tarOf,
  testNames,
  unpacksHere,
  writtenByCheck,
} from './programs.ts';
import { fetchesOnly, onlyReads } from './reading.ts';
import { isBuiltin } from './variables.ts';
import {
  acting,
  computed,
  harmless,
  isKnown,
  lineOf,
  opaque,
  operandsOf,
  options,
  together,
  type Effect,
  type Step,
  type Word,
} from './word.ts';

export function effectOf(step: Step, run: RunScript): Effect {
  const [program] = step.words;
  const written = step.writes.filter(({ text }) => !/^\/dev\/(?:null|stdout|stderr)$/.test(text));
  const writes = written.length === 0 ? harmless : namesEverything(written, step.bases, 'files');
  if (program === undefined)
    return together([writes, step.inputs.length === 0 ? harmless : namesEverything(step.inputs, step.bases)]);
  if (!isKnown(program))
    return together([
      ...[writes, opaque('the name of a program that the shell computes')],
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
  return program
    .replace(/^.*\//, '')
    .toLowerCase()
    .replace(/\.exe$/, '');
}

function programEffect(program: string, step: Step, run: RunScript): Effect {
  const args = step.words.slice(1);
  const { bases, tampered } = step;
  if (!tampered) {
    if (onlyReads(program, args) || (program === 'holdpoint' && asksHoldpoint(args))) return harmless;
    if (program === 'curl' && fetchesOnly(args)) return { ...harmless, configured: [{ program: 'curl', folders: [] }] };
    const checked = writtenByCheck(program, args);
    if (checked) return namesEverything(checked, bases);
  }
  const wrapped = wrappedEffect(program, step, run);
  if (wrapped) return wrapped;
  const names = (words: readonly Word[], fills = false) => namesEverything(words, bases, 'files', fills);
  if (program === 'git')
    return together([
      gitEffect(args, bases, names),
      ...(tampered ? [opaque('git with other settings'), names(args)] : []),
    ]);
  const line = lineOf([program, ...args.map(({ text }) => text)]);
  if (/^(?:test|\[|printf|exit|return|break|continue|shift)$/.test(program)) return acting;
  const kind = kindOf(line);
  if (kind !== null)
    return together([kind === 'worktree' ? { ...acting, wholeTree: true } : opaque(kind), names(args)]);
  // `bun update`
  const interpreted = manifestsOf(program, args).length > 0 ? null : interpreterEffect(program, step, run);
  if (interpreted) return interpreted;
  if (/^g?find$/.test(program))
    return together([findEffect(step), ...foundBy(step).map((each) => ({ ...effectOf(each, run), readOnly: false }))]);
  const startsShell = program === 'sudo' && args.some(({ text }) => /^-\w*[is]$|^--(?:login|shell)$/.test(text));
  if (step.stdin === null && (readsCommands(program) || startsShell))
    return opaque(`what ${program} reads from its input`);
  return together([otherEffect(program, step), ...inner(step, run)]);
}

/** Options of programs that start another one; after them comes its name. */
const wrappers: Readonly<Record<string, string>> = {
  env: 'i0|u|ignore-environment unset=',
  nice: '|n|adjustment=',
  nohup: '',
  time: 'pv',
  timeout: 'fv|ks|foreground kill-after= signal= preserve-status verbose',
  stdbuf: '|ioe|output= input= error=',
  command: 'p',
  builtin: '',
  xargs: '0rtpxo|nPILdsE|exit null no-run-if-empty max-args= max-procs= delimiter= verbose',
  npx: 'yq||yes no no-install quiet',
  bunx: '',
  setsid: 'wf',
  ionice: '|cn',
  caffeinate: 'disu',
};
/** Of package managers; any other first word is a script or a program of the project. */
const ownVerbs =
  /^(?:-.*|i|install|add|remove|rm|uninstall|un|update|up|upgrade|dedupe|version|init|link|unlink|audit|pkg|publish|pack|cache|config|set|store|import|patch|create|test|t|build|start|login|logout|workspaces?)$/;
const twoWords =
  /^(?:(?:pnpm|yarn|npm|bun) (?:exec|dlx|x)|(?:uv|poetry|pipenv|pdm|rye|hatch) run|bundle exec|python[\d.]* -m)$/;

function wrappedEffect(program: string, step: Step, run: RunScript): Effect | null {
  const args = step.words.slice(1);
  const [first] = args;
  if (first === undefined) return null;
  const isTwo = isKnown(first) && twoWords.test(`${program} ${first.text}`);
  if ((isTwo || program === 'npx') && hasLine(isTwo ? args.slice(1) : args))
    return opaque(`a command line of ${program}`);
  if (isTwo) return runsOther(args.slice(args[1]?.text === '--' ? 2 : 1), step, run);
  if (
    /^(?:yarn|pnpm|bun)$/.test(program) &&
    isKnown(first) &&
    !ownVerbs.test(first.text) &&
    !isOwnScript(program, args)
  )
    return runsOther(first.text === 'run' ? args.slice(1) : args, step, run);
  if (!Object.hasOwn(wrappers, program)) return null;
  if (program === 'env' && args.some(({ text }) => /^(?:-[a-zA-Z0]*S|--split)/.test(text)))
    return together([opaque('words that env splits'), namesEverything(args, step.bases)]);
  const allowed = options(wrappers[program] ?? '');
  let count = 0;
  while (count < args.length && operandsOf(args.slice(0, count + 1), allowed)?.length === 0) count++;
  // `timeout 5 ls`
  let rest = args.slice(program === 'timeout' ? count + 1 : count);
  const plain = program === 'env' ? rest.findIndex(({ text }) => !/^\w+=/.test(text)) : 0;
  const values = rest.slice(0, Math.max(plain, 0));
  rest = rest.slice(values.length);
  const [inside] = rest;
  if (inside === undefined || !isKnown(inside) || inside.text.startsWith('-'))
    return program === 'xargs' && rest.length > 0 ? opaque('options of xargs') : null;
  // Its variables would not be followed.
  if (isBuiltin(inside.text)) return opaque(`${program} ${inside.text}`);
  const words = program === 'xargs' ? filledIn(args.slice(0, count), rest) : rest;
  const found = effectOf({ ...step, words, writes: [], tampered: step.tampered || values.length > 0 }, run);
  const named = found.readOnly ? found : together([found, namesEverything(values, step.bases)]);
  return program === 'npx' || program === 'bunx' ? { ...named, readOnly: false } : named;
}

/** What `xargs` runs, with words that it reads: in place of `{}` or of the text after `-I`, or at the end. */
function filledIn(given: readonly Word[], words: readonly Word[]): Word[] {
  const marks = given.map(({ text }, at) => {
    const before = given[at - 1]?.text ?? '';
    return /^-[0rtpxo]*I$/.test(before) ? text : /^-[0rtpxo]*I(.+)$/s.exec(text)?.[1];
  });
  const isFilled = ({ text }: Word) => ['{}', ...marks].some((mark) => mark !== undefined && text.includes(mark));
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

function runsOther(words: readonly Word[], step: Step, run: RunScript): Effect {
  const [first] = words;
  if (first === undefined) return acting;
  if (words.length === 1 && /\s/.test(first.text))
    return isKnown(first) ? { ...run(first.text, step), readOnly: false } : opaque('a computed command line');
  return { ...effectOf({ ...step, words, writes: [] }, run), readOnly: false };
}

/** Programs whose arguments are mostly names of scripts and targets. */
const runners = /^(?:npm|pnpm|yarn|bun|make|cargo|go|dotnet|gradle|(?:\.\/)?gradlew|mvn|just|rake|task|turbo|nx)$/;

/**
 * Any word may be a program that an unknown program starts, and any text a command line of it: `sudo git reset`,
 * `find … -exec git checkout`, `watch 'git stash'`.
 */
function inner(step: Step, run: RunScript): Effect[] {
  // `npm version patch`
  if (step.words[1]?.text === 'version' && runners.test(step.words[0]?.text ?? '')) return [];
  return step.words.slice(1).flatMap((word, index) => {
    if (!isKnown(word)) return [];
    const name = plainName(word.text);
    const words = step.words.slice(index + 1);
    // `sudo bash`
    if (step.stdin === null && words.length === 1 && readsCommands(name)) return [opaque('the input of a shell')];
    if (words.length >= 2 && (name === 'git' || (isInterpreter(name) && name !== '.')))
      return [{ ...programEffect(name, { ...step, words, writes: [] }, run), readOnly: false }];
    const first = /^\s*(?:\w+=\S*\s+)*(?:\S*\/)?([\w.-]+)\s/.exec(word.text)?.[1] ?? '';
    const isLine = first === 'git' || first === 'cd' || isChanger(first) || isInterpreter(first);
    return isLine ? [{ ...run(word.text, step), readOnly: false }] : [];
  });
}

const copying = options('rRapvfund|S|recursive archive verbose force no-clobber update preserve');

function otherEffect(program: string, step: Step): Effect {
  const args = step.words.slice(1);
  const files = (words: readonly Word[], fills = false) => namesEverything(words, step.bases, 'files', fills);
  const copied = program === 'cp' ? copiedTo(args) : null;
  if (copied)
    return files(
      copied,
      args.some(({ text }) => /^-[a-zA-Z]*[rRa]|^--(?:r|a)/.test(text)),
    );
  const tar = /^(?:bsd|g)?tar$/.test(program) ? tarOf(args) : null;
  if (tar === 'runs') return opaque('options of tar that may run programs');
  if (Array.isArray(tar)) return files(tar);
  if (program === 'zip' && !args.some(({ text }) => /^-\w*(?:[mbO]|lf)|^--/.test(text))) {
    const archive = args.filter(({ text }) => !text.startsWith('-')).slice(0, 1);
    return files([...archive, ...archive.map((word) => ({ ...word, text: `${word.text}.zip` }))]);
  }
  const unpacked = unpacksHere(program, args);
  const rewritten = rewritesFolder(program, args);
  const named = [
    ...(!rewritten && runners.test(program) ? namedToScript(program, args) : args),
    ...(rewritten ?? []),
    ...(program === 'ln' ? linked(args) : []),
    ...(unpacked === true ? [{ text: '.', glob: false }] : []),
    ...step.inputs,
  ];
  const isWritten = isWriter(program, args) || rewritten !== null || unpacked !== null;
  const found = together([
    {
      ...acting,
      paths: manifestsOf(program, args).map((path) => ({ path, bases: step.bases })),
      text: typeof step.stdin === 'string' ? step.stdin : '',
    },
    files(savedBy(program, args)),
    namesEverything(
      named,
      step.bases,
      isWritten ? 'files' : 'perhaps',
      /^(?:rsync|scp|sftp)$/.test(program) || unpacked === false,
    ),
  ]);
  return /^(?:rm|rmdir|mv|shred|unlink|trash(?:-put)?)$/.test(program) ? removed(found) : found;
}

/** The words that may be files: all after `--`, and those that look like one. */
function namedToScript(program: string, args: readonly Word[]): Word[] {
  const tests = testNames(program, args);
  const passedOn = args.findIndex(({ text }) => text === '--');
  return args.filter((word, at) => {
    // `make -j$(nproc)`
    if (tests.has(word) || (program === 'make' && word.text === `-j${computed}`)) return false;
    return (passedOn >= 0 && at > passedOn) || /[./\\]/.test(word.text) || word.unknown !== undefined;
  });
}

/** A link continues from its own folder: later words reach its target. */
function linked(args: readonly Word[]): Word[] {
  const [target, ...links] = args.filter(({ text }) => !text.startsWith('-'));
  if (target === undefined) return [];
  return links.map((link) => ({ ...target, text: `${link.text.replace(/[^/]*$/, '')}${target.text}` }));
}

/** `cp a/held.js src` writes `src/held.js`. Null where more than the last name may be written. */
function copiedTo(args: readonly Word[]): Word[] | null {
  const operands = operandsOf(args, copying) ?? [];
  const last = operands.at(-1);
  if (last === undefined || operands.length < 2 || operands.some(({ unknown }) => unknown !== undefined)) return null;
  const copies = operands.slice(0, -1).map((word) => ({
    ...word,
    text: `${last.text.replace(/\/$/, '')}/${word.text.replace(/\/+$/, '').replace(/^.*\//, '')}`,
  }));
  return /\/$|^\.$/.test(last.text) ? copies : [last, ...copies];
}
