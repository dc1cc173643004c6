/** Follows a shell script, statement by statement: which commands may run, in which folders, with which words. */
import { parse } from 'unbash';
import type * as shell from 'unbash';
import {
  areKnownOptions,
  isBuiltin,
  onlySetsOptions,
  evaluatesText,
  exportsAny,
  isPlainName,
  isSetOnce,
  isSteering,
  setsAny,
  steersPrograms,
  changeOf,
} from './variables.ts';
import { effectOf } from './commands.ts';
import { arithmetic, expand, redirectsOf, testExpression, type Scope } from './expand.ts';
import { isMove, merged, movedBy, movedTo, withFolderFlags, type Moving } from './folders.ts';
import { namesEverything } from './names.ts';
import { acting, isKnown, opaque, together, type Effect, type Folders, type Step, type Word } from './word.ts';

export interface Start extends Moving, Pick<Step, 'stdin'>, Partial<Pick<Step, 'inputs'>> {
  readonly bases: Folders;
  readonly tampered: boolean;
  readonly depth: number;
  readonly isInteractive?: boolean;
}

const deepest = 6;
const stepsAtMost = 2_000;
/** @returns what the whole text may do; anything that is not understood is opaque */
export function scriptEffect(text: string, start: Start): Effect {
  if (start.depth > deepest) return opaque('shells within shells');
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)) return opaque('control characters');
  const script = parse(text);
  if (script.errors !== undefined && script.errors.length > 0)
    return opaque(`syntax: ${script.errors[0]?.message ?? ''}`);
  return new Walk(text, start).all(script);
}

/** One walk over a parsed text. */
class Walk {
  private readonly effects: Effect[] = [];
  private bases: Folders;
  private tampered: boolean;
  private readonly variables = new Map<string, readonly Word[]>();
  private steps = 0;
  private readonly start: Start;
  private readonly text: string;
  /** Values of variables cannot be followed: some command may set any. */
  private readonly unsteady: boolean;
  private readonly scope: Scope;

  constructor(text: string, start: Start) {
    this.start = start;
    this.text = text;
    this.bases = start.bases;
    this.tampered = start.tampered;
    this.surroundings = { inputs: start.inputs, stdin: start.stdin };
    this.unsteady = setsAny(text);
    for (const [name, value] of start.environment) this.variables.set(name, [{ text: value, glob: false }]);
    this.scope = {
      variables: this.variables,
      substitution: (script) => {
        if (script) this.apart(() => this.script(script));
      },
      refuse: (why) => this.effects.push(opaque(why)),
      evaluates: (why, expression = why) => this.effects.push(evaluatesText(text, expression) ? opaque(why) : acting),
    };
  }

  all(script: shell.ParsedScript): Effect {
    this.script(script);
    return together(this.effects);
  }

  private script(script: shell.ParsedScript): void {
    if (script.errors !== undefined && script.errors.length > 0) this.effects.push(opaque('syntax'));
    this.list(script.commands, false);
  }

  private list(statements: readonly shell.Statement[], sure: boolean): void {
    for (const { command, background } of statements) {
      if (background === true) this.apart(() => this.node(command, {}));
      else this.node(command, { sure: !sure && command.type === 'Command' });
    }
  }

  /** In a process of its own: a `cd` in it does not last. */
  private apart(run: () => void): void {
    const { bases } = this;
    run();
    this.bases = bases;
  }

  private node(node: shell.Statement['command'] | shell.CommandNode | shell.CompoundList, more: Surroundings): void {
    const before = this.effects.length;
    this.follow(node, more);
    this.quote(before, node);
  }

  /** The innermost text that was not understood is quoted. */
  private quote(from: number, { pos, end }: Pick<shell.Statement, 'pos' | 'end'>): void {
    for (const [at, effect] of this.effects.slice(from).entries())
      if (effect.opaque !== null && effect.part === '')
        this.effects[from + at] = { ...effect, part: this.text.slice(pos, end) };
  }

  private follow(node: shell.Statement['command'] | shell.CommandNode | shell.CompoundList, more: Surroundings): void {
    switch (node.type) {
      case 'Command':
        this.command(node, more);
        return;
      case 'AndOr':
        this.andOr(node, more);
        return;
      case 'Pipeline':
        for (const [index, each] of node.commands.entries()) {
          const before = this.bases;
          this.node(each, { ...more, sure: false, ...(index > 0 ? { stdin: null } : {}) });
          // Some shells run the last one themselves.
          this.bases = index === node.commands.length - 1 ? merged(before, this.bases) : before;
        }
        return;
      case 'Redirected': {
        const { writes, inputs, stdin } = redirectsOf(node.redirects, this.scope);
        this.effects.push(this.redirecting(writes));
        this.node(node.command, {
          inputs: [...(more.inputs ?? []), ...inputs],
          stdin: stdin === undefined ? more.stdin : stdin,
        });
        return;
      }
      case 'CompoundList':
        this.list(node.commands, true);
        return;
      case 'Subshell':
        this.apart(() => this.body(node.body, more));
        return;
      case 'BraceGroup':
        this.body(node.body, more);
        return;
      case 'If':
        for (const each of [
          node.clause,
          node.then,
          ...node.elif.flatMap((one) => [one.clause, one.then]),
          ...(node.else ? [node.else] : []),
        ])
          this.branch(each, more);
        return;
      case 'While':
        this.branch(node.clause, more);
        this.branch(node.body, more);
        return;
      case 'For':
        this.forLoop(node, more);
        return;
      case 'Case':
        expand(node.word, this.scope);
        for (const item of node.items) {
          for (const pattern of item.pattern) expand(pattern, this.scope);
          this.branch(item.body, more);
        }
        return;
      case 'TestCommand':
        testExpression(node.expression, this.scope);
        return;
      case 'Function':
        // It may be called from any folder, under the name of a program.
        this.tampered = true;
        this.bases = [...this.bases, null];
        this.node(node.body, { stdin: null });
        return;
      case 'ArithmeticCommand':
        arithmetic(node.body, this.scope);
        return;
      case 'ArithmeticFor': {
        const [, head = ''] = /^for\s*\(\((.*)\)\)/s.exec(this.text.slice(node.pos, node.body.pos)) ?? [];
        arithmetic(head, this.scope);
        this.branch(node.body, more);
        return;
      }
      case 'Select':
      case 'Coproc':
        this.effects.push(opaque(node.type.toLowerCase()));
    }
  }

  private surroundings: Surroundings;

  private body(list: shell.CompoundList, more: Surroundings): void {
    const before = this.surroundings;
    this.surroundings = {
      inputs: [...(before.inputs ?? []), ...(more.inputs ?? [])],
      stdin: more.stdin === undefined ? before.stdin : more.stdin,
    };
    this.list(list.commands, true);
    this.surroundings = before;
  }

  /** It may or may not run, and more than once: all folders that it leaves behind are possible. */
  private branch(list: shell.CompoundList, more: Surroundings): void {
    const before = this.bases;
    this.body(list, more);
    const moved = this.bases.some((base) => !before.includes(base));
    this.bases = merged(before, this.bases);
    if (moved) {
      this.body(list, more);
      this.bases = merged(before, this.bases, [null]);
    }
  }

  private andOr({ commands, operators }: shell.AndOr, more: Surroundings): void {
    const isChain = operators.every((operator) => operator === '&&');
    const passed: Folders[] = [this.bases];
    for (const [index, each] of commands.entries()) {
      // What follows `cd x &&` runs only in the new folder.
      this.node(each, { ...more, after: isChain ? operators[index] : undefined });
      passed.push(this.bases);
    }
    // The chain may have ended at each of its commands.
    this.bases = merged(...passed);
  }

  private forLoop(node: shell.For, more: Surroundings): void {
    const name = node.name.value;
    const values = (node.wordlist ?? []).flatMap((word) => expand(word, this.scope));
    if (!isPlainName(name)) this.assigned(name);
    const known = this.variables.get(name);
    if (!this.unsteady && node.wordlist !== undefined && known === undefined && isSetOnce(this.text, name))
      this.variables.set(name, values);
    else this.variables.delete(name);
    this.branch(node.body, more);
    this.variables.delete(name);
  }

  private command(node: shell.Command, more: Surroundings): void {
    if (++this.steps > stepsAtMost) {
      if (this.steps === stepsAtMost + 1) this.effects.push(opaque('too many commands'));
      return;
    }
    const given = node.name === undefined ? [] : expand(node.name, this.scope);
    const words = [
      ...given,
      ...node.args.flatMap((arg) => (arg.type === 'Word' ? expand(arg, this.scope) : this.argument(arg))),
    ];
    const before = this.tampered;
    const assigned: Word[] = [];
    for (const each of node.prefix)
      if (each.type === 'Assignment')
        // `IFS= read` changes only how that line is split.
        if (each.name === 'IFS' && node.name?.text === 'read') {
          this.valueOf(each);
          this.effects.push(acting);
        } else assigned.push(...this.assignment(each, node.name === undefined && more.sure === true));
    const redirected = redirectsOf(node.redirects, this.scope);
    const { surroundings } = this;
    const step: Step = {
      words,
      writes: redirected.writes,
      inputs: [...redirected.inputs, ...(more.inputs ?? []), ...(surroundings.inputs ?? [])],
      stdin:
        redirected.stdin !== undefined ? redirected.stdin : more.stdin !== undefined ? more.stdin : surroundings.stdin,
      bases: withFolderFlags(this.bases, words),
      tampered: this.tampered,
    };
    if (given.length > 1) this.effects.push(opaque('a computed name of a program'));
    const [program] = words;
    const name = program !== undefined && isKnown(program) ? program.text : '';
    if (isMove(name)) {
      this.move(step, more);
      return;
    }
    const change = changeOf(name);
    if (isBuiltin(name) && node.name?.text !== name) this.effects.push(opaque('a builtin in another spelling'));
    if (change === 'settings') this.settings(name, words.slice(1));
    if (change === 'computed') this.computing(name, words.slice(1));
    const isUnknown = change === 'replaced' || (change === 'options' && !areKnownOptions(name, texts(words.slice(1))));
    if (isUnknown) this.effects.push(opaque(name));
    // In a terminal that stays open, what is set steers later calls.
    if (change !== undefined && !(change === 'options' && onlySetsOptions(name, texts(words.slice(1)))))
      this.effects.push(acting);
    if (change === 'script') {
      this.tampered = true;
      if (!isKnownScript(words[1])) this.bases = merged(this.bases, [null]);
    }
    // Their text runs in this shell; terminals may take the name of a folder for `cd`.
    if ((name === 'eval' || name === 'trap') && words.some(({ text }) => /\b(?:cd|pushd|popd)\b/.test(text)))
      this.bases = merged(this.bases, [null]);
    if (this.start.isInteractive === true && words.length === 1)
      this.bases = merged(this.bases, movedTo(this.bases, name));
    // Zsh evaluates what it prints as a number.
    if (/^(?:test|\[|printf|exit|return|break|continue|shift)$/.test(name) && evaluatesText(this.text))
      if (words.some((word) => word.unknown !== undefined)) this.effects.push(opaque(`what ${name} evaluates`));
    const isOnlySetting = change === 'settings' || change === 'options' || change === 'computed';
    const effect = isOnlySetting ? this.redirecting(step.writes) : this.effectOfStep(step);
    this.effects.push(effect);
    // `OUT=src/a.js node x.cjs`: the program may write the file.
    const reaches = node.name === undefined ? exportsAny(this.text) : !effect.readOnly || isOnlySetting;
    if (reaches) this.effects.push(valuesNamed(assigned, this.bases));
    const lasts = node.name === undefined || (change !== undefined && change !== 'computed');
    // An assignment before a program lasts only for that program.
    if (!lasts) this.tampered = before;
  }

  private effectOfStep(step: Step): Effect {
    return effectOf(step, (text, { bases, tampered, stdin, inputs }) =>
      scriptEffect(text, { ...this.start, bases, tampered, stdin, inputs, depth: this.start.depth + 1 }),
    );
  }

  private argument(assignment: shell.Assignment): Word[] {
    if (assignment.index) expand(assignment.index, this.scope);
    return this.valueOf(assignment).map((value) => ({ ...value, text: `${assignment.name}=${value.text}` }));
  }

  private valueOf({ value }: shell.Assignment): readonly Word[] {
    const parts = value.type === 'Word' ? [value] : value.elements;
    return parts.flatMap((each) => expand(each, this.scope));
  }

  /**
   * Subscripts, the values of integers and lists in parentheses are evaluated, with the commands in them:
   * `declare -i x='a[$(rm y)]'`, `declare -a 'x=($(rm y))'`.
   */
  private settings(program: string, words: readonly Word[]): void {
    for (const word of words) {
      const { text } = word;
      const name = /^[A-Za-z_]\w*(?==|$)/.exec(text)?.[0];
      if (name !== undefined && !/=\s*\(|`|\$\(/.test(text)) {
        const value = { ...word, text: text.slice(name.length + 1) };
        this.assigned(name, [value]);
        if (exportsAny(this.text)) this.effects.push(valuesNamed([value], this.bases));
      } else if (/^-[fpv]+$/.test(text)) this.tampered = true;
      else if (!/^-[xgraA]+$/.test(text)) this.effects.push(opaque(`what ${program} sets`));
    }
  }

  /** Values that cannot be followed: `read -r line`, `let i++`. */
  private computing(program: string, words: readonly Word[]): void {
    for (const { text } of words) {
      // `mapfile -C` runs a command for each line.
      if (/[[`]|\$\(|^-\w*C/.test(text)) this.effects.push(opaque(`what ${program} sets`));
      if (/^[A-Za-z_]\w*$/.test(text)) this.assigned(text);
    }
    if (/^(?:let|integer|float)$/.test(program))
      this.scope.evaluates(`what ${program} evaluates`, texts(words).join(' '));
  }

  private assignment(assignment: shell.Assignment, lasting: boolean): readonly Word[] {
    const { name, value, index, append } = assignment;
    if (index !== undefined && !/^\d+$/.test(index.text)) this.scope.evaluates('a subscript', index.text);
    const words = this.valueOf(assignment);
    this.assigned(name, words);
    const isPlain = lasting && value.type === 'Word' && append !== true && !this.unsteady && isSetOnce(this.text, name);
    if (isPlain && !steersPrograms(name) && !isSteering(name))
      this.variables.set(
        name,
        words.map((word) => ({ ...word, glob: false })),
      );
    else if (lasting || this.variables.has(name))
      this.variables.set(name, [{ text: '\u0000', glob: false, unknown: 'split' }]);
    return words;
  }

  /** Only plain names set nothing else, in any shell: `path` is the `PATH` of zsh. */
  private assigned(name: string, words: readonly Word[] = []): void {
    if (isPlainName(name)) return;
    this.effects.push(acting);
    const isPager = /^(?:GIT_)?PAGER$/.test(name) && words.length === 1 && words[0]?.text === 'cat';
    if (isPager) return;
    if (isSteering(name)) this.effects.push(opaque(`a value of ${name}`));
    if (!steersPrograms(name)) return;
    this.tampered = true;
    // `EDITOR='git reset --hard;' crontab -e`, `NODE_OPTIONS='--import data:…'`
    for (const value of words.filter(isKnown)) {
      if (/\bdata:/i.test(value.text)) this.effects.push(opaque(`a value of ${name}`));
      if (/[\s;&|]/.test(value.text))
        this.effects.push(this.effectOfStep({ ...this.step([{ text: name, glob: false }, value]), tampered: true }));
    }
  }

  private move(step: Step, { after }: Surroundings): void {
    const { writes } = step;
    if (writes.length > 0) this.effects.push(this.redirecting(writes));
    const moved = movedBy(step.words, this.bases, this.start);
    this.bases = after === '&&' ? moved : merged(this.bases, moved);
  }

  private step(words: readonly Word[]): Step {
    return { words, writes: [], inputs: [], bases: this.bases, tampered: this.tampered };
  }

  private redirecting(writes: readonly Word[]): Effect {
    return effectOf({ words: [], writes, inputs: [], bases: this.bases, tampered: false }, () => acting);
  }
}

interface Surroundings {
  readonly inputs?: readonly Word[] | undefined;
  readonly stdin?: string | null | undefined;
  /** The operator after the command. */
  readonly after?: '&&' | '||' | undefined;
  /** It runs exactly once, before what follows. */
  readonly sure?: boolean;
}

/** Values of variables often are folders, or lists of names in which a star means all. */
function valuesNamed(words: readonly Word[], bases: Folders): Effect {
  const named = namesEverything(words, bases);
  return { ...named, paths: named.paths.filter(({ path, isCut }) => isCut !== true && path !== '.') };
}

function texts(words: readonly Word[]): string[] {
  return words.map(({ text }) => text);
}

/** Scripts that only set variables, by their usual names. Like any other script, they are not looked into. */
function isKnownScript(word: Word | undefined): boolean {
  return word !== undefined && isKnown(word) && /(?:^|\/)(?:bin\/activate|nvm\.sh|\.cargo\/env)$/.test(word.text);
}
