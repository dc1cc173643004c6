/** `holdpoint open Q-12`: seed 000's human verbs (answer, approve, …) are forms; this brings the right one up. */
import type { Command } from 'commander';
import { requestOpen } from '../../app/workspace/openRequest.ts';
import { visibleJson } from '../../core/kit/visible.ts';
import { printError } from './runVerb.ts';
import { openFolder } from './session.ts';
import type { Verbs } from './verbs.ts';

export function openVerb(program: Command, { io, globals, exit }: Verbs): void {
  program
    .command('open <id>')
    .description(
      'bring up the form of a question, or the review of an RFC, in the editor that has this folder open; decides nothing',
    )
    .action((id: string, _options: unknown, command: Command) => {
      const flags = globals(command);
      try {
        const workspace = openFolder(io, flags.workspace);
        try {
          requestOpen(workspace, id);
          const uri = `vscode://holdpoint.holdpoint/open/${id}`;
          io.out(
            flags.json
              ? visibleJson({ id, uri })
              : `${id} comes up in the editor that has this folder open. Or open ${uri}`,
          );
        } finally {
          workspace.close();
        }
      } catch (error) {
        printError(io, flags, error);
        exit(1);
      }
    });
}
