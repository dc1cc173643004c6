/** What the shell makes of a word, as far as its text tells. */
import type * as shell from 'unbash';
import { computed, isKnown, type Step, type Word } from './word.ts';

export interface Scope {
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

export function expand(word: shell.Word, scope: Scope): Word {
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

export function arithmetic(text: string, scope: Scope): void {
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

export function redirectsOf(redirects: readonly shell.Redirection[], scope: Scope): Redirected {
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
