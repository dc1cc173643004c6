/** `holdpoint open Q-12` opens the form of an item in the editor, where humans answer and approve. */
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { isTaken, requestOpen } from '../../app/workspace/openRequest.ts';
import type { Verbs } from './verbs.ts';

export function openVerb(program: Command, { io, inFolder }: Verbs): void {
  program
    .command('open <id>')
    .description(
      'open the form of a question or the review of an RFC in the editor that has this folder open; decides nothing',
    )
    .action((id: string, _options: unknown, command: Command) =>
      inFolder(command, async (workspace) => {
        requestOpen(workspace, id);
        const uri = `vscode://holdpoint.holdpoint/open/${id}`;
        if (!(await isTaken(workspace, io.signal)))
          throw new AppError(
            'not_found',
            `${id} was not opened: no editor with Holdpoint has this folder open. Open the folder there, or follow ${uri}`,
          );
        return {
          text: `${id} opens in the editor that has this folder open. Or open ${uri}`,
          schema: 'open',
          data: { id, uri },
        };
      }),
    );
}
