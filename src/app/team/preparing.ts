/** Prepares a database for a team, and its logins: two for each person, one for the editor and one for their agents. */
import { prepareDatabase } from '../../store/shared/migrate.ts';
import type { Prepared } from '../../store/shared/migrate.ts';
import { readMigrations } from '../../store/shared/migrations.ts';
import { listRoles, resetPassword } from '../../store/shared/roles.ts';
import type { Role } from '../../store/shared/roles.ts';
import { settingsOfUrl, urlOf } from '../../store/shared/settings.ts';
import type { Settings } from '../../store/shared/settings.ts';
import { loginsOf } from './logins.ts';
import type { PersonsNames } from './logins.ts';
import { asked } from './servers.ts';

export interface Preparing {
  /** URL of a login that may create roles and schemas. */
  readonly owner: string;
  /** Folder of the SQL files. */
  readonly migrations: string;
  /** Names of people. */
  readonly people: readonly string[];
}

export interface PersonsLogin extends PersonsNames {
  /** With its password; null for a login that existed before. */
  readonly url: string | null;
}

export interface PreparedTeam extends Omit<Prepared, 'logins'> {
  readonly logins: readonly PersonsLogin[];
}

/** May run again at any time. @throws AppError `denied` with every reason why the server is unfit, `bad_input` */
export async function prepareTeam({ owner, migrations, people }: Preparing): Promise<PreparedTeam> {
  const wanted = [...new Set(people)].flatMap(loginsOf);
  return asked(async () => {
    const settings = settingsOfUrl(owner);
    const logins = wanted.map(({ login, kind }) => ({ login, kind }));
    const {
      from,
      to,
      logins: made,
    } = await prepareDatabase({ owner: settings, migrations: readMigrations(migrations), logins });
    return {
      from,
      to,
      logins: wanted.map((one, index) => ({
        ...one,
        url: urlWith(settings, one.login, made[index]?.password ?? null),
      })),
    };
  });
}

export interface RoleWithUrl extends Role {
  /** With its password; only for a login that was made or given a new password just now. */
  readonly url: string | null;
}

export interface TeamRoles {
  readonly logins: readonly RoleWithUrl[];
  readonly problems: readonly string[];
}

export interface RoleChanges extends Preparing {
  /** Login that gets a new password. */
  readonly reset?: string | undefined;
}

/** @throws AppError */
export async function teamRoles({ reset, ...preparing }: RoleChanges): Promise<TeamRoles> {
  const added = preparing.people.length === 0 ? [] : (await prepareTeam(preparing)).logins;
  return asked(async () => {
    const settings = settingsOfUrl(preparing.owner);
    const password = reset === undefined ? null : await resetPassword(settings, reset);
    const { roles, problems } = await listRoles(settings);
    const urlFor = (login: string) =>
      login === reset ? urlWith(settings, login, password) : (added.find((one) => one.login === login)?.url ?? null);
    return {
      logins: roles.map((role) => ({ ...role, url: urlFor(role.login) })),
      problems,
    };
  });
}

function urlWith(owner: Settings, login: string, password: string | null): string | null {
  return password === null ? null : urlOf({ ...owner, user: login, password, certificate: undefined, key: undefined });
}
