/** `holdpoint team status`: whether this machine's copy of a shared journal is current. Works without the server. */
import type { Command } from 'commander';
import type { TeamStatus } from '../../app/team/status.ts';
import { plural } from '../../core/kit/plural.ts';
import { ignoredRowText } from '../kit/ignoredRow.ts';
import type { Verbs } from '../kit/verbs.ts';
import { teamStatus } from '../../app/team/status.ts';

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

/** Of lengths alone: the problem says whether the lines are others. */
function compared(behind: number, { here, server }: TeamStatus['position']): string {
  if (behind > 0) return `, ${bytes(behind)} behind`;
  const ahead = (here ?? 0) - (server ?? 0);
  return ahead > 0 ? `, which lacks ${bytes(ahead)}` : ', the same length';
}

function statusText(status: TeamStatus): string {
  const { connection, position, behind, members, ring, problem } = status;
  if (status.state === 'local') return 'Not shared: the journal of this workspace is on this machine only.';
  return [
    headOf(status),
    ...(problem === null ? [] : [problem]),
    ...(connection === null
      ? []
      : [`Connection: ${connection.kind === 'env' ? 'environment variable' : 'service'} ${connection.name}`]),
    `Journal: ${bytes(position.here)} here, ${bytes(position.server)} on the server${behind === null ? '' : compared(behind, position)}`,
    `Members: ${members === null ? 'not known' : String(members)}`,
    ring === null
      ? 'Key ring: not usable, so no decision counts'
      : `Key ring: ${plural(ring.seq + 1, 'record')}, head ${ring.head.slice(0, 16)}, ${ring.roots.length === 1 ? 'root key' : 'root keys'} of ${ring.roots.join(', ')}`,
    ...(ring?.ignored ?? []).map(ignoredRowText),
  ].join('\n');
}

function headOf({ state, name, since }: TeamStatus): string {
  const shared = name === null ? 'Shared' : `Shared as ${name}`;
  if (state === 'current') return `${shared}: current`;
  const last = since === null ? '' : ` (last confirmed at ${since.slice(0, 19).replace('T', ' ')} UTC)`;
  return state === 'offline' ? `${shared}: offline${last}` : `${shared}: UNKNOWN${last}`;
}

function bytes(count: number | null): string {
  return count === null ? 'not known' : `${String(count)} bytes`;
}
