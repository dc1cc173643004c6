/** `holdpoint team init`, `invite` and `members`: the logins of a team's people. */
import path from 'node:path';
import type { Command } from 'commander';
import {
  invite,
  prepareTeam,
  removeLogin,
  teamMembers,
  type Invitation,
  type Member,
  type PersonsLogin,
} from '../../app/team/people.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { collect } from '../kit/arguments.ts';
import type { ExitCode, Io } from '../kit/io.ts';
import type { Shown } from '../kit/outputs.ts';
import { table } from '../kit/table.ts';
import type { Verbs } from '../kit/verbs.ts';

const schema = path.join(import.meta.dirname, '..', 'media', 'sql', 'schema.sql');

/** The exit code of an error: 2 for a refusal. */
export function refusedOr1(error: unknown): ExitCode {
  return error instanceof AppError && error.code === 'denied' ? 2 : 1;
}

export function initVerb(team: Command, { io, inFolder }: Verbs): void {
  team
    .command('init [url]')
    .description(
      "prepare a database, as its owner, create each person's logins, and check what logins may do; may run again at any time",
    )
    .option('--person <name>', 'a person who gets a login, and one for their agents (repeatable)', collect, [])
    .action((url: string | undefined, { person }: { readonly person: readonly string[] }, command: Command) =>
      inFolder(
        command,
        async () => {
          const owner = await ownersUrl(io, url);
          const logins = await prepareTeam(owner, schema, person);
          const next =
            logins.length === 0 ? 'Create logins with --person NAME, once for each person.' : loginsText(logins);
          return { text: `The database is prepared.\n${next}`, schema: 'team_init', data: { logins } };
        },
        refusedOr1,
      ),
    );
}

/** An argument can be seen in lists of processes, so it is the last way that the documentation names. */
async function ownersUrl(io: Io, given: string | undefined): Promise<string> {
  const url =
    given ?? io.env['HOLDPOINT_OWNER_URL'] ?? (await io.askSecret?.("URL of the database's owner (not shown): ")) ?? '';
  if (url.trim() !== '') return url;
  throw new AppError(
    'bad_input',
    "give the URL of the database's owner: set HOLDPOINT_OWNER_URL, or run this in a terminal",
  );
}

/** @throws AppError `denied` */
function humansUrl({ env }: Io): string {
  const url = env['HOLDPOINT_HUMAN_URL'] ?? '';
  if (url !== '') return url;
  throw new AppError(
    'denied',
    "only a human's login can do this, and the command line has none, because agents use it: set HOLDPOINT_HUMAN_URL for this one command, in a shell that no agent uses",
  );
}

const belongs = {
  human:
    'for the editor alone ("Connect to Your Team…" in "Holdpoint: You and Your Devices…"). Agents must not see it.',
  agent: "for the person's agents: holdpoint team join keeps it for one workspace; or set HOLDPOINT_DATABASE_URL.",
} as const;

function loginsText(logins: readonly PersonsLogin[]): string {
  const parts = logins.map(({ person, login, kind, url }) => {
    const head = `${login} (${kind === 'human' ? person : `agents of ${person}`})`;
    return url === null
      ? `${head}: exists already; its password stays as it is`
      : `${head}: ${belongs[kind]}\n  ${url}`;
  });
  return [
    'Each URL contains a password and is shown this once. Send it to its person over a safe channel.',
    '',
    ...parts,
  ].join('\n');
}

export function inviteVerb(team: Command, { io, inFolder }: Verbs): void {
  team
    .command('invite <person>')
    .description(
      'add a person to a shared workspace and print what they paste to join; needs HOLDPOINT_HUMAN_URL, and HOLDPOINT_OWNER_URL for logins that do not exist',
    )
    .action((person: string, _options: unknown, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          const owner = io.env['HOLDPOINT_OWNER_URL'] ?? null;
          const data = await invite(workspace, { person, own: humansUrl(io), owner, schema });
          return { text: invitationText(data), schema: 'team_invite', data };
        },
        refusedOr1,
      ),
    );
}

function invitationText({ person, name, logins, roots }: Invitation): string {
  const urlOf = (kind: 'human' | 'agent') => {
    const { login = '', url = null } = logins.find((one) => one.kind === kind) ?? {};
    return url ?? `the URL of ${login}, which exists already`;
  };
  const [root = '', ...others] = roots;
  return [
    `${person} is a member of ${name} now: ${logins.map(({ login }) => login).join(', ')}.`,
    '',
    `Send ${person} this over a safe channel. A URL contains a password and is shown this once.`,
    `1. In a terminal, in your clone: holdpoint team join ${name} --fingerprint ${root}`,
    `   It asks for a URL. Paste this: ${urlOf('agent')}`,
    '2. In the editor, where agents cannot see it: "Connect to Your Team…" in "Holdpoint: You and Your Devices…"',
    `   Paste this: ${urlOf('human')}`,
    '3. In the editor: "Holdpoint: You and Your Devices…". Copy your public key and send it back.',
    '',
    `Then tell ${person} the fingerprint over another channel, for example on the phone: they compare it.`,
    ...(others.length === 0 ? [] : [`Other team owner keys that can be compared: ${others.join(', ')}`]),
  ].join('\n');
}

export function membersVerb(team: Command, { io, inFolder }: Verbs): void {
  team
    .command('members')
    .description('list the logins of a shared workspace, or remove one')
    .option('--remove <login>', 'end a membership, as an administrator; needs HOLDPOINT_HUMAN_URL')
    .action(({ remove }: { readonly remove?: string }, command: Command) =>
      inFolder(
        command,
        async (workspace): Promise<Shown> => {
          if (remove === undefined) return shownMembers(await teamMembers(workspace));
          await removeLogin(workspace, humansUrl(io), remove);
          return { text: `Removed: ${remove}.`, schema: 'team_members', data: { removed: [remove] } };
        },
        refusedOr1,
      ),
    );
}

function shownMembers(members: readonly Member[]) {
  const rows = members.map(({ login, kind, person, admin }) => [login, kind, admin ? 'yes' : 'no', person]);
  const text = table(['login', 'kind', 'admin', 'person'], rows);
  return { text, schema: 'team_members', data: { members } } as const;
}
