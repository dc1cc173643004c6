/**
 * Templates of texts: fixed words with typed placeholders, such as `Add {package: word} {version: version}?`. A human
 * signs them, and texts of agents are compared with them. Never regular expressions: a value ends at the first
 * occurrence of the words that follow it, so a text is read once, without backtracking.
 *
 * `{name: word}`, `{name: number}`, `{name: number 1-10}`, `{name: version}`, `{name: path src/**}`,
 * `{name: one of a|b}`, and `{name: text}` where any visible text will do. `{{` and `}}` stand for braces.
 */
import { globHolds, holdGlob } from '../kit/glob.ts';
import { hidesSomething } from '../kit/visible.ts';

type Fits = (value: string) => boolean;

type Part = { readonly literal: string } | { readonly name: string; readonly type: string; readonly fits: Fits };

export interface Template {
  readonly parts: readonly Part[];
}

/** Values by the name of their placeholder. */
export type Values = Readonly<Record<string, string>>;

export const placeholdersAtMost = 20;
/** Letters and digits that a question's template must fix, so that none fits everything. */
export const fixedAtLeast = 8;

const placeholderName = /^[A-Za-z][A-Za-z0-9_-]{0,29}$/;
/** Names of packages, branches and the like. No letters of other scripts: they can look the same. */
const word = /^[A-Za-z0-9@][A-Za-z0-9@._/+-]{0,199}$/;
const wholeNumber = /^(?:0|[1-9]\d{0,14})$/;
const version = /^v?\d{1,9}(?:\.\d{1,9}){1,3}(?:-[0-9A-Za-z][0-9A-Za-z.-]{0,49})?$/;
const pathCharacters = /^[A-Za-z0-9@._/+-]{1,500}$/;

/**
 * @param where `text`: the question itself, where no placeholder takes any text and some words are fixed
 * @returns why it is none, as an English sentence part
 */
export function parseTemplate(source: string, where: 'text' | 'more'): Template | { readonly problem: string } {
  if (hidesSomething(source)) return { problem: 'contains invisible characters' };
  const parts: Part[] = [];
  let at = 0;
  let literal = '';
  while (at < source.length) {
    const sign = source[at];
    if ((sign === '{' || sign === '}') && source[at + 1] === sign) {
      literal += sign;
      at += 2;
    } else if (sign === '}') return { problem: 'has a } without a {: write }} for the character' };
    else if (sign === '{') {
      const end = source.indexOf('}', at);
      if (end < 0) return { problem: 'has a { without a }: write {{ for the character' };
      const written = source.slice(at, end + 1);
      const made = placeholder(written.slice(1, -1));
      if ('problem' in made) return { problem: `${written}: ${made.problem}` };
      if (where === 'text' && made.type === 'text')
        return { problem: `${written}: any text is allowed only outside the question itself` };
      if (literal === '' && parts.length > 0)
        return { problem: `needs words between ${written} and what is before it` };
      if (literal !== '') parts.push({ literal });
      literal = '';
      parts.push(made);
      at = end + 1;
    } else {
      literal += sign ?? '';
      at += 1;
    }
  }
  if (literal !== '') parts.push({ literal });
  const problem = wholeProblem(parts, where);
  return problem === null ? { parts } : { problem };
}

function wholeProblem(parts: readonly Part[], where: 'text' | 'more'): string | null {
  const names = parts.flatMap((part) => ('name' in part ? [part.name] : []));
  if (names.length > placeholdersAtMost) return `has more than ${String(placeholdersAtMost)} placeholders`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `names {${twice}} twice`;
  const fixed = parts.map((part) => ('literal' in part ? part.literal : '')).join('');
  const letters = fixed.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return where === 'text' && letters < fixedAtLeast
    ? `needs at least ${String(fixedAtLeast)} letters outside placeholders`
    : null;
}

function placeholder(inner: string): Extract<Part, { name: string }> | { readonly problem: string } {
  const colon = inner.indexOf(':');
  const name = inner.slice(0, Math.max(0, colon)).trim();
  if (!placeholderName.test(name)) return { problem: 'needs a name and a type, as in {package: word}' };
  const given = inner.slice(colon + 1).trim();
  const space = given.indexOf(' ');
  const type = space < 0 ? given : given.slice(0, space);
  const rest = space < 0 ? '' : given.slice(space + 1).trim();
  const fits = fitting(type, rest);
  return typeof fits === 'string' ? { problem: fits } : { name, type, fits };
}

/** The test of a type; a string says what is wrong with it. */
function fitting(type: string, rest: string): Fits | string {
  if (rest === '' && type === 'word') return isWord;
  if (rest === '' && type === 'version') return (value) => version.test(value);
  if (rest === '' && type === 'text') return (value) => value.trim() !== '' && !hidesSomething(value);
  if (type === 'number') return numberBetween(rest);
  if (type === 'path' && rest !== '') return pathWithin(rest);
  if (type === 'one' && rest.startsWith('of ')) return oneOf(rest.slice(3));
  return 'must be word, number, number 1-10, version, path src/**, one of a|b, or text';
}

function isWord(value: string): boolean {
  return word.test(value) && !value.includes('..');
}

function numberBetween(range: string): Fits | string {
  if (range === '') return (value) => wholeNumber.test(value);
  const [from = '', to = '', ...more] = range.split('-').map((one) => one.trim());
  if (more.length > 0 || !wholeNumber.test(from) || !wholeNumber.test(to) || Number(from) > Number(to))
    return 'needs a range such as number 1-10';
  return (value) => wholeNumber.test(value) && Number(value) >= Number(from) && Number(value) <= Number(to);
}

function pathWithin(given: string): Fits | string {
  const globs = given.split('|').map((one) => holdGlob.safeParse(one.trim()));
  const patterns = globs.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (patterns.length < globs.length) return 'needs a path of the workspace such as path src/**';
  return (value) => isPlainPath(value) && patterns.some((pattern) => globHolds(pattern, value));
}

/** Without `.` and `..`, which would lead elsewhere. */
function isPlainPath(value: string): boolean {
  return pathCharacters.test(value) && value.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function oneOf(given: string): Fits | string {
  const options = given.split('|').map((one) => one.trim());
  if (options.length < 2 || options.length > 20 || options.includes(''))
    return 'needs 2 to 20 values, as in one of a|b';
  return (value) => options.includes(value);
}

/**
 * The values that make the template this text; null if it is another text. Compares code units: no case or
 * normalization is folded.
 */
export function matchTemplate({ parts }: Template, text: string): Values | null {
  const values: Record<string, string> = {};
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if ('literal' in part) {
      if (!text.startsWith(part.literal, at)) return null;
      at += part.literal.length;
      continue;
    }
    const end = endOfValue(parts, index, text, at);
    if (end < at) return null;
    const value = text.slice(at, end);
    if (!part.fits(value)) return null;
    values[part.name] = value;
    at = end;
  }
  return at === text.length ? values : null;
}

/** Where the next words begin; the last ones are at the end of the text. */
function endOfValue(parts: readonly Part[], index: number, text: string, from: number): number {
  const next = parts[index + 1];
  if (next === undefined) return text.length;
  const words = 'literal' in next ? next.literal : '';
  if (index + 2 < parts.length) return text.indexOf(words, from);
  return text.endsWith(words) ? text.length - words.length : -1;
}

/** The template of exactly this text. */
export function literalTemplate(text: string): string {
  return text.replace(/[{}]/g, (brace) => brace + brace);
}
