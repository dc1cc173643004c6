/** `holdpoint attestations write`: the signed decisions of this store as files for the repository. It signs nothing. */
import type { Command } from 'commander';
import { plural } from '../../core/kit/text.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { Verbs } from '../kit/verbs.ts';
import { attestAll, writeAttestations } from '../../app/audit/attestations.ts';

export function attestationVerbs(program: Command, { read }: Verbs): void {
  const attestations = program
    .command('attestations')
    .description('signed decisions as files in the repository, which CI checks without the journal');
  attestations
    .command('write')
    .description('write missing decisions to .holdpoint/decisions; commit them when you like')
    .action((_options: unknown, command: Command) =>
      read(command, (workspace) => {
        const { total, written } = writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
        return {
          text: `${plural(total, 'decision')}, ${String(written.length)} written to .holdpoint/decisions`,
          schema: 'attestations_write',
          data: { total, written },
        };
      }),
    );
}
