/** Programs that run the text of another: shells, languages and editors with commands. */
import { filesOfPatch } from '../payload/toolKinds.ts';
import { namesEverything } from './names.ts';
import { acting, harmless, isKnown, opaque, together, type Effect, type Step, type Word } from './word.ts';

export type RunScript = (text: string, step: Step) => Effect;

const shells = new Set('sh bash zsh dash ksh mksh ash fish rbash'.split(' '));
const languages =
  /^(?:python[\d.]*|pypy3?|node|nodejs|bun|deno|tsx|ts-node|perl[\d.]*|ruby|php|lua[\d.]*|Rscript|osascript|tclsh|julia|groovy|guile|swift|scala|elixir|erl|ghci?|jshell|octave|sqlite3|psql|mysql|gdb|expect|m4|pwsh|powershell|cmd|busybox|xonsh|nu)$/;
const editors = new Set('ed ex vi vim nvim view emacs nano sed gsed awk gawk mawk nawk perl'.split(' '));
const textOptions =
  /^-[A-Za-z]*[cepErx]$|^--(?:eval|print|command|execute|expression|run|init-command)(?:=|$)|^-[A-Za-z]*[ceE]./;
/** Options without a value, after which the first word is the program's file. */
const plainFlags = /^--(?:test|watch|no-warnings|enable-source-maps|check|experimental-[\w-]+|trace-[\w-]+|[\w-]+=.*)$/;
const pythonFlags = /^-[uBEsSIOvbdi]+$/;
/** Of `deno` and `swift`: they run and check the project's code, and change no file that they name. */
const projectVerbs = /^(?:deno (?:test|lint|check|bench|task|info)|swift (?:build|test|run|package))$/;

/** Without a command they start a shell, which reads what it runs. */
const shellStarters = new Set('su script'.split(' '));

export function readsCommands(program: string): boolean {
  return shells.has(program) || shellStarters.has(program);
}

export function isInterpreter(program: string): boolean {
  return shells.has(program) || languages.test(program) || editors.has(program) || isPatching(program);
}

function isPatching(program: string): boolean {
  return /^(?:apply_?patch|patch|eval|trap|alias|source|\.)$/.test(program);
}

/** Null for another program. */
export function interpreterEffect(program: string, step: Step, run: RunScript): Effect | null {
  if (shells.has(program)) return shellEffect(step, run);
  if (isPatching(program)) return patchingEffect(program, step, run);
  if (editors.has(program) && program !== 'perl') return editorEffect(program, step);
  return languages.test(program) ? languageEffect(program, step) : null;
}

function shellEffect(step: Step, run: RunScript): Effect {
  const args = step.words.slice(1);
  const flag = args.findIndex(({ text }) => /^-[a-z]*c$/.test(text));
  const options = flag < 0 ? [] : args.slice(0, flag);
  if (flag >= 0) {
    const script = args.slice(flag + 1).find(({ text }) => text !== '--');
    if (
      script === undefined ||
      !isKnown(script) ||
      /^[-+]/.test(script.text) ||
      !options.every(({ text }) => /^-(?:[lieux]+|-login|-norc|-noprofile)$/.test(text))
    )
      return opaque('text for another shell');
    return run(script.text, step);
  }
  const file = args.find(({ text }) => !text.startsWith('-'));
  if (args.some((word) => !isKnown(word) || isStream(word))) return opaque('arguments of another shell');
  const isPlain = args.slice(0, file ? args.indexOf(file) : 0).every(({ text }) => /^-[eluvx]+$|^--login$/.test(text));
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
  const rest = step.words.slice(step.words.indexOf(file) + 1);
  return namesEverything([...rest, ...step.inputs], step.bases);
}

function patchingEffect(program: string, step: Step, run: RunScript): Effect {
  const args = step.words.slice(1);
  if (program === 'alias' && args.every(({ text }) => !text.includes('='))) return harmless;
  if (program === 'source' || program === '.') {
    const [file] = args;
    return file && isKnown(file) && !isStream(file)
      ? namesEverything(args.slice(1), step.bases)
      : opaque('a script of a computed name');
  }
  if (!args.every(isKnown)) return opaque(`computed arguments of ${program}`);
  if (program === 'eval') return run(args.map(({ text }) => text).join(' '), step);
  if (program === 'trap') {
    const [text] = args;
    return text === undefined || text.text === '-' || text.text === '' ? harmless : run(text.text, step);
  }
  if (program === 'patch' || program === 'alias') return opaque(`what ${program} changes`);
  const patches = [...args.map(({ text }) => text), ...(typeof step.stdin === 'string' ? [step.stdin] : [])];
  const files = patches.map(filesOfPatch);
  if (step.stdin === null || files.length === 0 || files.some((found) => found === null || found.length === 0))
    return opaque('a patch');
  return {
    ...acting,
    paths: files.flatMap((found) => found ?? []).map((path) => ({ path, bases: step.bases })),
  };
}

/** Their scripts may write any file; without one they change the files they are given. */
function editorEffect(program: string, step: Step): Effect {
  const args = step.words.slice(1);
  const named = namesEverything([...args, ...step.inputs], step.bases, 'files');
  const isStream = /^(?:g?sed|[gmn]?awk)$/.test(program);
  if (isStream)
    return together([
      named,
      isPlainSubstitution(program, args) ? acting : opaque(`a script of ${program} that may write files`),
    ]);
  const scripted =
    args.some(({ text }) => /^(?:\+.|-[cSsWu]|--cmd|--eval|--load|-l$|--batch)/.test(text)) ||
    step.stdin !== undefined ||
    step.inputs.length > 0;
  return together([named, scripted ? opaque(`a script of ${program}`) : acting]);
}

const substitution =
  /^\s*(?:(?:\d+|\$)(?:,(?:\d+|\$))?|\/[^/\n]*\/)?\s*(?:s([/|#,])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpIi\d]*|d|p)\s*$/;

/** `sed -i s/a/b/ file`, `sed -i '' -e '2d' file`: changes only the files it names. */
function isPlainSubstitution(program: string, args: readonly Word[]): boolean {
  if (!program.endsWith('sed')) return false;
  const scripts = args.flatMap(({ text }, at) => (/^(?:-e|--expression)$/.test(text) ? [args[at + 1]] : []));
  const [first] = args.filter(({ text }) => text !== '' && !text.startsWith('-'));
  const all = scripts.length > 0 ? scripts : [first];
  const options = args.every(
    ({ text }) =>
      !text.startsWith('-') || /^(?:-[nErsz]*i?(?:\.\w+)?|-e|--expression|--in-place(?:=\.\w+)?|--quiet)$/.test(text),
  );
  return options && all.every((script) => script !== undefined && isKnown(script) && substitution.test(script.text));
}

function languageEffect(program: string, step: Step): Effect {
  const args = step.words.slice(1);
  if (projectVerbs.test(`${program} ${args[0]?.text ?? ''}`))
    return namesEverything([...args.slice(1), ...step.inputs], step.bases);
  if (/^(?:psql|mysql|sqlite3)$/.test(program) && onlyAsks(program, args))
    return namesEverything(args.slice(0, 1), step.bases, 'files');
  const at = args.findIndex(({ text }) => !text.startsWith('-'));
  const options = at < 0 ? args : args.slice(0, at);
  // `-W ignore -c text`: the first word may belong to the option before it.
  const before = args[at - 1]?.text ?? '';
  const mayBelong = at > 0 && !plainFlags.test(before) && !(program.startsWith('py') && pythonFlags.test(before));
  const code = args.findIndex((word, index) => (index < at || at < 0 || mayBelong) && textOptions.test(word.text));
  if (args.some(({ text }) => /\bdata:/i.test(text))) return opaque(`program text for ${program}`);
  const language = program.startsWith('py') ? 'python' : 'javascript';
  const isOurs = /^(?:python[\d.]*|node|nodejs|bun)$/.test(program);
  if (code >= 0) {
    const script = args[code + 1];
    const isPlain = /^(?:-c|-e|-p|-pe|-ep|--eval|--print)$/.test(args[code]?.text ?? '') && code === 0;
    if (
      isPlain &&
      isOurs &&
      script &&
      isKnown(script) &&
      (args[code]?.text === '-c') === (language === 'python') &&
      onlyPrints(script.text, language)
    )
      return acting;
    return opaque(`program text for ${program}`);
  }
  const [file] = at < 0 ? [] : args.slice(at);
  if (file === undefined || file.text === '-') {
    if (step.stdin === undefined && step.inputs.length === 0) return namesEverything(options, step.bases);
    return isOurs && typeof step.stdin === 'string' && onlyPrints(step.stdin, language)
      ? acting
      : opaque(`program text for ${program}`);
  }
  if (step.stdin === null && options.some(({ text }) => /^-\w*i|^--interactive/.test(text)))
    return opaque(`what ${program} reads from its input`);
  if (!isOurs && !/^(?:tsx|ts-node|ruby|php|perl|lua|Rscript)/.test(program))
    return together([namesEverything([...args, ...step.inputs], step.bases), opaque(`commands of ${program}`)]);
  return together([namesEverything(options, step.bases), programFile(step, file)]);
}

const queryFunctions = /^(?:count|sum|min|max|avg|now|coalesce|lower|upper|length|in|and|or|values|exists)$/i;

/** One statement that reads, without functions of other names, which a server may have any of. */
function isPlainQuery(text: string): boolean {
  if (!/^\s*(?:select|show|explain\s+select)\b[^;\\|`]*;?\s*$/i.test(text) || /\b(?:into|copy|pragma)\b/i.test(text))
    return false;
  return [...text.matchAll(/([\w."]+)\s*\(/g)].every(([, name = '']) => queryFunctions.test(name));
}

/** `psql … -c 'select 1'`, `sqlite3 app.db .tables` */
function onlyAsks(program: string, args: readonly Word[]): boolean {
  if (!args.every(isKnown)) return false;
  const texts = args.map(({ text }) => text);
  if (program === 'sqlite3') {
    const [file = '-', command = '', ...more] = texts.filter(
      (text) => !/^-(?:header|csv|json|readonly|column)$/.test(text),
    );
    const isListing = /^\.(?:tables|schema|indexes|databases)(?:\s+\w+)?$/.test(command);
    return !file.startsWith('-') && more.length === 0 && (isListing || isPlainQuery(command));
  }
  const at = texts.findIndex((text) => /^(?:-c|--command|-e|--execute)$/.test(text));
  const [command = '', ...more] = texts.slice(at + 1);
  const isListing = /^\\(?:d[tnfiuvs]?|l)\+?(?:\s+[\w.]+)?$/.test(command);
  const isPlain = (text: string) => /^(?:-[UdhpAtqXw]|-[AtqX]{2,}|--csv|[\w.@-]+|postgres(?:ql)?:\/\/\S+)$/.test(text);
  return at >= 0 && (isListing || isPlainQuery(command)) && [...texts.slice(0, at), ...more].every(isPlain);
}

const words = new Set(
  `console log error table process version versions node v8 platform arch argv env cwd pid memoryUsage uptime JSON stringify parse
Object keys values entries fromEntries Math max min round floor ceil abs pow sqrt random Number String Boolean Array Date now
toISOString getTime length filter join sort reverse slice split toString toUpperCase toLowerCase trim includes startsWith
endsWith padStart padEnd indexOf reduce forEach map push concat flat flatMap replace replaceAll toFixed parseInt parseFloat
isNaN const let var if else for of in return typeof null true false undefined new require path os resolve basename
dirname extname homedir tmpdir cpus print import from as json loads load dumps sys stdin stdout read readline readlines
executable open len range sorted sum str int float list dict set tuple enumerate zip strip lstrip rstrip splitlines
format get items lambda not and or is None True False with except try pass re math datetime time platform
collections Counter hashlib md5 sha256 hexdigest encode decode base64 b64encode b64decode urllib quote unquote
name description dependencies devDependencies scripts main type exports engines license author files bin
i j k x y z a b c d e f g n m s t v w r p q l o data line lines key value item result obj pkg count total num text out`.split(
    /\s+/,
  ),
);
/** Names that may be called as functions. */
const functions = new Set(
  `log error table cwd memoryUsage uptime stringify parse keys values entries fromEntries max min round floor ceil abs pow
sqrt random Number String Boolean Date now toISOString getTime filter join sort reverse slice split toString toUpperCase
toLowerCase trim includes startsWith endsWith padStart padEnd indexOf reduce forEach map push concat flat flatMap toFixed
parseInt parseFloat isNaN require resolve basename dirname extname homedir tmpdir cpus print loads load dumps read readline
readlines open len range sorted sum str int float list dict set tuple enumerate zip strip lstrip rstrip splitlines format
get items Counter md5 sha256 hexdigest encode decode b64encode b64decode quote unquote if for of in return not and or`.split(
    /\s+/,
  ),
);

const string = /(?:(['"])((?:(?!\1)[^\\\n])*)\1)/g;

export function onlyPrints(text: string, language: 'python' | 'javascript'): boolean {
  if (text.length > 2_000 || /[`\\]|(?:^|[^\w])(?:f|rf|fr|u|b)['"]|'''|"""/i.test(text)) return false;
  const called: string[] = [];
  // Strings name modules and files only in these two calls.
  const bare = text.replaceAll(string, (_whole, _quote, value: string, at: number) => {
    const call = /(\w+)\s*\(\s*$/.exec(text.slice(0, at))?.[1];
    if (call === 'require' && !/^(?:\.{1,2}\/[\w./@-]+\.json|(?:node:)?(?:os|path))$/.test(value)) called.push(value);
    const after = text.slice(at).replace(/^(['"]).*?\1/, '');
    if (call === 'open' && !/^\s*(?:\)|,\s*(['"])r[bt]?\1\s*\))/.test(after)) called.push(value);
    return ' "" ';
  });
  if (called.length > 0 || /['"](?! |")/.test(bare.replaceAll(' "" ', ''))) return false;
  // Nor as values, which another function could call.
  if (/\b(?:require|open)\b(?!\s*\(\s*"")/.test(bare) || /\b(?:from|import)\s*""/.test(bare)) return false;
  if (language === 'python' && /\b(?:os|path|replace)\b/.test(bare)) return false;
  // A call of a call's result, or of an element.
  if (/[\])]\s*\(|"\s*\(/.test(bare) || bare.includes('__')) return false;
  // Elements by number; in Python also by a text, which cannot name a function there.
  if (/[\w)\]]\s*\[(?!\s*(?:-?\d+|"")?\s*(?::\s*-?\d*\s*)?\])/.test(bare)) return false;
  if (language === 'javascript' && /[\w)\]"]\s*\[\s*""/.test(bare)) return false;
  if (/(?:process|sys|path|os|json|require|console|Object|Math|module)\s*\[/.test(bare)) return false;
  for (const [name] of bare.matchAll(/[A-Za-z_$][\w$]*/g)) if (!words.has(name)) return false;
  for (const [, name = ''] of bare.matchAll(/([A-Za-z_$][\w$]*)\s*\(/g)) if (!functions.has(name)) return false;
  // No assignment to a property.
  return !/\.\s*\w+\s*=(?![=>])/.test(bare) && !/[^\x20-\x7e\n]/.test(bare);
}
