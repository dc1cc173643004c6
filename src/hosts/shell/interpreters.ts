/** Programs that run the text of another: shells, languages and editors with commands. */
import { filesOfPatch } from '../payload/toolKinds.ts';
import {
  namesEverything,
  acting,
  harmless,
  isKnown,
  opaque,
  mergeEffects,
  type Effect,
  type Step,
  type Word,
} from './word.ts';
import { onlyReads } from './reading.ts';

export type RunScript = (text: string, step: Step) => Effect;

const shells = /^(?:sh|bash|zsh|dash|ksh|mksh|ash|fish|rbash)$/;
const languages =
  /^(?:python[\d.]*|pypy3?|node|nodejs|bun|deno|tsx|ts-node|perl[\d.]*|ruby|php|lua[\d.]*|rscript|osascript|tclsh|julia|groovy|guile|swift|scala|elixir|erl|ghci?|jshell|octave|sqlite3|psql|mysql|gdb|expect|m4|pwsh|powershell|cmd|busybox|xonsh|nu)$/;
const editors = /^(?:ed|ex|vi|n?vim|view|emacs|nano|g?sed|[gmn]?awk)$/;
const patching = /^(?:apply_?patch|patch|eval|trap|alias|source|\.)$/;

/** Without a command, `su` and `script` start a shell, which reads what it runs. */
export function readsCommands(program: string): boolean {
  return shells.test(program) || program === 'su' || program === 'script';
}

export function isInterpreter(program: string): boolean {
  return [shells, languages, editors, patching].some((names) => names.test(program));
}

/** Null for another program. */
export function interpreterEffect(program: string, step: Step, run: RunScript): Effect | null {
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
  if (program === 'alias' && args.every(({ text }) => !text.includes('='))) return harmless;
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

/** Their scripts may write any file; without one they change the files they are given. */
function editorEffect(program: string, step: Step): Effect {
  const args = step.words.slice(1);
  const inPlace = /^$|^-[nErsz]*i(?:\.\w+)?$|^--in-place(?:=\.\w+)?$/;
  // `sed -i s/a/b/ file`, `sed -i '' -e '2d' file`: changes only the files it names.
  const isPlain = program.endsWith('sed')
    ? onlyReads(
        'sed',
        args.filter(({ text }) => !inPlace.test(text)),
      )
    : step.stdin === undefined &&
      step.inputs.length === 0 &&
      !args.some(({ text }) => /^(?:\+.|-[clsSuW]|--(?:cmd|eval|load|batch))/.test(text));
  const named = namesEverything([...args, ...step.inputs], step.bases, 'files');
  return isPlain && !program.endsWith('awk')
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
