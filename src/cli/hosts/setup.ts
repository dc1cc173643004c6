/** `holdpoint setup`: adds hooks and MCP servers to the hosts' own files. Prints what it writes; `--remove` undoes it. */
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { hostNames } from '../../hosts/names.ts';
import { collect } from '../kit/arguments.ts';
import type { SetupOptions } from './setupRun.ts';
import type { Verbs } from '../kit/verbs.ts';

export function setupVerb(program: Command, { io, inFolder, exit }: Verbs): void {
  program
    .command('setup')
    .description('make agent hosts ask Holdpoint before each tool call; default: the hosts in use here')
    .option('--host <name>', `${hostNames.join(', ')} or git (repeat)`, collect, [])
    .option('--remove', 'remove what setup wrote; files that were not edited since are restored byte for byte')
    .option('--dry-run', 'show what would be written without writing it')
    .option(
      '--check',
      'test each hook with a canary hold, and Claude Code itself. Exit 1: one of them does not block what it should',
    )
    .action((options: SetupOptions, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          // Loaded on first use: the gate starts often and does not need it.
          const { setup } = await import('./setupRun.ts');
          const { code, ...shown } = await setup(io, workspace, options);
          exit(code);
          return shown;
        },
        (error) => (error instanceof AppError && error.code === 'denied' ? 2 : 1),
      ),
    );
}
