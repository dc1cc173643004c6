/** Errors in how a verb was called: the mistake, the probable meaning, and where to read more. */
import type { Command, CommanderError, Option } from 'commander';
import { firstLine } from '../../core/kit/text.ts';

/** Options that mean the same in different verbs, and words that people try for them. */
const alike: readonly (readonly string[])[] = [
  ['work', 'task', 'work-id', 'task-id', 'blocking-task-id', 'blocked-task', 'id'],
  ['workflow', 'workflow-id', 'blocking-workflow-id', 'affected-workflow'],
  ['file', 'files', 'path', 'paths', 'focus', 'scope', 'holds', 'glob'],
  ['text', 'question', 'message', 'body', 'content', 'prompt', 'summary', 'title', 'name', 'subject'],
  ['choice', 'choices', 'option', 'options'],
  ['reason', 'note', 'comment', 'why'],
  ['background', 'context', 'description'],
  ['urgency', 'priority', 'severity', 'level'],
  ['wait', 'timeout', 'seconds'],
  ['limit', 'count', 'max', 'max-tokens'],
  ['agent', 'author', 'assignee', 'owner'],
  ['for', 'to', 'target', 'recipient'],
  ['status', 'state'],
  ['view', 'tab'],
];

/**
 * One line.
 * @param command the one that was called wrongly
 * @param error what commander says is wrong with it
 * @param argv the whole command line
 */
export function usageProblem(command: Command, error: CommanderError, argv: readonly string[]): string {
  // Commander misses what is mandatory first, also where it was only misspelt.
  const unknown = error.code === 'commander.missingMandatoryOptionValue' ? unknownIn(command, argv) : null;
  if (unknown !== null) return unknownOption(command, unknown);
  const said = error.message.replace(/^error: /, '').replace(/\.$/, '');
  const [what = said] = said.split('\n');
  const help = `${pathOf(command)} --help`;
  switch (error.code) {
    case 'commander.help':
      return `a command is missing. See ${help}`;
    case 'commander.unknownOption':
      return unknownOption(command, /'(-[^'=]+)/.exec(what)?.[1] ?? '');
    case 'commander.invalidArgument':
      return `${invalidArgument(said)}. See ${help}`;
    case 'commander.missingMandatoryOptionValue':
    case 'commander.optionMissingArgument': {
      const option = command.options.find(({ flags }) => what.includes(`'${flags}'`));
      return option ? `${what}: ${firstSentence(option)}` : `${what}. See ${help}`;
    }
    case 'commander.excessArguments':
      return `${what}. Put words that belong together in quotes, and see ${help}`;
    default:
      return `${said.replace('\n', ' ')}. See ${help}`;
  }
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** The first option in a command line that neither the verb nor the program has. */
function unknownIn(command: Command, argv: readonly string[]): string | null {
  const known = [...command.options, ...command.createHelp().visibleGlobalOptions(command)];
  for (let at = 0; at < argv.length; at++) {
    const [word = ''] = (argv[at] ?? '').split('=', 1);
    if (word === '--') return null;
    if (!word.startsWith('--') || word === '--help') continue;
    const option = known.find(({ long }) => long === word);
    if (!option) return word;
    if (option.required && !(argv[at] ?? '').includes('=')) at++;
  }
  return null;
}

function unknownOption(command: Command, tried: string): string {
  const meant = meantBy(command, tried.replace(/^-+/, ''));
  const what = `unknown option '${tried.slice(0, shownAtMost)}'`;
  return meant ? `${what}. Use ${explained(meant)}` : `${what}. See ${pathOf(command)} --help`;
}

/** How much of the typed text is repeated. */
const shownAtMost = 100;

function invalidArgument(said: string): string {
  const [, option = '', given = '', why = ''] =
    /^option '([^ ']+)[^']*' argument '(.*)' is invalid\. (.*)$/s.exec(said) ?? [];
  if (option === '') return said;
  return `${option}: "${firstLine(given, shownAtMost)}" is invalid. ${why}`;
}

/** The option of this verb that says what another verb calls so, or is spelt almost the same. */
function meantBy(command: Command, tried: string): Option | undefined {
  const word = tried.toLowerCase().replaceAll('_', '-');
  const others = alike.filter((words) => words.includes(word)).flat();
  const names = [word, ...others].map((name) => `--${name}`);
  const same = names.flatMap((name) => command.options.find(({ long }) => long === name) ?? [])[0];
  const near = command.options
    .map((option) => ({ option, far: distance(word, option.long?.replace(/^--/, '') ?? '') }))
    .toSorted((a, b) => a.far - b.far)[0];
  return same ?? (near && near.far <= Math.max(1, Math.floor(word.length / 3)) ? near.option : undefined);
}

/** How many characters have to be added, removed or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 1; at <= from.length; at++)
    row = row.reduce<number[]>((next, above, place) => {
      const left = next[place - 1];
      if (left === undefined) return [at];
      const diagonal = (row[place - 1] ?? 0) + (from[at - 1] === to[place - 1] ? 0 : 1);
      return [...next, Math.min(left + 1, above + 1, diagonal)];
    }, []);
  return row.at(-1) ?? 0;
}

function explained(option: Option): string {
  return `${option.flags}: ${firstSentence(option)}`;
}

function firstSentence({ description }: Option): string {
  return description.split('. ', 1)[0] ?? description;
}
