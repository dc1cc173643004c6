/** `holdpoint team status`: whether this machine's copy of a shared journal is current. Works without the server. */
import type { Command } from 'commander';
import { teamStatus, type TeamStatus } from '../../app/team/status.ts';
import { plural } from '../../core/kit/plural.ts';
import { ignoredRowText } from '../kit/ignoredRow.ts';
import type { Verbs } from '../kit/verbs.ts';

export function statusVerb(team: Command, { inFolder, exit }: Verbs): void {
  team
    .command('status')
    .description("say whether this machine's copy of a shared journal is current; exits with 2 if it is not")
    .action((_options: unknown, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          const data = await teamStatus(workspace);
          if (data.state === 'offline' || data.state === 'unknown') exit(2);
          return { text: statusText(data), schema: 'team_status', data };
        },
        () => 2,
      ),
    );
}

function statusText({ state, name, since, position, ring, problem }: TeamStatus): string {
  if (state === 'local') return 'Not shared: the journal of this workspace is on this machine only.';
  const shared = name === null ? 'Shared' : `Shared as ${name}`;
  const last = since === null ? '' : ` (last confirmed at ${since.slice(0, 19).replace('T', ' ')} UTC)`;
  return [
    state === 'current' ? `${shared}: current` : `${shared}: ${state === 'offline' ? 'offline' : 'UNKNOWN'}${last}`,
    ...(problem === null ? [] : [problem]),
    `Journal: ${bytes(position.here)} here, ${bytes(position.server)} on the server`,
    ring === null
      ? 'Key ring: not usable, so no decision counts'
      : `Key ring: ${plural(ring.records, 'record')}, ${ring.roots.length === 1 ? 'root key' : 'root keys'} of ${ring.roots.join(', ')}`,
    ...(ring?.ignored ?? []).map(ignoredRowText),
  ].join('\n');
}

function bytes(count: number | null): string {
  return count === null ? 'not known' : `${String(count)} bytes`;
}
