/** Follows a shell script, statement by statement: which commands may run, in which folders, with which words. */
import type * as shell from 'unbash';
import { parse } from 'unbash';
import { effectOf } from './effects.ts';
import { arithmetic, expand, redirectsOf, type Scope } from './expand.ts';
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

interface Moving {
  /** Variables of the environment whose values are known. */
  readonly environment: ReadonlyMap<string, string>;
  /** Relative folders of `cd` may be elsewhere. */
  readonly cdPath: boolean;
}

/** Where `cd`, `pushd` or `popd` leads to, if it succeeds. */
function movedBy(words: readonly Word[], bases: Folders, { environment, cdPath }: Moving): Folders {
  const [program, ...args] = words;
  const [folder, ...rest] = args.filter(({ text }, at) => text !== '--' && !(at === 0 && /^-[PLe]+$/.test(text)));
  if (program?.text === 'cd' && args.length === 0) return [environment.get('HOME') ?? null];
  if (folder === undefined || rest.length > 0 || program?.text === 'popd') return [null];
  if (!isKnown(folder) || folder.text.startsWith('-')) return [null];
  const isPlain = /^(?:\.{0,2}\/|\.{1,2}$)/.test(folder.text);
  return mergeFolders(movedTo(bases, folder.text), cdPath && !isPlain ? [null] : []);
}

export interface Start extends Moving, Pick<Step, 'stdin'>, Partial<Pick<Step, 'inputs'>> {
  readonly bases: Folders;
  readonly depth: number;
  readonly isInteractive?: boolean;
}

const deepest = 6;
const stepsAtMost = 2_000;

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
  private steps = 0;
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
        this.loop(node.body);
        return;
      case 'While':
        this.loop(node);
        return;
      case 'Select':
      case 'Coproc':
        this.effects.push(opaque(node.type.toLowerCase()));
        return;
      default:
    }
    for (const child of partsOf(node)) this.visit(child);
  }

  /** A second round starts where the first one ended. */
  private loop(node: Node & (shell.While | shell.CompoundList)): void {
    if (/\b(?:cd|pushd|popd)\b/.test(this.text.slice(node.pos, node.end)))
      this.bases = mergeFolders(this.bases, [null]);
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
    this.loop(node.body);
  }

  private command(node: shell.Command, leads: boolean): void {
    if (++this.steps > stepsAtMost) {
      if (this.steps === stepsAtMost + 1) this.effects.push(opaque('too many commands'));
      return;
    }
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
    // Terminals may take the name of a folder for `cd`.
    if (this.start.isInteractive === true && words.length === 1)
      this.bases = mergeFolders(this.bases, movedTo(this.bases, name));
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
    // Scripts that only set variables, by their usual names. Like any other script, they are not looked into.
    const isSourced = /^(?:\.|source) (?!(?:.*\/)?(?:bin\/activate|nvm\.sh|\.cargo\/env)$)/.test(line);
    // Their text runs in this shell.
    const moves = /^(?:eval|trap) .*\b(?:cd|pushd|popd)\b/s.test(line);
    if (isSourced || moves) this.bases = mergeFolders(this.bases, [null]);
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
    const moved = movedBy(step.words, this.bases, this.start);
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
