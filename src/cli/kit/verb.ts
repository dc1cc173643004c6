/** Verbs of the command line: their options follow from their input, and a row says only what differs. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import * as z from 'zod';
import { AppError, storeFailure } from '../../app/workspace/errors.ts';
import { openWorkspace, type Workspace } from '../../app/workspace/workspace.ts';
import { visibleJson } from '../../core/kit/visible.ts';
import type { JsonSchema } from '../../tools/agent/tool.ts';
import { inputProblems, type InputNames } from '../../tools/kit/inputProblems.ts';
import { runOperation, type Operation, type ToolContext, type ToolResult } from '../../tools/kit/operation.ts';
import { exitCodes, type Result } from '../../tools/kit/outcome.ts';
import {
  type ExitCode,
  type Globals,
  type Io,
  isNamed,
  optionsOf as workspaceOptions,
  shellSession,
  verbGuide,
} from './io.ts';
import { jsonOf, printError, type Shown } from './outputs.ts';

/** What a verb gets besides its input. */
export interface Call {
  readonly io: Io;
  readonly flags: Globals;
  readonly version: string;
  /** What its caller typed for each input. */
  readonly names: InputNames;
  /** Opened with its first use, in any state; closed when the verb ends. @throws AppError `bad_input` without the folder */
  readonly workspace: Workspace;
  /** The workspace, unless its state is UNKNOWN. @throws UnknownState */
  known(): Workspace;
}

/** What a verb prints: text or data, or lines as they are made, or only its exit code. Of text and data, the default is 0. */
export type Printed =
  (Shown & { readonly code?: ExitCode; readonly toErr?: boolean }) | { readonly lines: Iterable<string> } | ExitCode;

/** What an option is called, and how its text is read, where it does not follow from the input. */
export interface Hint {
  /** With its placeholder, as commander writes it. */
  readonly flags?: string;
  readonly about?: string;
  readonly read?: (text: string) => unknown;
  /** Inputs that do not go together with it. */
  readonly apart?: readonly string[];
}

type Input = Readonly<Record<string, unknown>>;

/** In the order of the help. */
export const helpGroups = [
  'Ask and wait',
  'Work and gate',
  'RFCs and requests',
  'Memory',
  'People and setup',
  'Data',
] as const;

interface Row {
  /** The verb and its arguments, as commander writes them. An argument has the name of its input. */
  readonly words: string;
  readonly about: string;
  /** Of the first verb with its first word: where the help of all has that word, and its few words there. */
  readonly help?: readonly [group: (typeof helpGroups)[number], summary: string];
  readonly hints?: Readonly<Record<string, string | Hint>>;
}

export interface Verb extends Row {
  readonly input: z.ZodObject;
  readonly without?: readonly string[];
  /** Inputs that only this verb of the operation requires. */
  readonly requires?: readonly string[];
  /** Options that are not inputs: `toInput` makes an input of them. */
  readonly more?: Readonly<Record<string, Hint & { readonly flags: string; readonly repeat?: boolean }>>;
  readonly toInput?: (given: Input) => Input;
  readonly operation?: Operation;
  /** The exit code of an error. Default: 2 for a refusal and while the state is UNKNOWN, else 1. */
  readonly failed?: ((error: unknown) => ExitCode) | undefined;
  /** @param given not checked yet */
  run(call: Call, given: Input): Promise<Printed> | Printed;
}

/** A verb without an operation. */
export function verb<S extends z.ZodObject>({
  run,
  input = z.strictObject({}) as z.ZodObject as S,
  ...row
}: Row & {
  readonly input?: S;
  readonly failed?: Verb['failed'];
  run(call: Call, input: z.output<S>): Promise<Printed> | Printed;
}): Verb {
  return {
    ...row,
    input,
    run(call, given) {
      const parsed = input.safeParse(given);
      if (parsed.success) return run(call, parsed.data);
      const inputs = { fields: Object.keys(input.shape), names: call.names };
      throw new AppError('bad_input', inputProblems(parsed.error, inputs, given).replace(/\.$/, ''));
    },
  };
}

interface OperationRow extends Row, Pick<Verb, 'without' | 'requires' | 'more' | 'toInput'> {
  readonly operation: Operation;
  /** How long to wait for a human. Milliseconds. */
  readonly waitMs?: number;
  /** For results other than a plain yes: refused or still waiting. */
  readonly exitCode?: (result: ToolResult, given: Input) => ExitCode;
}

/** A verb that runs an operation. */
export function operationVerb({ waitMs = 0, exitCode, ...row }: OperationRow): Verb {
  return {
    ...row,
    input: row.operation.input,
    async run({ io, flags, names, workspace }, given) {
      let session = isNamed(io) ? shellSession(io, workspace) : null;
      const context: ToolContext = {
        workspace,
        // An agent without a name is found in the state. By then the tool has opened the store, so it is loaded once.
        get session() {
          session ??= shellSession(io, workspace);
          return session;
        },
        signal: io.signal,
        waitMs,
        guide: verbGuide,
        inputNames: names,
        listsAll: true,
      };
      const result = await runOperation(row.operation, context, given);
      if (flags.json) io.out(visibleJson(result.data));
      else if (result.status === 'ok') io.out(result.text);
      else io.err(result.text);
      if (result.status !== 'ok') return result.status === 'denied' ? 2 : 1;
      return exitCode?.(result, given) ?? 0;
    },
  };
}

/** A script that waits must not continue until a human has decided, nor after a refusal. */
function exitCodeOf({ data }: ToolResult): ExitCode {
  const result = data['result'];
  return typeof result === 'string' && Object.hasOwn(exitCodes, result) ? exitCodes[result as Result] : 2;
}

export const untilDecided = { waitMs: Infinity, exitCode: exitCodeOf };

/** Asking without waiting succeeds even though the question is still waiting. */
export const unlessOnlyAsked: Pick<OperationRow, 'exitCode'> = {
  exitCode(result, given) {
    const code = exitCodeOf(result);
    return code === 3 && given['wait_seconds'] === undefined ? 0 : code;
  },
};

class UnknownState extends Error {}

export type Outside = Pick<Call, 'io' | 'version'>;

/** Runs a verb and prints what it returns, or its error. */
async function runVerb(verb: Verb, { io, ...outside }: Outside & Pick<Call, 'flags' | 'names'>, given: Input) {
  const { flags, names } = outside;
  let opened: Workspace | null = null;
  const call: Call = {
    ...{ io, ...outside },
    get workspace() {
      return (opened ??= openFolder(io, flags.workspace));
    },
    known() {
      const { problem } = call.workspace.standing();
      if (problem) throw new UnknownState(problem.message);
      return call.workspace;
    },
  };
  try {
    const printed = await verb.run(call, verb.toInput?.(given) ?? given);
    if (typeof printed === 'number') return printed;
    if ('lines' in printed) for (const line of printed.lines) io.out(line);
    else if (flags.json) io.out(jsonOf(printed));
    else (printed.toErr ? io.err : io.out)(printed.text);
    return 'code' in printed ? (printed.code ?? 0) : 0;
  } catch (error) {
    const code = (verb.failed ?? failedCode)(error);
    printError(io, flags, error, { result: code === 2 ? 'denied' : 'error', names });
    return code;
  } finally {
    (opened as Workspace | null)?.close();
  }
}

function failedCode(error: unknown): ExitCode {
  const isDenied = error instanceof AppError && error.code === 'denied';
  return isDenied || error instanceof UnknownState || storeFailure(error)?.code === 'unknown_state' ? 2 : 1;
}

/** @throws AppError `bad_input` if the folder does not exist */
export function openFolder(io: Io, folder: string | undefined): Workspace {
  return openWorkspace(workspaceOptions(io, folder));
}

/** Registers a verb below its words. @param done gets its exit code */
export function register(program: Command, verb: Verb, outside: Outside, done: (code: ExitCode) => void): void {
  const [, path = '', written = ''] = /^([\w ]*\w)(.*)$/.exec(verb.words.replace(/ (?=[<[])/, '\0')) ?? [];
  const words = path.split(' ');
  const parent = words.slice(0, -1).reduce(childOf, program);
  const own = words.at(-1) ?? '';
  const command = parent.command(own + written.replace('\0', ' ')).description(verb.about);
  const options = optionsOf(verb);
  for (const { option } of options) command.addOption(option);
  const args = argumentsOf(verb);
  const names = new Map([
    ...options.map(({ name, option }) => [name, option.long ?? ''] as const),
    ...args.map(({ name }) => [name, `<${name}>`] as const),
  ]);
  command.action(async () => {
    const values = command.opts<Record<string, unknown>>();
    const given = [
      ...options.map(({ name, option }) => [name, values[option.attributeName()]] as const),
      ...args.map(({ name }, at) => [name, argumentAt(verb, command, at)] as const),
    ].filter(([, value]) => value !== undefined);
    const flags = command.optsWithGlobals<Globals>();
    done(await runVerb(verb, { ...outside, flags, names }, Object.fromEntries(given)));
  });
}

function childOf(parent: Command, name: string): Command {
  return parent.commands.find((command) => command.name() === name) ?? parent.command(name);
}

/** Of an argument that may have several words, all of them. */
function argumentAt({ input, words }: Verb, { args, registeredArguments }: Command, at: number) {
  const { variadic } = registeredArguments[at] ?? {};
  if (!variadic) return args[at];
  const [name = ''] = argumentsOf({ words })
    .slice(at)
    .map((one) => one.name);
  const given = args.slice(at);
  return given.length === 0 ? undefined : input.shape[name] instanceof z.ZodArray ? given : given.join(' ');
}

interface Given {
  /** The input, or the name in `more`. */
  readonly name: string;
  readonly option: Option;
}

/** The arguments of a verb: `id` for `show <id>`. */
export function argumentsOf({ words }: Pick<Verb, 'words'>): { readonly name: string; readonly written: string }[] {
  return [...words.matchAll(/[<[](\w+)(?:\.{3})?[\]>]/g)].map(([written, name = '']) => ({ name, written }));
}

/** The options of a verb, in the order of its inputs. */
export function optionsOf(verb: Omit<Verb, 'run'>): Given[] {
  const { properties = {}, required = [] } = z.toJSONSchema(verb.input, { io: 'input' }) as JsonSchema;
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
      const apart = (hint.apart ?? []).map((other) => new Option(`--${other}`).attributeName());
      return { name, option: option.conflicts(apart).makeOptionMandatory(isRequired) };
    }),
    ...Object.entries(verb.more ?? {}).map(([name, { flags, ...hint }]) => ({ name, option: optionOf(flags, hint) })),
  ];
}

function optionOf(
  flags: string,
  { about = '', read = (text) => text, repeat = false }: Omit<Hint, 'flags' | 'apart'> & { readonly repeat?: boolean },
): Option {
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

function readerOf({ type, enum: words }: JsonSchema): (text: string) => unknown {
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

/** The options of another program, from the inputs of a verb: `--tls-cert FILE` for `tls_cert`. */
export function argvOf(input: Input, { workspace }: Globals): string[] {
  return Object.entries<unknown>({ ...input, workspace }).flatMap(([name, value]) => {
    const option = `--${name.replaceAll('_', '-')}`;
    return typeof value === 'string' ? [option, value] : value === true ? [option] : [];
  });
}
