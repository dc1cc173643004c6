/** Verbs that run an operation. Their options follow from its input; a table says only what differs. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import * as z from 'zod';
import { exitCodes, type Result } from '../../tools/kit/outcome.ts';
import type { Operation, ToolResult } from '../../tools/kit/operation.ts';
import type { JsonSchema } from '../../tools/agent/tool.ts';
import type { ExitCode } from './io.ts';
import type { VerbOptions } from './runVerb.ts';
import type { Verbs } from './verbs.ts';

type Input = Readonly<Record<string, unknown>>;
type Read = (text: string) => unknown;

/** What an option is called, and how its text is read, where it does not follow from the input. */
export interface Hint {
  /** With its placeholder, as commander writes it. */
  readonly flags?: string;
  readonly about?: string;
  readonly read?: Read;
}

export interface ToolVerb extends VerbOptions {
  /** The verb and its arguments, as commander writes them. An argument has the name of its input. */
  readonly words: string;
  readonly about: string;
  readonly operation: Operation;
  readonly without?: readonly string[];
  /** Inputs that only this verb of the operation requires. */
  readonly requires?: readonly string[];
  readonly hints?: Readonly<Record<string, string | Hint>>;
  /** Options that are not inputs: `input` makes an input of them. */
  readonly more?: Readonly<Record<string, Hint & { readonly flags: string; readonly repeat?: boolean }>>;
  readonly input?: (given: Input) => object;
}

interface Given {
  /** The input, or the name in `more`. */
  readonly name: string;
  readonly option: Option;
}

/** The arguments of a verb: `id` for `show <id>`. */
export function argumentsOf({ words }: Pick<ToolVerb, 'words'>): { readonly name: string; readonly written: string }[] {
  return [...words.matchAll(/[<[](\w+)(?:\.{3})?[\]>]/g)].map(([written, name = '']) => ({ name, written }));
}

/** The options of a verb, in the order of its inputs. */
export function optionsOf(verb: ToolVerb): Given[] {
  const { properties = {}, required = [] } = z.toJSONSchema(verb.operation.input, { io: 'input' }) as JsonSchema;
  const taken = [...argumentsOf(verb).map(({ name }) => name), ...(verb.without ?? [])];
  const inputs = Object.entries(properties).filter(([name]) => !taken.includes(name));
  return [
    ...inputs.map(([name, schema]) => {
      const given = verb.hints?.[name];
      const hint = typeof given === 'string' ? { flags: given } : (given ?? {});
      const isRequired = [...required, ...(verb.requires ?? [])].includes(name);
      const option = optionOf(hint.flags ?? flagsOf(name, schema), {
        about: hint.about ?? aboutOf(name, schema),
        read: hint.read ?? readerOf(schema),
        repeat: schema.type === 'array',
      });
      return { name, option: option.makeOptionMandatory(isRequired) };
    }),
    ...Object.entries(verb.more ?? {}).map(([name, { flags, ...hint }]) => ({ name, option: optionOf(flags, hint) })),
  ];
}

/** @param words the verb's own, without those of its parent */
export function toolVerb({ run }: Verbs, parent: Command, { words, verb }: { words: string; verb: ToolVerb }): void {
  const command = parent.command(words).description(verb.about);
  const options = optionsOf(verb);
  for (const { option } of options) command.addOption(option);
  const args = argumentsOf(verb);
  const inputNames = new Map([
    ...options.map(({ name, option }) => [name, option.long ?? ''] as const),
    ...args.map(({ name }) => [name, `<${name}>`] as const),
  ]);
  command.action(() => {
    const values = command.opts<Record<string, unknown>>();
    const given = Object.fromEntries([
      ...options.map(({ name, option }) => [name, values[option.attributeName()]] as const),
      ...args.map(({ name }, at) => [name, argumentAt(command, at)] as const),
    ]);
    return run(command, verb.operation, () => verb.input?.(given) ?? given, { ...verb, inputNames });
  });
}

/** Of an argument that may have several words, all of them. */
function argumentAt({ args, registeredArguments }: Command, at: number): string | undefined {
  return registeredArguments[at]?.variadic && args.length > at ? args.slice(at).join(' ') : args[at];
}

interface About {
  readonly about?: string;
  readonly read?: Read;
  readonly repeat?: boolean;
}

function optionOf(flags: string, { about = '', read = (text) => text, repeat = false }: About): Option {
  const option = new Option(flags, repeat ? `${about.replace(/\.$/, '')} (repeat)` : about);
  if (!option.required) return option;
  return repeat
    ? option.argParser<unknown[]>((text, before: unknown[] | undefined) => [...(before ?? []), read(text)])
    : option.argParser((text) => read(text));
}

/** `--due <time>` for `due_at`, `--alternative <text>` for the list `alternatives`, `--no-free-text` for what is true by default. */
function flagsOf(name: string, schema: JsonSchema): string {
  const words = name.replace(/_(?:at|seconds)$/, '').replace(/^(?:\w+_)?work_id$/, 'work');
  const one = schema.type === 'array' ? words.replace(/ies$/, 'y').replace(/s$/, '') : words;
  const option = one.replaceAll('_', '-');
  if (schema.type === 'boolean') return `--${schema.default === true ? 'no-' : ''}${option}`;
  return `--${option} <${placeholderOf(name, schema)}>`;
}

function placeholderOf(name: string, { type, enum: words }: JsonSchema): string {
  if (name.endsWith('_seconds')) return 'seconds';
  if (type === 'integer' || type === 'number') return 'n';
  if (words || ['title', 'agent', 'author'].includes(name)) return name;
  const [, kind] = /(?:^|_)(id|json|file|scope|path|glob|since|until|at)s?$/.exec(name) ?? [];
  if (kind === undefined) return name === 'workflow' || name === 'depends_on' ? 'id' : 'text';
  return ['file', 'scope'].includes(kind) ? 'path' : ['since', 'until', 'at'].includes(kind) ? 'time' : kind;
}

/** As in a list of options: it begins with a small letter, and lists the words that it does not explain. */
function aboutOf(name: string, { description, items, enum: words = [] }: JsonSchema): string {
  const given = description ?? items?.description ?? (words.length === 0 ? `the ${name.replaceAll('_', ' ')}` : '');
  const text = given.replace(/^(?:True|False) if /, '').replace(/\.$/, '');
  const start = /^[A-Z][a-z]*(?:[ ,.]|$)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
  const list = words.map((word) => word.replaceAll('_', '-')).join(', ');
  return [start, words.some((word) => !text.includes(word)) ? list : ''].filter(Boolean).join(': ');
}

function readerOf({ type, enum: words }: JsonSchema): Read {
  if (type === 'integer' || type === 'number') return number;
  if (type === 'object') return jsonObject;
  // `under-review` for `under_review`
  return words ? (text) => (words.includes(text) ? text : text.replaceAll('-', '_')) : (text) => text;
}

function number(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && text.trim() !== '') return value;
  throw new InvalidArgumentError('Must be a number.');
}

/** A JSON object; its size and shape are the operation's to judge. */
function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON.
  }
  throw new InvalidArgumentError('Give a JSON object, such as {"ticket": "API-7"}.');
}

/** Splits a pair that an option gives as `what: more`. */
export function pair(text: string): readonly [string, string | undefined] {
  const [, first = text, second] = /^(.*?):\s+(.*)$/s.exec(text) ?? [];
  return [first, second];
}

/** A script that waits must not continue until a human has decided, nor after a refusal. */
function exitCodeOf({ data }: ToolResult): ExitCode {
  const result = data['result'];
  return typeof result === 'string' && Object.hasOwn(exitCodes, result) ? exitCodes[result as Result] : 2;
}

export const untilDecided: VerbOptions = { waitMs: Infinity, exitCode: exitCodeOf };

/** Asking without waiting succeeds even though the question is still waiting. */
export const unlessOnlyAsked: VerbOptions = {
  exitCode(result, given) {
    const code = exitCodeOf(result);
    return code === 3 && given['wait_seconds'] === undefined ? 0 : code;
  },
};
