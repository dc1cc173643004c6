/** Programs that run the text of another: shells, languages and editors with commands. */
import { filesOfPatch } from '../payload/toolKinds.ts';
import { namesEverything } from './names.ts';
import { acting, harmless, isKnown, opaque, together, type Effect, type Step, type Word } from './word.ts';

export type RunScript = (text: string, step: Step) => Effect;

const shells = /^(?:sh|bash|zsh|dash|ksh|mksh|ash|fish|rbash)$/;
const languages =
  /^(?:python[\d.]*|pypy3?|node|nodejs|bun|deno|tsx|ts-node|perl[\d.]*|ruby|php|lua[\d.]*|Rscript|osascript|tclsh|julia|groovy|guile|swift|scala|elixir|erl|ghci?|jshell|octave|sqlite3|psql|mysql|gdb|expect|m4|pwsh|powershell|cmd|busybox|xonsh|nu)$/;
const editors = /^(?:ed|ex|vi|n?vim|view|emacs|nano|g?sed|[gmn]?awk)$/;
const patching = /^(?:apply_?patch|patch|eval|trap|alias|source|\.)$/;
/** Of `deno` and `swift`: they run and check the project's code, and change no file that they name. */
const projectVerbs = /^(?:deno (?:test|lint|check|bench|task|info)|swift (?:build|test|run|package))$/;

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
  if (patching.test(program)) return patchingEffect(program, step, run);
  if (editors.test(program)) return editorEffect(program, step);
  return languages.test(program) ? languageEffect(program, step) : null;
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
  if (file !== undefined && readsFile) return programFile(step, file);
  if (step.stdin === undefined && step.inputs.length === 0) return acting;
  return typeof step.stdin === 'string' ? run(step.stdin, step) : opaque('text that a shell reads from its input');
}

/** What is in it is known only while the program runs: `<(…)`, `/dev/stdin`. */
function isStream({ text }: Word): boolean {
  return /^\/+(?:dev|proc)\//.test(text);
}

/** The file is only read; its arguments may name others. */
function programFile(step: Step, file: Word): Effect {
  if (isStream(file)) return opaque(`program text in ${file.text}`);
  return namesEverything([...step.words.slice(step.words.indexOf(file) + 1), ...step.inputs], step.bases);
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
  const isScripted = /(?:sed|awk)$/.test(program)
    ? !isPlainSubstitution(program, args)
    : args.some(({ text }) => /^(?:\+.|-[cSsWu]|--cmd|--eval|--load|-l$|--batch)/.test(text)) ||
      step.stdin !== undefined ||
      step.inputs.length > 0;
  return together([
    namesEverything([...args, ...step.inputs], step.bases, 'files'),
    isScripted ? opaque(`a script of ${program} that may write files`) : acting,
  ]);
}

const substitution =
  /^\s*(?:(?:\d+|\$)(?:,(?:\d+|\$))?|\/[^/\n]*\/)?\s*(?:s([/|#,])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpIi\d]*|d|p)\s*$/;
const sedOption = /^(?:-[nErsz]*i?(?:\.\w+)?|-e|--expression|--in-place(?:=\.\w+)?|--quiet)$/;

/** `sed -i s/a/b/ file`, `sed -i '' -e '2d' file`: changes only the files it names. */
function isPlainSubstitution(program: string, args: readonly Word[]): boolean {
  if (!program.endsWith('sed')) return false;
  const scripts = args.filter((_, at) => /^(?:-e|--expression)$/.test(args[at - 1]?.text ?? ''));
  const [first] = args.filter(({ text }) => text !== '' && !text.startsWith('-'));
  return (
    args.every(({ text }) => !text.startsWith('-') || sedOption.test(text)) &&
    (scripts.length > 0 ? scripts : [first]).every(
      (script) => script !== undefined && isKnown(script) && substitution.test(script.text),
    )
  );
}

const textOption =
  /^-[A-Za-z]*[cepErx]$|^--(?:eval|print|command|execute|expression|run|init-command)(?:=|$)|^-[A-Za-z]*[ceE]./;
/** Options without a value, after which the first word is the program's file. */
const plainFlag = /^--(?:test|watch|no-warnings|enable-source-maps|check|experimental-[\w-]+|trace-[\w-]+|[\w-]+=.*)$/;

function languageEffect(program: string, step: Step): Effect {
  const args = step.words.slice(1);
  const refused = opaque(`program text for ${program}`);
  if (projectVerbs.test(`${program} ${args[0]?.text ?? ''}`))
    return namesEverything([...args.slice(1), ...step.inputs], step.bases);
  if (/^(?:psql|mysql|sqlite3)$/.test(program) && onlyAsks(args))
    return namesEverything(args.slice(0, 1), step.bases, 'files');
  const at = args.findIndex(({ text }) => !text.startsWith('-'));
  const options = at < 0 ? args : args.slice(0, at);
  // `-W ignore -c text`: the first word may belong to the option before it.
  const mayBelong =
    at > 0 &&
    !plainFlag.test(args[at - 1]?.text ?? '') &&
    !(program.startsWith('py') && /^-[uBEsSIOvbdi]+$/.test(args[at - 1]?.text ?? ''));
  const code = args.findIndex((word, index) => (index < at || at < 0 || mayBelong) && textOption.test(word.text));
  if (args.some(({ text }) => /\bdata:/i.test(text))) return refused;
  if (code >= 0) {
    const script = args[code + 1];
    const option = program.startsWith('py') ? /^-c$/ : /^(?:-e|-p|-pe|-ep|--eval|--print)$/;
    const isPlain = code === 0 && option.test(args[0]?.text ?? '') && script !== undefined && isKnown(script);
    return isPlain && onlyPrints(program, script.text) ? acting : refused;
  }
  const file = args[at];
  if (file === undefined || file.text === '-') {
    if (step.stdin === undefined && step.inputs.length === 0) return namesEverything(options, step.bases);
    return typeof step.stdin === 'string' && onlyPrints(program, step.stdin) ? acting : refused;
  }
  if (step.stdin === null && options.some(({ text }) => /^-\w*i|^--interactive/.test(text))) return refused;
  if (!/^(?:python[\d.]*|node|nodejs|bun|tsx|ts-node|ruby|php|perl|lua|Rscript)/.test(program))
    return together([namesEverything([...args, ...step.inputs], step.bases), opaque(`commands of ${program}`)]);
  return together([namesEverything(options, step.bases), programFile(step, file)]);
}

/** `psql -c 'select 1'`, `sqlite3 app.db .tables`: one statement that reads, and no function that could do more. */
function onlyAsks(args: readonly Word[]): boolean {
  const others =
    /^(?:-[UdhpAtqXw]|-[AtqX]{2,}|-c|--command|-e|--execute|--csv|-(?:header|csv|json|readonly|column)|\w[\w.@-]*|postgres(?:ql)?:\/\/\S+)$/;
  const asking =
    /^\s*(?:\\(?:d[tnfiuvs]?|l)\+?(?:\s+[\w.]+)?|\.(?:tables|schema|indexes|databases)(?:\s+\w+)?|(?:select|show|explain\s+select)\b[^;\\|`]*;?)\s*$/i;
  const doing =
    /\b(?:into|copy|pragma)\b|\b(?!(?:count|sum|min|max|avg|now|coalesce|lower|upper|length|in|and|or)\s*\()[\w."]+\s*\(/i;
  const asked = args.filter(({ text }) => !others.test(text));
  return args.every(isKnown) && asked.length === 1 && asked.every(({ text }) => asking.test(text) && !doing.test(text));
}

const words = new Set(
  `console log error table process version versions node v8 platform arch argv env cwd pid uptime JSON stringify parse Object
keys values entries fromEntries Math max min round floor ceil abs Number String Date now toISOString length filter join sort
slice split toUpperCase toLowerCase trim includes startsWith endsWith indexOf concat toFixed parseInt parseFloat const let var
if else for of in return null true false new require print import json loads load dumps sys stdin read readline readlines
open len range sorted sum str int float list dict set tuple enumerate zip strip get items not and or is None True False math
datetime time platform name description dependencies devDependencies scripts main type exports engines license author i j k
x y z a b c d e f n m s t v w p data line lines key value item result pkg count total text out`.split(/\s+/),
);

/**
 * Whether a program text only computes and prints: of a few names, and of the strings only modules and files that are
 * read. Python's `open` and Node's `require` stand there with one string, and nowhere as values.
 */
export function onlyPrints(program: string, text: string): boolean {
  if (!/^(?:python[\d.]*|node|nodejs|bun)$/.test(program)) return false;
  if (text.length > 2_000 || /[^\x20-\x7e\n]|[`\\]|__|'''|"""|\b(?:f|rf|fr|u|b)['"]/i.test(text)) return false;
  const bare = text
    .replaceAll(
      /\bopen\((?:'[^'\n]*'|"[^"\n]*")\)|\brequire\((['"])(?:\.{1,2}\/[\w./@-]+\.json|(?:node:)?os)\1\)/g,
      ' x ',
    )
    .replaceAll(/'[^'\n]*'|"[^"\n]*"/g, '""');
  // No call of a call's result, or of an element; elements only by number or, in Python, by a text.
  const element = program.startsWith('py') ? /[\w)\]"]\s*\[(?!-?\d+\]|""\])/ : /[\w)\]"]\s*\[(?!-?\d+\])/;
  if (/['"]/.test(bare.replaceAll('""', ''))) return false;
  if (/\b(?:require|open)\b|\b(?:from|import)\s*""|[\])"]\s*\(|\b[a-z]\s*\(|\.\s*\w+\s*=(?![=>])/.test(bare))
    return false;
  return !element.test(bare) && (bare.match(/[A-Za-z_$][\w$]*/g) ?? []).every((name) => words.has(name));
}
