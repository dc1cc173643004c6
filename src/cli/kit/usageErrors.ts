/** Errors in how a verb was called: the mistake, and where to read more. */
import type { Command, CommanderError } from 'commander';
import { firstLine } from '../../core/kit/text.ts';

/**
 * One line.
 * @param command the one that was called wrongly
 * @param error what commander says is wrong with it
 */
export function usageProblem(command: Command, error: CommanderError): string {
  const help = `See ${pathOf(command)} --help`;
  if (error.code === 'commander.help') return `a command is missing. ${help}`;
  const said = error.message.replace(/^error: /, '').replace(/\.$/, '');
  if (error.code === 'commander.invalidArgument') return `${invalidArgument(said)}. ${help}`;
  const option = command.options.find(({ flags }) => said.includes(`'${flags}'`));
  if (option && /OptionValue$|optionMissing/.test(error.code))
    return `${said}: ${option.description.split('. ', 1)[0] ?? ''}`;
  return `${said.replace('\n', ' ')}. ${help}`;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function invalidArgument(said: string): string {
  const [, option = '', given = '', why = ''] =
    /^option '([^ ']+)[^']*' argument '(.*)' is invalid\. (.*)$/s.exec(said) ?? [];
  return option === '' ? said : `${option}: "${firstLine(given, 100)}" is invalid. ${why}`;
}
