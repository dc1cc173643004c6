/** What the shell makes of a word, as far as its text tells. */
import type { ParsedScript, Word as ShellWord, WordPart } from 'unbash';
import type * as shell from 'unbash';
import { computed, isKnown, type Word, type Step } from './word.ts';

export interface Scope {
  /** The values that variables may have; a variable that is not listed may have any. */
  readonly variables: ReadonlyMap<string, readonly Word[]>;
  /** Looks into a command substitution. */
  readonly substitution: (script: ParsedScript | undefined) => void;
  /** What can run code in a way that is not followed. */
  readonly refuse: (why: string) => void;
  /** The value of a variable is evaluated as an expression, which runs the commands in its subscripts. */
  readonly evaluates: (why: string, expression?: string) => void;
}

const alternativesAtMost = 50;

/** All words that it may become. */
export function expand(word: ShellWord, scope: Scope): Word[] {
  return expanded(word, scope).map((one) => (one.unknown === undefined ? one : { ...one, source: word.text }));
}

function expanded(word: ShellWord, scope: Scope): Word[] {
  const parts = word.parts;
  if (parts === undefined && zshExpansion.test(word.text)) return refused(word.text, scope);
  if (parts === undefined) return withTilde(word.text, [{ text: word.value, glob: false }], scope);
  let made: Word[] = [{ text: '', glob: false }];
  for (const [index, part] of parts.entries()) {
    const values = modified(valuesOf(part, scope, false), part, parts[index + 1]);
    made = made.flatMap((before) => values.map((value) => joined(before, value)));
    if (made.length > alternativesAtMost) {
      scope.refuse('a word with too many values');
      return [{ text: computed, glob: false, unknown: 'split' }];
    }
  }
  return withTilde(word.text, made, scope);
}

function joined(before: Word, value: Word): Word {
  const kinds = [before.unknown, value.unknown];
  const unknown =
    kinds.find((kind) => kind === 'split') ?? kinds.find((kind) => kind === 'quoted') ?? kinds.find(Boolean);
  return { text: before.text + value.text, glob: before.glob || value.glob, ...(unknown ? { unknown } : {}) };
}

/** `~/x` is in the home folder; other forms are not followed. Zsh replaces `=name` too. */
function withTilde(raw: string, words: Word[], scope: Scope): Word[] {
  // After `=` and `:` too, as in `of=~+/x`.
  if (/^=+[^=]/.test(raw) || /^(?:[^'"\\$`]*[=:])?~[^/:]/.test(raw)) {
    scope.refuse('a name that the shell replaces');
    return words;
  }
  const home = scope.variables.get('HOME')?.[0];
  const later = /[=:]~(?=\/|$)/;
  if (later.test(raw) && home)
    return words.flatMap((word) => [
      word,
      { ...word, text: word.text.replace(later, (mark) => mark.charAt(0) + home.text) },
    ]);
  if (!/^~(?:\/|$)/.test(raw)) return words;
  return words.map((word) =>
    home
      ? { ...word, text: home.text + word.text.slice(1) }
      : { ...word, text: computed + word.text.slice(1), unknown: 'quoted' as const },
  );
}

function valuesOf(part: WordPart, scope: Scope, quoted: boolean): Word[] {
  switch (part.type) {
    case 'Literal':
      return zshExpansion.test(part.text) ? refused(part.text, scope) : [{ text: part.value, glob: false }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      if (part.value.includes(computed)) scope.refuse('a null character');
      return [{ text: part.value, glob: false }];
    case 'Glob':
      if (part.kind === 'bracket') for (const inside of part.parts) valuesOf(inside, scope, quoted);
      return [{ text: part.kind === 'bracket' ? '[' : part.value, glob: true }];
    case 'DoubleQuoted':
      return part.parts.reduce<Word[]>(
        (all, inside, index) => {
          const values = modified(valuesOf(inside, scope, true), inside, part.parts[index + 1]);
          return all.flatMap((before) => values.map((value) => joined(before, value))).slice(0, alternativesAtMost + 1);
        },
        [{ text: '', glob: false }],
      );
    case 'SimpleExpansion':
      return variable(part.text.replace(/^\$/, ''), scope, quoted);
    case 'ParameterExpansion': {
      const { operation, parameter, prefix, index } = part;
      if (prefix === '!' || (index !== undefined && !/^(?:@|\*|-?\d+)$/.test(index.text))) scope.evaluates(part.text);
      else if (index !== undefined) scope.evaluates(part.text);
      else if (operation === undefined) return prefix === '#' ? [number] : variable(parameter, scope, quoted);
      else if (operation.type === 'Remove' || operation.type === 'Default') {
        expand(operation.operand, scope);
        if (operation.operator.includes('=')) scope.evaluates(part.text);
      } else if (operation.type === 'Replace')
        for (const each of [operation.pattern, operation.replacement]) expand(each, scope);
      else if (operation.type !== 'CaseModification' && !isPlainSlice(part.text)) scope.refuse(part.text);
      return [unknown(quoted)];
    }
    case 'CommandExpansion':
      if (part.script === undefined) scope.refuse(part.text);
      scope.substitution(part.script);
      return [unknown(quoted)];
    case 'ArithmeticExpansion':
      arithmetic(part.text.replace(/^\$(?:\(\(|\[)|(?:\)\)|\])$/g, ''), scope);
      return [number];
    case 'BraceExpansion':
      return braces(part.text) ?? refused(part.text, scope);
    case 'ProcessSubstitution':
      scope.substitution(part.script);
      if (part.script === undefined) scope.refuse(part.text);
      return [{ text: '/dev/fd/63', glob: false }];
    case 'LocaleString':
    case 'ExtendedGlob':
      return refused(part.text, scope);
  }
}

function refused(text: string, scope: Scope): Word[] {
  scope.refuse(text);
  return [unknown(false)];
}

const number: Word = { text: computed, glob: false, unknown: 'number' };

function unknown(quoted: boolean): Word {
  return { text: computed, glob: false, unknown: quoted ? 'quoted' : 'split' };
}

function isPlainSlice(text: string): boolean {
  return /^\$\{\w+:\s*-?\d+(?::\s*-?\d+)?\}$/.test(text);
}

/** Bash evaluates the values of variables as expressions again, with the commands in their subscripts. */
export function arithmetic(text: string, scope: Scope): void {
  if (!/^[\w\s+*\/%()<>=!&|?:,;~^-]*$/.test(text.replaceAll('$', '')) || /\$\(|\$\{/.test(text)) scope.refuse(text);
  const isNumber = ([name]: readonly string[]) =>
    scope.variables.get(name ?? '')?.every((word) => /^-?\d+$/.test(word.text)) === true;
  // It may set a variable too.
  if (/=|\+\+|--/.test(text) || ![...text.matchAll(/[A-Za-z_]\w*/g)].every(isNumber)) scope.evaluates(text);
}

function variable(name: string, { variables }: Scope, quoted: boolean): Word[] {
  if (/^[?#$!]$/.test(name)) return [number];
  const values = variables.get(name);
  if (!values) return [unknown(quoted)];
  return values.flatMap((value): Word[] => {
    if (quoted) return [value.unknown === 'split' ? { ...value, unknown: 'quoted' } : { ...value, glob: false }];
    // Bash splits it into words and replaces wildcards, zsh does neither.
    if (/\s/.test(value.text)) return [unknown(false)];
    return [{ ...value, glob: value.glob || /[*?[]/.test(value.text) }];
  });
}

/** `{a,b}`; nested ones and ranges are not followed. */
function braces(text: string): Word[] | null {
  const inside = /^\{([\w./@-]*(?:,[\w./@-]*)+)\}$/.exec(text)?.[1];
  if (inside !== undefined && !inside.includes('..'))
    return inside.split(',').map((each) => ({ text: each, glob: false }));
  const range = /^\{(\d+)\.\.(\d+)\}$/.exec(text);
  if (!range) return null;
  const [from, to] = [Number(range[1]), Number(range[2])];
  if (to < from || to - from >= alternativesAtMost) return [unknown(true)];
  return Array.from({ length: to - from + 1 }, (_, at) => ({ text: String(from + at), glob: false }));
}

/** Expands what `[[ … ]]` compares, and refuses what evaluates a variable. */
export function testExpression(expression: shell.TestExpression, scope: Scope): void {
  switch (expression.type) {
    case 'TestUnary':
      if (expression.operator === '-v' || expression.operator === '-R')
        scope.evaluates('[[ -v', expression.operand.text);
      expand(expression.operand, scope);
      return;
    case 'TestBinary': {
      const sides = [expression.left, expression.right].flatMap((side) => expand(side, scope));
      // These evaluate variables as expressions.
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator) && !sides.every(({ text }) => /^-?\d+$/.test(text)))
        scope.evaluates('[[ with arithmetic', `${expression.left.text} ${expression.right.text}`);
      return;
    }
    case 'TestLogical':
      for (const each of expression.operands) testExpression(each, scope);
      return;
    case 'TestNot':
      testExpression(expression.operand, scope);
      return;
    case 'TestGroup':
      testExpression(expression.expression, scope);
  }
}

type Redirected = Pick<Step, 'writes' | 'inputs' | 'stdin'>;

export function redirectsOf(redirects: readonly shell.Redirection[], scope: Scope): Redirected {
  const writes: Word[] = [];
  const inputs: Word[] = [];
  let stdin: string | null | undefined;
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') {
      for (const part of redirect.body.parts ?? [])
        if (part.type !== 'Literal')
          expand({ type: 'Word', text: '"', value: '', pos: 0, end: 0, parts: [part] }, scope);
      const isPlain =
        redirect.delimiter?.quoted === true || (redirect.body.parts ?? []).every(({ type }) => type === 'Literal');
      stdin = isPlain ? redirect.body.text : null;
      if (redirect.closing === undefined) scope.refuse('a here-document without an end');
      continue;
    }
    const targets = redirect.target === undefined ? [] : expand(redirect.target, scope);
    if (redirect.type === 'HereString') {
      const [text] = targets;
      stdin = text && isKnown(text) ? text.text : null;
      continue;
    }
    if (redirect.descriptor?.type === 'FileDescriptorVariable' || targets.length === 0) scope.refuse('a redirection');
    const isCopy = /^[<>]&$/.test(redirect.operator) && targets.every(({ text }) => /^(?:\d+|-|\d+-)$/.test(text));
    if (isCopy) continue;
    // Zsh: `>! file` writes over the file that follows.
    if (redirect.operator === '<' ? targets.some(({ text }) => isNumberGlob(text)) : targets.some(startsWithMark))
      scope.refuse('a redirection');
    if (redirect.operator === '<') inputs.push(...targets);
    else
      writes.push(
        ...targets.map((word) =>
          redirect.operator === '<>' ? { ...word, text: word.text === '/dev/null' ? '/dev/fd/0' : word.text } : word,
        ),
      );
  }
  return { writes, inputs, stdin };
}

function startsWithMark({ text }: Word): boolean {
  return text.startsWith('!');
}

/** `$=x` splits, `$~x` runs the commands of glob qualifiers, `$^x` expands an array. */
export const zshExpansion = /(?<!\\)\$[=~^]+[\w{(]/;

/** `<1-9>` stands for numbers in names of files; bash reads from a file of that name. */
export function isNumberGlob(target: string): boolean {
  return /^\d*-\d*$/.test(target);
}

/**
 * A letter after `$x:` is a modifier in zsh: `$x:h` is its folder, `$x:s/a/b/` replaces in it. The values count as
 * computed, except where the modifier leaves them as they are.
 */
export function modified(values: readonly Word[], part: WordPart, next: WordPart | undefined): readonly Word[] {
  if (part.type !== 'SimpleExpansion' || next?.type !== 'Literal') return values;
  const letter = /^:([a-zA-Z&])/.exec(next.text)?.[1];
  if (letter === undefined) return values;
  return values.map((value) => {
    const isSame =
      (letter === 't' && !value.text.includes('/')) || (letter === 'l' && value.text === value.text.toLowerCase());
    return !isKnown(value) || isSame ? value : { text: computed, glob: false, unknown: 'quoted' };
  });
}
