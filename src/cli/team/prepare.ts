/** `holdpoint team init` and `team roles`: what the owner of a database does. */
import path from 'node:path';
import type { Command } from 'commander';
import type { PersonsLogin, TeamRoles } from '../../app/team/preparing.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { plural } from '../../core/kit/plural.ts';
import { collect } from '../kit/arguments.ts';
import type { Io } from '../kit/io.ts';
import { table } from '../kit/table.ts';
import type { Verbs } from '../kit/verbs.ts';
import { refusedOr1 } from './refused.ts';

/** Beside the bundles. */
export const migrations = path.join(import.meta.dirname, '..', 'media', 'sql');

export function initVerb(team: Command, { io, inFolder }: Verbs): void {
  team
    .command('init [url]')
    .description("prepare a database, as its owner, and create each person's logins; may run again at any time")
    .option('--person <name>', 'a person who gets a login, and one for their agents (repeatable)', collect, [])
    .action((url: string | undefined, { person }: { readonly person: readonly string[] }, command: Command) =>
      inFolder(
        command,
        async () => {
          const owner = await ownersUrl(io, url);
          const { prepareTeam } = await import('../../app/team/preparing.ts');
          const { from, to, logins } = await prepareTeam({ owner, migrations, people: person });
          const done =
            from === to
              ? `The database is prepared already (schema ${String(to)}).`
              : `The database is prepared (schema ${String(to)}).`;
          const next =
            logins.length === 0 ? 'Create logins with --person NAME, once for each person.' : loginsText(logins);
          return { text: `${done}\n${next}`, schema: 'team_init', data: { from, to, logins } };
        },
        refusedOr1,
      ),
    );
}

interface RolesOptions {
  readonly add: readonly string[];
  readonly reset?: string;
}

export function rolesVerb(team: Command, { io, inFolder, exit }: Verbs): void {
  team
    .command('roles [url]')
    .description('list the logins of a database, as its owner, and what each may do; exits with 2 if one may do more')
    .option('--add <person>', 'create the logins of a person (repeatable)', collect, [])
    .option('--reset <login>', 'give a login a new password')
    .action((url: string | undefined, { add, reset }: RolesOptions, command: Command) =>
      inFolder(
        command,
        async () => {
          const owner = await ownersUrl(io, url);
          const { teamRoles } = await import('../../app/team/preparing.ts');
          const data = await teamRoles({ owner, migrations, people: add, reset });
          if (data.problems.length > 0) exit(2);
          return { text: rolesText(data), schema: 'team_roles', data };
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

const once =
  'Each URL contains a password, is shown this once and is kept nowhere. Send it to its person over a safe channel.';

const belongs = {
  human:
    'for the editor alone: the person enters it there ("Holdpoint: Connect to Your Team…"). Agents must not see it.',
  agent:
    "for the person's agents: holdpoint team join NAME URL keeps it in pg_service.conf; or set HOLDPOINT_DATABASE_URL.",
} as const;

function loginsText(logins: readonly PersonsLogin[]): string {
  const parts = logins.map(({ person, login, kind, url }) => {
    const head = `${login} (${kind === 'human' ? person : `agents of ${person}`})`;
    return url === null
      ? `${head}: exists already; its password stays as it is. To give it a new one: holdpoint team roles --reset ${login}`
      : `${head}: ${belongs[kind]}\n  ${url}`;
  });
  return [...(logins.some(({ url }) => url !== null) ? [once] : []), '', ...parts].join('\n');
}

const may = {
  human: "read; append a human's signed decisions; create workspaces; administer their own",
  agent: 'read; append what agents write, never a decision',
} as const;

function rolesText({ logins, problems }: TeamRoles): string {
  const rows = logins.map(({ login, kind, sessions, limit }) => [
    login,
    kind,
    String(sessions),
    limit < 0 ? 'none' : String(limit),
    may[kind],
  ]);
  const list =
    rows.length === 0
      ? 'No login yet: --add NAME creates them.'
      : table(['login', 'kind', 'sessions', 'limit', 'may'], rows);
  const shown = logins.flatMap(({ login, kind, url }) =>
    url === null ? [] : [`${login}: ${belongs[kind]}\n  ${url}`],
  );
  const made = shown.length === 0 ? [] : ['', once, ...shown];
  const wrong = problems.length === 0 ? [] : ['', `${plural(problems.length, 'problem')}:`, ...problems];
  return [list, ...made, ...wrong].join('\n');
}
