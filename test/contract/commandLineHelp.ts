/** Reads the commands and options that a help text lists. */
import { verbsOf } from '../../src/cli/program.ts';
import { root } from '../support/host.ts';
import { runCli } from '../support/store/runCli.ts';

const helps = new Map<string, string>();

/** The help of a verb, of a group of verbs, or of the command line, whose words are none. */
export async function helpOf(words: readonly string[]): Promise<string> {
  const key = words.join(' ');
  const help = helps.get(key) ?? (await runCli({ folder: root, home: root }, [...words, '--help'])).out;
  helps.set(key, help);
  return help;
}

/** Names of the commands in a help text: they follow the options. */
export function subcommands(text: string): string[] {
  const [, list = ''] = text.split(/^ {2}-h, --help.*$/m);
  return [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

/** Options and arguments in a help text, except `--help`. */
export function accepted(text: string): Set<string> {
  const [usage = ''] = text.split('\n');
  const options = [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option = '']) => option);
  const taken = [...usage.matchAll(/[[<](?!options)\w+(?:\.{3})?[\]>]/g)].map(([argument]) => argument);
  return new Set([...options.filter((option) => option !== '--help'), ...taken]);
}

/** Verbs without an operation: lists and dashboards, the form, the server. */
export async function otherVerbs(): Promise<string[]> {
  const verbs = (await verbsOf(null)).filter(({ operation, words }) => !operation && words !== 'gate');
  return verbs.map(({ words }) => words.replace(/ [<[].*$/, ''));
}
