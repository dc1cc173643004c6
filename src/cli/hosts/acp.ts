/** `holdpoint acp -- <agent>`: the proxy of the Agent Client Protocol. A separate bundle does it. */
import type { Command } from 'commander';
import type { Verbs } from '../kit/verbs.ts';

export function acpVerb(program: Command, { io, globals, exit }: Verbs): void {
  program
    .command('acp')
    .description('run an ACP (Agent Client Protocol) agent behind Holdpoint’s checks; editors start this command')
    .argument('<agent...>', "the agent's command, after --")
    .action(async (agent: string[], _options: object, command: Command) => {
      const { workspace } = globals(command);
      exit(await io.serveAcp([...(workspace === undefined ? [] : ['--workspace', workspace]), '--', ...agent]));
    });
}
