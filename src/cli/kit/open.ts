/** `holdpoint open Q-12` opens the form of an item in the editor, where humans answer and approve. */
import type { Command } from 'commander';
import { requestOpen } from '../../app/workspace/openRequest.ts';
import type { Verbs } from './verbs.ts';

export function openVerb(program: Command, { inFolder }: Verbs): void {
  program
    .command('open <id>')
    .description(
      'open the form of a question or the review of an RFC in the editor that has this folder open; decides nothing',
    )
    .action((id: string, _options: unknown, command: Command) =>
      inFolder(command, (workspace) => {
        requestOpen(workspace, id);
        const uri = `vscode://holdpoint.holdpoint/open/${id}`;
        return {
          text: `${id} opens in the editor that has this folder open. Or open ${uri}`,
          schema: 'open',
          data: { id, uri },
        };
      }),
    );
}
