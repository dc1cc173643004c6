/** `holdpoint rfc review` as a verb. Not a tool: a reviewer that agents can call would be under their control. */
import type { Command } from 'commander';
import type { Verbs } from '../kit/verbs.ts';
import { review } from './review.ts';

export function reviewVerb(rfc: Command, { io, inFolder, exit }: Verbs): void {
  rfc
    .command('review <id>')
    .description(
      'have a language model review a design (HOLDPOINT_REVIEWER_URL, _MODEL and _KEY name it); it approves nothing. Exit 2: it asks the author for changes; 3: waiting for a human',
    )
    .action((id: string, _options: unknown, command: Command) =>
      inFolder(command, async (workspace) => {
        const { code, shown } = await review(io, workspace, id);
        exit(code);
        return shown;
      }),
    );
}
