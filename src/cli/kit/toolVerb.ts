/** Verbs that run a tool. A verb maps options to inputs; the rest follows from the tool. */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Operation } from '../../tools/kit/operation.ts';
import type { VerbOptions } from './runVerb.ts';
import type { Verbs } from './verbs.ts';

/** One option, and how its text is parsed into the tool's input. */
export interface Given {
  readonly flags: string;
  readonly about: string;
  readonly required?: boolean;
  readonly repeat?: boolean;
  readonly read?: Read;
}

type Read = ((text: string) => unknown) | undefined;
export const may = (flags: string, about: string, read?: Read): Given => ({ flags, about, read });
export const must = (flags: string, about: string): Given => ({ flags, about, required: true });
/** Can be repeated. */
export const each = (flags: string, about: string, read?: Read): Given => ({
  ...{ flags, read, repeat: true },
  about: `${about} (repeat)`,
});

export interface ToolVerb extends VerbOptions {
  readonly about: string;
  /** Loaded on first use: a gate in the same program must not wait for it. */
  readonly tool: () => Promise<Operation>;
  /** The option for each input of the tool. Arguments of the verb have the same names as inputs. */
  readonly takes?: Readonly<Record<string, Given>>;
  /** For inputs made from several options. */
  readonly input?: (given: Readonly<Record<string, unknown>>) => object;
}

/** @param words the verb's name and arguments, as commander writes them */
export function toolVerb({ run }: Verbs, parent: Command, words: string, verb: ToolVerb): void {
  const command = parent.command(words).description(verb.about);
  const inputs = Object.entries(verb.takes ?? {}).map(([input, given]) => {
    const option = optionOf(given);
    command.addOption(option);
    return { input, name: option.attributeName() };
  });
  command.action(() => {
    const options = command.opts<Record<string, unknown>>();
    const given = Object.fromEntries([
      ...command.registeredArguments.map((argument, at) => [argument.name(), argumentAt(command, at)] as const),
      ...inputs.map(({ input, name }) => [input, options[name]] as const),
    ]);
    const inputNames = new Map([
      ...Object.entries(verb.takes ?? {}).map(([input, { flags }]) => [input, nameOf(flags)] as const),
      ...command.registeredArguments.map((argument) => [argument.name(), `<${argument.name()}>`] as const),
    ]);
    return run(command, verb.tool, () => verb.input?.(given) ?? given, { ...verb, inputNames });
  });
}

/** `--no-free-text` is `free_text` in an input. */
function nameOf(flags: string): string {
  return flags.split(' ', 1)[0] ?? flags;
}

/** Of an argument that may have several words, all of them. */
function argumentAt({ args, registeredArguments }: Command, at: number): string | undefined {
  return registeredArguments[at]?.variadic && args.length > at ? args.slice(at).join(' ') : args[at];
}

export function optionOf({ flags, about, required = false, repeat = false, read = (text) => text }: Given): Option {
  const option = new Option(flags, about).makeOptionMandatory(required);
  if (!option.required) return option;
  return repeat
    ? option.argParser<unknown[]>((text, before: unknown[] | undefined) => [...(before ?? []), read(text)])
    : option.argParser((text) => read(text));
}

/** Splits a pair that an option gives as `what: more`. */
export function pair(text: string): readonly [string, string | undefined] {
  const [, first = text, second] = /^(.*?):\s+(.*)$/s.exec(text) ?? [];
  return [first, second];
}
