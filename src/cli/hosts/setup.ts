/** `holdpoint setup`: adds hooks and MCP servers to the hosts' own files. Prints what it writes; `--remove` undoes it. */
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { hostNames } from '../../core/kit/hostNames.ts';
import { collect } from '../kit/arguments.ts';
import { setup, type SetupOptions } from './setupRun.ts';
import type { Verbs } from '../kit/verbs.ts';
import { setupMachine } from './machineRun.ts';

export function setupVerb(program: Command, { io, inFolder, exit }: Verbs): void {
  program
    .command('setup')
    .description('make agent hosts ask Holdpoint before each tool call; default: the hosts in use here')
    .option('--host <name>', `${hostNames.join(', ')} or git (repeat)`, collect, [])
    .option('--remove', 'remove what setup wrote; files that were not edited since are restored byte for byte')
    .option('--machine', 'as an administrator: rules for every user of this machine, which agents cannot edit')
    .option('--keys <file>', 'with --machine: the only public keys to trust here, as "holdpoint keys" prints them')
    .option('--dry-run', 'show what would be written without writing it')
    .option('--check', 'test each hook with a canary hold. Exit 1: one of them does not deny the edit')
    .option(
      '--command <file>',
      'print the hook command for any other host, from a description of its calls in JSON, and test it',
    )
    .action((options: SetupOptions, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          // Loaded on first use: the gate starts often and does not need it.
          const { code, ...shown } =
            options.machine === true
              ? await setupMachine(io, program.version() ?? '', options)
              : await setup(io, workspace, options);
          exit(code);
          return shown;
        },
        (error) => (error instanceof AppError && error.code === 'denied' ? 2 : 1),
      ),
    );
}
