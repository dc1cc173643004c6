/** `holdpoint open Q-12` brings the form of an item up in the editor: humans answer and approve there. */
import type { Command } from 'commander';
import { requestOpen } from '../../app/workspace/openRequest.ts';
import type { Verbs } from './verbs.ts';

export function openVerb(program: Command, { inFolder }: Verbs): void {
  program
    .command('open <id>')
    .description(
      'bring up the form of a question, or the review of an RFC, in the editor that has this folder open; decides nothing',
    )
    .action((id: string, _options: unknown, command: Command) =>
      inFolder(command, (workspace) => {
        requestOpen(workspace, id);
        const uri = `vscode://holdpoint.holdpoint/open/${id}`;
        return {
          text: `${id} comes up in the editor that has this folder open. Or open ${uri}`,
          schema: 'open',
          data: { id, uri },
        };
      }),
    );
}
