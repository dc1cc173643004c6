/**
 * The logins of the people in a shared workspace, for an administrator of it. Only the owner of the database can make logins
 * and change passwords: their URL is used for the one call, and kept nowhere.
 */
import { members } from '../../store/shared/administration.ts';
import type { Member } from '../../store/shared/administration.ts';
import { areSameDatabase } from '../../store/shared/sameDatabase.ts';
import { settingsOfUrl } from '../../store/shared/settings.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { PersonsNames } from './logins.ts';
import { prepareTeam, teamRoles } from './preparing.ts';
import type { PersonsLogin } from './preparing.ts';
import { asHuman, asked, joinedHere } from './servers.ts';

export interface Person {
  readonly name: string;
  /** Usually two: the person's own, and that of their agents. */
  readonly logins: readonly Member[];
}

/**
 * The people who are members.
 * @param own URL of the caller's login
 * @throws AppError `denied` unless it is an administrator's; ServerError
 */
export async function peopleOf(workspace: Workspace, own: string): Promise<readonly Person[]> {
  const { workspace: id } = joinedHere(workspace);
  const all = await asHuman(own, (server) => members(server, id));
  const { user } = settingsOfUrl(own);
  const administrators = all.filter(({ admin }) => admin);
  if (!administrators.some(({ login }) => login === user))
    throw new AppError(
      'denied',
      `${user} does not administer this workspace: ask ${administrators.map(({ person }) => person).join(' or ')}`,
    );
  const names = [...new Set(all.map(({ person }) => person))];
  return names.map((name) => ({ name, logins: all.filter(({ person }) => person === name) }));
}

export interface OwnersAccess {
  /** URL of the database's owner. */
  readonly owner: string;
  /** Folder of the SQL files. */
  readonly migrations: string;
}

/** @throws AppError `bad_input` for a database that does not have this workspace; ServerError */
export async function requireOwnersDatabase(own: string, owner: string): Promise<void> {
  if (await asked(() => areSameDatabase(settingsOfUrl(own), settingsOfUrl(owner)))) return;
  throw new AppError('bad_input', 'this URL leads to another database than your own login');
}

/** Makes a person's two logins. They are no members yet. @throws AppError, ServerError */
export async function makeLogins(access: OwnersAccess, person: string): Promise<readonly PersonsLogin[]> {
  return (await prepareTeam({ ...access, people: [person] })).logins;
}

/** Gives these logins new passwords. Connections that are open go on. @throws AppError, ServerError */
export async function newPasswords(
  access: OwnersAccess,
  logins: readonly PersonsNames[],
): Promise<readonly PersonsLogin[]> {
  const renewed: PersonsLogin[] = [];
  for (const { person, login, kind } of logins) {
    const { logins: all } = await teamRoles({ ...access, people: [], reset: login });
    renewed.push({ person, login, kind, url: all.find((one) => one.login === login)?.url ?? null });
  }
  return renewed;
}
