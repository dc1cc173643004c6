/** `holdpoint mcp`: serves MCP over standard input and output, until the input ends. */
import type { Command } from 'commander';
import type { Verbs } from '../kit/verbs.ts';

export function mcpVerb(program: Command, { io, globals, exit }: Verbs): void {
  program
    .command('mcp')
    .description('serve the tools over MCP (standard input and output), for agents that support it')
    .option('--agent-type <type>', "the agent's name; default: the client's name")
    .option('--all-tools', 'offer every tool at any time; default: those that are of use now')
    .action(async (options: { agentType?: string; allTools?: boolean }, command: Command) => {
      const { workspace } = globals(command);
      exit(
        await io.serveMcp([
          ...(workspace === undefined ? [] : ['--workspace', workspace]),
          ...(options.agentType === undefined ? [] : ['--agent-type', options.agentType]),
          ...(options.allTools ? ['--all-tools'] : []),
        ]),
      );
    });
}
