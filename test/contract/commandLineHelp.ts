/** Reads the commands and options that a help text lists. */

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

/** Verbs that are not agent tools: lists and dashboards, the form, the server. */
export const otherVerbs: readonly string[] = [
  'rfc review',
  'responsibility list',
  'relationship connected',
  'dashboard',
  'mirror',
  'restore',
  'attestations write',
  'import',
  'inbox',
  'watch',
  'remind',
  'reminders',
  'export',
  'history',
  'audit',
  'check',
  'keys',
  'open',
  'mcp',
  'serve token add',
  'serve token list',
  'serve token remove',
  'setup',
  'hook',
  'team init',
  'team invite',
  'team join',
  'team status',
  'team members',
];
