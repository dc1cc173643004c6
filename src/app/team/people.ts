/** The people of a team: their logins (two for each, one for the editor and one for their agents), which are members. */
import { isPersonName } from '../../core/kit/persons.ts';
import { addMember, members, removeMember, type Member } from '../../store/shared/server.ts';
import { prepareDatabase, readSchema } from '../../store/shared/migrate.ts';
import { settingsOfUrl, urlOf } from '../../store/shared/settings.ts';
import { vouchingKeys } from '../../trust/ringRecords.ts';
import { AppError } from '../workspace/errors.ts';
import { readSharedRing } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { agentsSettings, mapServerErrors, joinedHere, onServer } from './servers.ts';

export type { Member };

export interface PersonsLogin {
  readonly person: string;
  readonly login: string;
  readonly kind: 'human' | 'agent';
  /** With its password; null for a login that existed before. */
  readonly url: string | null;
}

/** `Ada Lovelace` becomes ada_lovelace, and ada_lovelace_agent for the agents. */
function loginsOf(person: string): PersonsLogin[] {
  if (!isPersonName(person))
    throw new AppError('bad_input', `"${person}" cannot be part of an agent's id: use a name of one line without "/"`);
  const plain = person.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const login = plain.replace(/[^a-z0-9]+/g, '_').replace(/^[_0-9]+|_+$/g, '');
  if (login === '' || login.length > 50)
    throw new AppError('bad_input', `"${person}" gives no login: use a name with Latin letters, at most 50`);
  return [
    { person, login, kind: 'human', url: null },
    { person, login: `${login}_agent`, kind: 'agent', url: null },
  ];
}

/**
 * May run again at any time.
 * @param owner URL of a login that may create roles and schemas
 * @param schema path of `media/sql/schema.sql`
 * @throws AppError `denied` with every reason why the server is unfit, `bad_input`
 */
export async function prepareTeam(owner: string, schema: string, people: readonly string[]): Promise<PersonsLogin[]> {
  const logins = [...new Set(people)].flatMap(loginsOf);
  return mapServerErrors(async () => {
    const settings = settingsOfUrl(owner);
    const made = await prepareDatabase({ owner: settings, schema: readSchema(schema), logins });
    const urlFor = (user: string) => {
      const password = made.find(({ login }) => login === user)?.password ?? null;
      return password === null ? null : urlOf({ ...settings, user, password });
    };
    return logins.map((one) => ({ ...one, url: urlFor(one.login) }));
  });
}

interface Inviting {
  readonly person: string;
  /** URL of an administrator's own login. */
  readonly own: string;
  /** URL of the database's owner, who makes logins that do not exist; null if they do. */
  readonly owner: string | null;
  readonly schema: string;
}

export interface Invitation {
  readonly person: string;
  /** Of the shared workspace. */
  readonly name: string;
  readonly logins: readonly PersonsLogin[];
  /** Keys whose fingerprint the person can compare; any one of them. */
  readonly roots: readonly string[];
}

/** The person's logins become members. @throws AppError, ServerError, RingError */
export async function invite(workspace: Workspace, { person, own, owner, schema }: Inviting): Promise<Invitation> {
  const shared = joinedHere(workspace);
  const named = loginsOf(person);
  if (owner !== null && (await mapServerErrors(() => Promise.resolve(placeOf(own) !== placeOf(owner)))))
    throw new AppError('bad_input', "the owner's URL names another database, or another server, than your own URL");
  const logins = owner === null ? named : await prepareTeam(owner, schema, [person]);
  await mapServerErrors(() =>
    onServer(own, async (server) => {
      for (const { login, kind } of named) await addMember(server, shared.workspace, { login, kind, person });
    }),
  );
  const ring = readSharedRing(workspace.options.fs, workspace.stateFile.path, shared);
  return { person, name: shared.name, logins, roots: vouchingKeys(ring) };
}

function placeOf(url: string): string {
  const { host, port, database } = settingsOfUrl(url);
  return JSON.stringify([host, port, database]);
}

/** @throws AppError, ServerError */
export async function teamMembers(workspace: Workspace): Promise<readonly Member[]> {
  const { workspace: id } = joinedHere(workspace);
  return mapServerErrors(() => onServer(agentsSettings(workspace), (server) => members(server, id)));
}

/** @param url of an administrator's login @throws AppError, ServerError */
export async function removeLogin(workspace: Workspace, url: string, login: string): Promise<void> {
  const { workspace: id } = joinedHere(workspace);
  await mapServerErrors(() => onServer(url, (server) => removeMember(server, id, login)));
}
