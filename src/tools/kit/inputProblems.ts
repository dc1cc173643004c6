/** The errors in a tool's input, for the agent that called it: each field, and what it must be. */
import type * as z from 'zod';

/** What the caller typed for each input of a tool, for example `--due` for `due_at`; empty for callers that give inputs. */
export type InputNames = ReadonlyMap<string, string>;

/** The option stands for the whole input: `--choice` for `choices[0].label`. */
export function typedName(names: InputNames | undefined, field: string): string {
  return names?.get(/^\w+/.exec(field)?.[0] ?? '') ?? field;
}

/** An error's message begins with the field it is about; other names in it are recognized by their underscore. */
export function inTypedNames(message: string, names: InputNames | undefined): string {
  const [start = ''] = /^\w+(?:\[\d+\])?(?:\.\w+)?(?=:| ")/.exec(message) ?? [];
  const rest = message.slice(start.length).replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => names?.get(word) ?? word);
  return typedName(names, start) + rest;
}

type Issue = z.core.$ZodIssue;

const saidAtMost = 5;
const listedAtMost = 10;

const zodsOwn = /^(?:Invalid |Unrecognized key|Too big|Too small)/;

/** The names of all inputs of the tool, and what its caller typed for them. */
interface Inputs {
  readonly fields: readonly string[];
  readonly names?: InputNames | undefined;
}

/**
 * Sentences.
 * @param raw the input
 */
export function inputProblems(error: z.ZodError, inputs: Inputs, raw: unknown): string {
  const problems = problemsByField(error, inputs, raw);
  const said = problems.slice(0, saidAtMost).map(({ message }) => `${message}.`);
  const more = problems.length - said.length;
  return [...said, ...(more > 0 ? [`And ${String(more)} more.`] : [])].join(' ');
}

/** The first problem of each field, for programs. */
export function problemsByField({ issues }: z.ZodError, inputs: Inputs, raw: unknown) {
  const found = new Map<string, string>();
  for (const issue of issues) {
    const path = issue.path.join('.');
    if (!found.has(path)) found.set(path, problemOf(issue, inputs, valueAt(raw, issue.path)));
  }
  return [...found].slice(0, listedAtMost).map(([path, message]) => ({ path, message }));
}

function problemOf(issue: Issue, { fields, names }: Inputs, value: unknown): string {
  const name = typedName(names, nameOf(issue.path));
  // The schema has words of its own for it.
  if (!zodsOwn.test(issue.message)) return `${name}: ${issue.message}`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownKeys(name, issue.keys, fields);
    case 'invalid_type':
      return value === undefined
        ? `${name} is missing: give ${kindOf(issue.expected)}`
        : // A number that is not whole, or none at all, is a number to JavaScript.
          typeof value === 'number' && (issue.expected === 'int' || issue.expected === 'number')
          ? `${name} must be ${kindOf(issue.expected)}`
          : `${name} must be ${kindOf(issue.expected)}, not ${kindOf(typeOf(value))}`;
    case 'invalid_format':
      return `${name} ${isTime(issue.format) ? 'must be a time such as 2026-03-01T12:00:00Z' : 'has another form'}`;
    case 'invalid_union':
      return issue.errors.flat().some((one) => one.code === 'invalid_format' && isTime(one.format))
        ? `${name} ${timeWords}`
        : `${name}: ${issue.message}`;
    case 'invalid_value':
      return `${name} must be ${listWords(issue.values.map(String), 'disjunction')}`;
    case 'too_big':
      return `${name} ${boundText('at most', Number(issue.maximum), issue.origin)}`;
    case 'too_small':
      return value === '' && Number(issue.minimum) === 1
        ? `${name} is empty`
        : `${name} ${boundText('at least', Number(issue.minimum), issue.origin)}`;
    default:
      return `${name}: ${issue.message}`;
  }
}

const timeWords = 'must be a date such as 2026-03-01 or a time such as 2026-03-01T12:00:00Z';

function isTime(format: string): boolean {
  return format === 'datetime' || format === 'date';
}

function unknownKeys(name: string, keys: readonly string[], fields: readonly string[]): string {
  const given = listWords(
    keys.map((key) => JSON.stringify(key)),
    'conjunction',
  );
  return name === 'The input' && fields.length > 0
    ? `There is no input ${given}. The inputs are ${listWords(fields, 'conjunction')}`
    : `${name} must not have ${given}`;
}

/** `choices[0].label` */
function nameOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'The input';
  return path
    .map((key, at) => (typeof key === 'number' ? `[${String(key)}]` : `${at === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

const kinds: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

function kindOf(type: string): string {
  return kinds[type] ?? type;
}

function boundText(how: 'at most' | 'at least', count: number, origin: string): string {
  const number = count.toLocaleString('en');
  if (origin === 'string') return `must have ${how} ${number} character${count === 1 ? '' : 's'}`;
  if (origin === 'array') return `must have ${how} ${number} ${count === 1 ? 'entry' : 'entries'}`;
  return `must be ${how} ${number}`;
}

function listWords(words: readonly string[], type: 'conjunction' | 'disjunction'): string {
  // British: no comma before the last word.
  return new Intl.ListFormat('en-GB', { type }).format(words);
}
