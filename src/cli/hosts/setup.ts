/** `holdpoint setup`: hooks and MCP servers of agents, in the hosts' own files. Shows what it writes; `--remove` undoes it. */
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { collect } from '../kit/arguments.ts';
import type { SetupOptions } from './setupRun.ts';
import type { Verbs } from '../kit/verbs.ts';

export function setupVerb(program: Command, { io, inFolder, exit }: Verbs): void {
  program
    .command('setup')
    .description('have hosts of agents ask Holdpoint before each call of a tool; without --host: those in use here')
    .option('--host <name>', 'vscode, claude-code, copilot-cli, codex, opencode or git (repeat)', collect, [])
    .option('--remove', 'take out what setup wrote; files nobody edited since get their bytes back')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option(
      '--check',
      'try each hook on a canary hold, and Claude Code itself; exit 1 if one does not stop what it should',
    )
    .action((options: SetupOptions, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          // Loaded with its first use: the gate starts often, and needs none of it.
          const { setup } = await import('./setupRun.ts');
          const { code, ...shown } = await setup(io, workspace, options);
          exit(code);
          return shown;
        },
        (error) => (error instanceof AppError && error.code === 'denied' ? 2 : 1),
      ),
    );
}
