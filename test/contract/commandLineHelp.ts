/** Reads the commands and options that a help text lists. */
import { verbsOf } from '../../src/cli/program.ts';

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
