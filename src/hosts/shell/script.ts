/** Follows a shell script, statement by statement: which commands may run, in which folders, with which words. */
import type * as shell from 'unbash';
import { parse } from 'unbash';
import { effectOf } from './effects.ts';
import {
  namesEverything,
  acting,
  isKnown,
  opaque,
  mergeEffects,
  type Effect,
  type Folders,
  type Step,
  type Word,
  computed,
  isBuiltin,
  plainVariable,
  setsOptions,
  setsVariables,
  steeringVariable,
} from './word.ts';

// The folders that a command may run in.

const basesAtMost = 32;

function isMove(program: string): boolean {
  return program === 'cd' || program === 'pushd' || program === 'popd';
}

/** @param folder of a name that is known */
function movedTo(bases: Folders, folder: string): Folders {
  if (/^(?:[\\/]|[A-Za-z]:)/.test(folder)) return [folder];
  return bases.map((base) => (base === null ? null : base === '.' ? folder : `${base}/${folder}`));
}

function mergeFolders(...all: Folders[]): Folders {
  const found = [...new Set(all.flat())];
  return found.length > basesAtMost ? [null] : found;
}

/** `tar -C src`, `npm --prefix src`: names are relative to either folder. */
function withFolderFlags(bases: Folders, words: readonly Word[]): Folders {
  return words.reduce<Folders>((all, { text }, index) => {
    const attached = /^(?:-C|--(?:directory|prefix|cwd|chdir)=)(.+)$/.exec(text)?.[1];
    const isFlag = /^(?:-C|--directory|--prefix|--cwd|--chdir|-w)$/.test(text) && words[0]?.text !== 'curl';
    const folder = attached ?? (isFlag ? words[index + 1]?.text : undefined);
    return folder === undefined ? all : mergeFolders(all, folder.includes(computed) ? [null] : movedTo(all, folder));
  }, bases);
}

/** Where `cd`, `pushd` or `popd` leads to, if it succeeds. */
function movedBy(words: readonly Word[], bases: Folders, home: string | undefined): Folders {
  const [program, ...args] = words;
  const [folder, ...rest] = args.filter(({ text }, at) => text !== '--' && !(at === 0 && /^-[PLe]+$/.test(text)));
  if (program?.text === 'cd' && args.length === 0) return [home ?? null];
  if (folder === undefined || rest.length > 0 || program?.text === 'popd') return [null];
  if (!isKnown(folder) || folder.text.startsWith('-')) return [null];
  return movedTo(bases, folder.text);
}

export interface Start extends Pick<Step, 'stdin'>, Partial<Pick<Step, 'inputs'>> {
  /** Variables of the environment whose values are known. */
  readonly environment: ReadonlyMap<string, string>;
  readonly bases: Folders;
  readonly depth: number;
}

const deepest = 6;

/** @returns all effects that the text may have; anything that is not understood is opaque */
export function scriptEffect(text: string, start: Start): Effect {
  if (start.depth > deepest) return opaque('shells within shells');
  // Shells evaluate subscripts in many places, with the commands in them: `test -v 'a[$(rm x)]'`, `echo $((x))`.
  if (/[\w}]\[[^\]]*(?:\$\(|`)/.test(text.replaceAll(/['"\\]/g, ''))) return opaque('a command in a subscript', text);
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)) return opaque('control characters');
  return new Walk(text, start).all(parse(text));
}

type Node =
  | shell.Statement
  | shell.Statement['command']
  | shell.CommandNode
  | shell.CompoundList
  | shell.TestExpression
  | shell.Word;

class Walk {
  private readonly effects: Effect[] = [];
  /** All folders that commands before may have led to: it only grows, but after `cd x &&`. */
  private bases: Folders;
  private around: Pick<Step, 'inputs' | 'stdin'>;
  private readonly variables: Map<string, string>;
  private readonly start: Start;
  private readonly text: string;
  private readonly scope: Scope;

  constructor(text: string, start: Start) {
    this.start = start;
    this.text = text;
    this.bases = start.bases;
    this.around = { inputs: start.inputs ?? [], stdin: start.stdin };
    this.variables = new Map(start.environment);
    this.scope = {
      variables: this.variables,
      substitution: (script) => {
        if (script) this.script(script);
      },
      refuse: (why) => this.effects.push(opaque(why)),
      acts: () => this.effects.push(acting),
    };
  }

  all(script: shell.ParsedScript): Effect {
    this.script(script);
    return mergeEffects(this.effects);
  }

  private script({ errors, commands }: shell.ParsedScript): void {
    if (errors !== undefined && errors.length > 0) this.effects.push(opaque(`syntax: ${errors[0]?.message ?? ''}`));
    else for (const { command } of commands) this.visit(command);
  }

  /** @param leads what follows runs only if it succeeds */
  private visit(node: Node, leads = false): void {
    const before = this.effects.length;
    this.follow(node, leads);
    // The innermost text that was not understood is quoted.
    for (const [at, effect] of this.effects.slice(before).entries())
      if (effect.opaque !== null && effect.part === '')
        this.effects[before + at] = { ...effect, part: this.text.slice(node.pos, node.end) };
  }

  private follow(node: Node, leads: boolean): void {
    switch (node.type) {
      case 'Word':
        expand(node, this.scope);
        return;
      case 'Command':
        this.command(node, leads);
        return;
      case 'AndOr': {
        const before = this.bases;
        // What follows `cd x &&` runs only in the new folder; the chain may end at each of its commands.
        const isChain = node.operators.every((operator) => operator === '&&');
        const passed = node.commands.map((each, at) => {
          this.visit(each, isChain && at < node.operators.length);
          return this.bases;
        });
        this.bases = mergeFolders(before, ...passed);
        return;
      }
      case 'Pipeline':
        for (const [at, each] of node.commands.entries()) this.fed(at > 0 ? { stdin: null } : {}, each);
        return;
      case 'Redirected': {
        const { writes, ...read } = redirectsOf(node.redirects, this.scope);
        this.effects.push(this.redirecting(writes));
        this.fed(read, node.command);
        return;
      }
      case 'For':
        this.forLoop(node);
        return;
      case 'TestUnary':
      case 'TestBinary':
        // These evaluate variables as expressions.
        if (/^-(?:[vR]|eq|ne|lt|le|gt|ge)$/.test(node.operator)) this.scope.acts();
        break;
      case 'Function':
        // It may be called from any folder, under the name of a program.
        this.effects.push(acting);
        this.bases = [...this.bases, null];
        this.fed({ stdin: null }, node.body);
        return;
      case 'ArithmeticCommand':
        arithmetic(node.body, this.scope);
        return;
      case 'ArithmeticFor':
        arithmetic(/^for\s*\(\((.*)\)\)/s.exec(this.text.slice(node.pos, node.body.pos))?.[1] ?? '', this.scope);
        this.visit(node.body);
        return;
      case 'Select':
      case 'Coproc':
        this.effects.push(opaque(node.type.toLowerCase()));
        return;
      default:
    }
    for (const child of partsOf(node)) this.visit(child);
  }

  private fed({ inputs = [], stdin }: Partial<Step>, node: Node): void {
    const before = this.around;
    this.around = { inputs: [...before.inputs, ...inputs], stdin: stdin === undefined ? before.stdin : stdin };
    this.visit(node);
    this.around = before;
  }

  private forLoop(node: shell.For): void {
    for (const word of node.wordlist ?? []) expand(word, this.scope);
    this.assigned(node.name.value);
    this.variables.delete(node.name.value);
    this.visit(node.body);
  }

  private command(node: shell.Command, leads: boolean): void {
    const { around } = this;
    const given = node.name === undefined ? [] : [expand(node.name, this.scope)];
    const args = node.args.flatMap((arg) => (arg.type === 'Word' ? [expand(arg, this.scope)] : this.argument(arg)));
    const words = [...given, ...args];
    const assigned = node.prefix.flatMap((each) => {
      if (each.type !== 'Assignment') return [];
      // `IFS= read` changes only how that line is split.
      if (each.name !== 'IFS' || node.name?.text !== 'read') return this.assignment(each);
      this.valueOf(each);
      return [];
    });
    const redirected = redirectsOf(node.redirects, this.scope);
    const step: Step = {
      words,
      writes: redirected.writes,
      inputs: [...redirected.inputs, ...around.inputs],
      stdin: redirected.stdin === undefined ? around.stdin : redirected.stdin,
      bases: withFolderFlags(this.bases, words),
    };
    const [program] = words;
    const name = program !== undefined && isKnown(program) ? program.text : '';
    if (isMove(name)) {
      this.move(step, leads);
      return;
    }
    if (isBuiltin(name) && node.name?.text !== name) this.effects.push(opaque('a builtin in another spelling'));
    this.builtin(name, args);
    const isOnlySetting = setsVariables.test(name) || setsOptions.test(name);
    this.effects.push(isOnlySetting ? this.redirecting(step.writes) : this.effectOfStep(step));
    // `OUT=src/a.js node x.cjs`: the program may write the file.
    this.effects.push(valuesNamed(assigned, this.bases));
  }

  private builtin(name: string, args: readonly Word[]): void {
    const line = [name, ...args.map(({ text }) => text)].join(' ');
    // In a terminal that stays open, what is set steers later calls.
    if (setsVariables.test(name) || (setsOptions.test(name) && !/^set(?: (?:[-+][eux]+o?|pipefail))*$/.test(line)))
      this.effects.push(acting);
    if (setsVariables.test(name)) for (const word of args) this.setting(name, word);
    // Their text runs in this shell.
    if (/^(?:eval|trap) .*\b(?:cd|pushd|popd)\b/s.test(line)) this.bases = mergeFolders(this.bases, [null]);
  }

  private effectOfStep(step: Step): Effect {
    return effectOf(step, (text, { bases, stdin, inputs }) =>
      scriptEffect(text, { ...this.start, bases, stdin, inputs, depth: this.start.depth + 1 }),
    );
  }

  private argument(assignment: shell.Assignment): Word[] {
    if (assignment.index) expand(assignment.index, this.scope);
    return this.valueOf(assignment).map((value) => ({ ...value, text: `${assignment.name}=${value.text}` }));
  }

  private valueOf({ value }: shell.Assignment): readonly Word[] {
    return (value.type === 'Word' ? [value] : value.elements).map((each) => expand(each, this.scope));
  }

  /** `export X=1`, `read -r line`. Lists in parentheses are evaluated: `declare -a 'x=($(rm y))'`; `mapfile -C` runs. */
  private setting(program: string, word: Word): void {
    const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(word.text) ?? [];
    if (/=\s*\(|`|\$\(|^-\w*C/.test(word.text)) this.effects.push(opaque(`what ${program} sets`));
    else if (name !== undefined) {
      const values = value === undefined ? [] : [{ ...word, text: value }];
      this.assigned(name, values);
      this.effects.push(valuesNamed(values, this.bases));
    }
  }

  private assignment(assignment: shell.Assignment): readonly Word[] {
    const { name, index } = assignment;
    if (index !== undefined && !/^\d+$/.test(index.text)) this.scope.acts();
    const words = this.valueOf(assignment);
    this.assigned(name, words);
    // Its value is not followed: a loop, a condition or another program could change it.
    this.variables.delete(name);
    return words;
  }

  /** Only plain names set nothing else, in any shell: `path` is the `PATH` of zsh. */
  private assigned(name: string, words: readonly Word[] = []): void {
    if (plainVariable.test(name)) return;
    this.effects.push(acting);
    const value = words.length === 1 ? words[0]?.text : undefined;
    if (/^(?:GIT_)?PAGER$/.test(name) && value === 'cat') return;
    // `NODE_OPTIONS='--import data:…'`
    if (steeringVariable.test(name) || words.some(({ text }) => /\bdata:/i.test(text)))
      this.effects.push(opaque(`a value of ${name}`));
  }

  private move(step: Step, leads: boolean): void {
    if (step.writes.length > 0) this.effects.push(this.redirecting(step.writes));
    const moved = movedBy(step.words, this.bases, this.start.environment.get('HOME'));
    this.bases = leads ? moved : mergeFolders(this.bases, moved);
  }

  private redirecting(writes: readonly Word[]): Effect {
    return effectOf({ words: [], writes, inputs: [], bases: this.bases }, () => acting);
  }
}

function partsOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** Values of variables often are folders, or lists of names in which a star means all. */
function valuesNamed(words: readonly Word[], bases: Folders): Effect {
  const named = namesEverything(words, bases);
  return { ...named, readOnly: true, paths: named.paths.filter(({ path, isCut }) => isCut !== true && path !== '.') };
}

// What the shell makes of a word, as far as its text tells.

interface Scope {
  /** Variables of the environment whose values are known. Those that a script sets are not followed. */
  readonly variables: ReadonlyMap<string, string>;
  /** Looks into a command substitution. */
  readonly substitution: (script: shell.ParsedScript | undefined) => void;
  /** What can run code in a way that is not followed. */
  readonly refuse: (why: string) => void;
  /** What sets a variable, or evaluates one as an expression. */
  readonly acts: () => void;
}

/** `$=x` splits, `$~x` runs the commands of glob qualifiers, `$^x` expands an array. */
const zshExpansion = /(?<!\\)\$[=~^]+[\w{(]/;
const number: Word = { text: computed, glob: false, unknown: 'number' };

function unknownWord(quoted: boolean): Word {
  return { text: computed, glob: false, unknown: quoted ? 'quoted' : 'split' };
}

function refuseExpansion(text: string, scope: Scope): Word {
  scope.refuse(text);
  return unknownWord(false);
}

function expand(word: shell.Word, scope: Scope): Word {
  const { parts, text: raw, value } = word;
  // Other names that start so are not followed, and zsh replaces `=name`. After `=` and `:` too, as in `of=~+/x`.
  if (/^=+[^=]/.test(raw) || /^~[^/:]|^[^'"\\$`]*[=:]~/.test(raw)) scope.refuse('a name that the shell replaces');
  const made =
    parts !== undefined
      ? joinedParts(parts, scope, false)
      : zshExpansion.test(raw)
        ? refuseExpansion(raw, scope)
        : { text: value, glob: false };
  const one = /^~(?:\/|$)/.test(raw) ? inHome(made, scope) : made;
  return one.unknown === undefined ? one : { ...one, source: raw };
}

function inHome(word: Word, { variables }: Scope): Word {
  const home = variables.get('HOME');
  const rest = word.text.slice(1);
  return home === undefined ? { ...unknownWord(true), text: computed + rest } : { ...word, text: home + rest };
}

function joinedParts(parts: readonly shell.WordPart[], scope: Scope, quoted: boolean): Word {
  return parts.reduce<Word>(
    (before, part, index) => {
      const value = modifyValues(valueOf(part, scope, quoted), part, parts[index + 1]);
      const kinds = [before.unknown, value.unknown];
      const kind = (['split', 'quoted', 'number'] as const).find((one) => kinds.includes(one));
      const text = before.text + value.text;
      return { text, glob: before.glob || value.glob, ...(kind ? { unknown: kind } : {}) };
    },
    { text: '', glob: false },
  );
}

/** In zsh, a letter after `$x:` is a modifier: `$x:h` is its folder, `$x:s/a/b/` replaces in it. */
function modifyValues(value: Word, part: shell.WordPart, next: shell.WordPart | undefined): Word {
  const isModifier = part.type === 'SimpleExpansion' && next?.type === 'Literal' && /^:[a-zA-Z&]/.test(next.text);
  return isModifier && isKnown(value) ? unknownWord(true) : value;
}

function valueOf(part: shell.WordPart, scope: Scope, quoted: boolean): Word {
  switch (part.type) {
    case 'Literal':
      return zshExpansion.test(part.text) ? refuseExpansion(part.text, scope) : { text: part.value, glob: false };
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      if (part.value.includes(computed)) scope.refuse('a null character');
      return { text: part.value, glob: false };
    case 'Glob':
      if (part.kind === 'bracket') for (const inside of part.parts) valueOf(inside, scope, quoted);
      return { text: part.kind === 'bracket' ? '[' : part.value, glob: true };
    case 'DoubleQuoted':
      return joinedParts(part.parts, scope, true);
    case 'SimpleExpansion':
      return variable(part.text.replace(/^\$/, ''), scope, quoted);
    case 'ParameterExpansion':
      return parameter(part, scope, quoted);
    case 'CommandExpansion':
      if (part.script === undefined) scope.refuse(part.text);
      scope.substitution(part.script);
      return unknownWord(quoted);
    case 'ArithmeticExpansion':
      arithmetic(part.text.replace(/^\$(?:\(\(|\[)|(?:\)\)|\])$/g, ''), scope);
      return number;
    case 'BraceExpansion':
      // It may be any of several names.
      return /^\{[\w./@,-]*\}$/.test(part.text) ? { text: '*', glob: true } : refuseExpansion(part.text, scope);
    case 'ProcessSubstitution':
      scope.substitution(part.script);
      if (part.script === undefined) scope.refuse(part.text);
      return { text: '/dev/fd/63', glob: false };
    case 'LocaleString':
    case 'ExtendedGlob':
      return refuseExpansion(part.text, scope);
  }
}

function parameter(part: shell.ParameterExpansionPart, scope: Scope, quoted: boolean): Word {
  const { operation, prefix, index, text } = part;
  if (prefix === '!' || index !== undefined) scope.acts();
  else if (operation === undefined) return prefix === '#' ? number : variable(part.parameter, scope, quoted);
  else if (operation.type === 'Remove' || operation.type === 'Default') {
    expand(operation.operand, scope);
    if (operation.operator.includes('=')) scope.acts();
  } else if (operation.type === 'Replace')
    for (const each of [operation.pattern, operation.replacement]) expand(each, scope);
  else if (operation.type !== 'CaseModification' && !/^\$\{\w+:\s*-?\d+(?::\s*-?\d+)?\}$/.test(text))
    scope.refuse(text);
  return unknownWord(quoted);
}

function arithmetic(text: string, scope: Scope): void {
  if (!/^[\w\s+*\/%()<>=!&|?:,;~^-]*$/.test(text.replaceAll('$', '')) || /\$\(|\$\{/.test(text)) scope.refuse(text);
  // It sets variables, or evaluates their values as expressions again.
  if (/[A-Za-z_]|=|\+\+|--/.test(text)) scope.acts();
}

function variable(name: string, { variables }: Scope, quoted: boolean): Word {
  if (/^[?#$!]$/.test(name)) return number;
  const value = variables.get(name);
  // Bash splits it into words, zsh does not.
  return value === undefined || (!quoted && /[\s*?[]/.test(value)) ? unknownWord(quoted) : { text: value, glob: false };
}

type Redirected = Pick<Step, 'writes' | 'inputs' | 'stdin'>;

function redirectsOf(redirects: readonly shell.Redirection[], scope: Scope): Redirected {
  const writes: Word[] = [];
  const inputs: Word[] = [];
  let stdin: string | null | undefined;
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') {
      const parts = (redirect.body.parts ?? []).filter(({ type }) => type !== 'Literal');
      for (const part of parts) joinedParts([part], scope, true);
      stdin = redirect.delimiter?.quoted === true || parts.length === 0 ? redirect.body.text : null;
      if (redirect.closing === undefined) scope.refuse('a here-document without an end');
      continue;
    }
    const { operator, descriptor } = redirect;
    const targets = redirect.target === undefined ? [] : [expand(redirect.target, scope)];
    if (redirect.type === 'HereString') {
      const [text] = targets;
      stdin = text && isKnown(text) ? text.text : null;
      continue;
    }
    if (descriptor?.type === 'FileDescriptorVariable' || targets.length === 0) scope.refuse('a redirection');
    if (/^[<>]&$/.test(operator) && targets.every(({ text }) => /^(?:\d+|-|\d+-)$/.test(text))) continue;
    // Zsh: `>! file` writes over the file that follows; `<1-9>` stands for numbers in names of files.
    const isOther = operator === '<' ? /^\d*-\d*$/ : /^!/;
    if (targets.some(({ text }) => isOther.test(text))) scope.refuse('a redirection');
    if (operator === '<') inputs.push(...targets);
    else
      for (const word of targets)
        writes.push(operator === '<>' && word.text === '/dev/null' ? { ...word, text: '/dev/fd/0' } : word);
  }
  return { writes, inputs, stdin };
}
