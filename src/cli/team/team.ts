/** `holdpoint team`: the server of a shared journal. Sharing, leaving and keys are signed by a human, in the editor. */
import type { Command } from 'commander';
import { joinTeam } from '../../app/team/joining.ts';
import { teamStatus, type TeamStatus } from '../../app/team/status.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { plural } from '../../core/kit/plural.ts';
import { ignoredRowText } from '../kit/ignoredRow.ts';
import type { Io } from '../kit/io.ts';
import type { Verbs } from '../kit/verbs.ts';
import { initVerb, inviteVerb, membersVerb, refusedOr1 } from './people.ts';

export function teamVerbs(program: Command, verbs: Verbs): void {
  const team = program
    .command('team')
    .description('one journal for a team, on a PostgreSQL server: set it up, join it, see how it is');
  initVerb(team, verbs);
  inviteVerb(team, verbs);
  joinVerb(team, verbs);
  statusVerb(team, verbs);
  membersVerb(team, verbs);
}

const databaseUrl = 'HOLDPOINT_DATABASE_URL';

function joinVerb(team: Command, { io, inFolder, globals }: Verbs): void {
  team
    .command('join <name> [url]')
    .description("join a shared workspace with the agents' login, which is kept outside of the workspace")
    .requiredOption(
      '--fingerprint <hex>',
      'fingerprint of the team owner key; compare it with the person who shared the workspace',
    )
    .action((name: string, given: string | undefined, options: { readonly fingerprint: string }, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          const url = await urlFrom(io, given);
          if (globals(command).json !== true) io.err(`Copying ${name} to this machine…`);
          const { shared, file } = await joinTeam(workspace, { name, url, ...options });
          const kept = file === null ? '' : ` The URL is kept in ${file}, which only you can read.`;
          const text = [
            `Joined ${shared.name}: its journal was copied and compared.${kept}`,
            'Next: connect your own login in the editor, so that you can decide ("Connect to Your Team…" in "Holdpoint: You and Your Devices…").',
          ].join('\n');
          return { text, schema: 'team_join', data: { workspace: shared.workspace, name: shared.name, file } };
        },
        refusedOr1,
      ),
    );
}

/** Null: the environment has it. */
async function urlFrom({ env, askSecret }: Io, given: string | undefined): Promise<string | null> {
  if (given !== undefined) return given;
  if ((env[databaseUrl] ?? '') !== '') return null;
  const typed = (await askSecret?.("URL of your agents' login (not shown): ")) ?? '';
  if (typed !== '') return typed;
  throw new AppError('bad_input', `give the URL of your agents' login: after the name, or in ${databaseUrl}`);
}

function statusVerb(team: Command, { inFolder, exit }: Verbs): void {
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

const onlyRoot =
  'If it is lost, keys can no longer be added or removed here: its owner makes another key a team owner key in the editor ("Holdpoint: You and Your Devices…").';

function statusText({ state, name, since, position, ring, problem }: TeamStatus): string {
  if (state === 'local') return 'Not shared: the journal of this workspace is on this machine only.';
  const shared = name === null ? 'Shared' : `Shared as ${name}`;
  const last = since === null ? '' : ` (last confirmed at ${since.slice(0, 19).replace('T', ' ')} UTC)`;
  return [
    state === 'current' ? `${shared}: current` : `${shared}: ${state === 'offline' ? 'offline' : 'UNKNOWN'}${last}`,
    ...(problem === null ? [] : [problem]),
    `Journal: ${bytes(position.here)} here, ${bytes(position.server)} on the server`,
    ring === null
      ? 'List of keys: not usable, so no decision is valid'
      : `List of keys: ${plural(ring.records, 'record')}, ${ring.roots.length === 1 ? 'team owner key' : 'team owner keys'} of ${ring.roots.join(', ')}`,
    ...(ring?.roots.length === 1 ? [onlyRoot] : []),
    ...(ring?.ignored ?? []).map(ignoredRowText),
  ].join('\n');
}

function bytes(count: number | null): string {
  return count === null ? 'not known' : `${String(count)} bytes`;
}
