/** Errors in how a verb was called: what is wrong, what was probably meant, and where to read on. */
import type { Command, CommanderError, Option } from 'commander';

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
 */
export function usageProblem(command: Command, error: CommanderError): string {
  const said = error.message.replace(/^error: /, '').replace(/\.$/, '');
  const [what = said] = said.split('\n');
  const help = `${pathOf(command)} --help`;
  switch (error.code) {
    case 'commander.help':
      return `a command is missing. See ${help}`;
    case 'commander.unknownOption': {
      const meant = meantBy(command, /'--?([^'=]+)/.exec(what)?.[1] ?? '');
      return meant ? `${what}. Use ${explained(meant)}` : `${said.replace('\n', ' ')}. See ${help}`;
    }
    case 'commander.missingMandatoryOptionValue':
    case 'commander.optionMissingArgument': {
      const option = command.options.find(({ flags }) => what.includes(`'${flags}'`));
      return option ? `${what}: ${option.description}` : `${what}. See ${help}`;
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

/** The option of this verb that says what another verb calls so. */
function meantBy(command: Command, tried: string): Option | undefined {
  const word = tried.toLowerCase().replaceAll('_', '-');
  const others = alike.filter((words) => words.includes(word)).flat();
  const names = [word, ...others].map((name) => `--${name}`);
  return names.flatMap((name) => command.options.find(({ long }) => long === name) ?? [])[0];
}

function explained({ flags, description }: Option): string {
  return `${flags}: ${description}`;
}
