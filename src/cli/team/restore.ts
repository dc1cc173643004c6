/** `holdpoint team restore`: puts lines back on a server that was restored from an old backup. */
import type { Command } from 'commander';
import type { Missing } from '../../app/team/restoring.ts';
import { plural } from '../../core/kit/plural.ts';
import type { Verbs } from '../kit/verbs.ts';
import { humansUrl } from './humansUrl.ts';
import { refusedOr1 } from './refused.ts';

export function restoreVerb(team: Command, { io, inFolder, exit }: Verbs): void {
  team
    .command('restore')
    .description(
      'after an old backup of the server was restored: show what the server lacks and this machine has; exits with 2 if there is something',
    )
    .option('--write', 'put it back, byte for byte, all or nothing; needs HOLDPOINT_HUMAN_URL')
    .action(({ write = false }: { readonly write?: boolean }, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          const { missingOnServer, restoreServer } = await import('../../app/team/restoring.ts');
          const missing = write ? await restoreServer(workspace, humansUrl(io)) : await missingOnServer(workspace);
          const isMissing = missing.lines + missing.keys > 0;
          if (isMissing && !write) exit(2);
          const data = { ...missing, written: write && isMissing };
          return { text: restoreText(data), schema: 'team_restore', data };
        },
        refusedOr1,
      ),
    );
}

function restoreText({
  lines,
  bytes,
  from,
  to,
  kinds,
  keys,
  written,
}: Missing & { readonly written: boolean }): string {
  if (lines + keys === 0) return 'The server has everything that this machine has.';
  const span = from === null || to === null ? '' : `, from ${from} to ${to}`;
  const shown = [
    `${plural(lines, 'line')} (${plural(bytes, 'byte')}${span})`,
    ...kinds.map(({ kind, count }) => `  ${String(count)} × ${kind}`),
    ...(keys > 0 ? [`${plural(keys, 'record')} of the team's key ring`] : []),
  ];
  return written
    ? ['Put back on the server:', ...shown].join('\n')
    : [
        'The server lacks:',
        ...shown,
        'To put this back: stop agents on all machines, then, as a person and in a shell that no agent uses, run "holdpoint team restore --write" with HOLDPOINT_HUMAN_URL.',
      ].join('\n');
}
