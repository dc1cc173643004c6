/** Invites a person to a shared workspace: their logins become members, and they get what they paste to join. */
import { addMember } from '../../store/shared/administration.ts';
import { areSameDatabase } from '../../store/shared/sameDatabase.ts';
import { settingsOfUrl } from '../../store/shared/settings.ts';
import { AppError } from '../workspace/errors.ts';
import { vouching } from '../../trust/ringRecords.ts';
import { readSharedRing } from '../workspace/sharedRing.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { loginsOf } from './logins.ts';
import { prepareTeam } from './preparing.ts';
import type { PersonsLogin } from './preparing.ts';
import { asHuman, asked, joinedHere } from './servers.ts';

export interface Inviting {
  readonly person: string;
  /** URL of an administrator's own login. */
  readonly own: string;
  /** URL of the database's owner, who makes logins that do not exist; null if they do. */
  readonly owner: string | null;
  /** Folder of the SQL files. */
  readonly migrations: string;
}

export interface Invitation {
  readonly person: string;
  /** Of the shared workspace. */
  readonly name: string;
  readonly logins: readonly PersonsLogin[];
  /** Keys whose fingerprint the person can compare; any one of them. */
  readonly roots: readonly string[];
}

/** @throws AppError, ServerError, RingError */
export async function invite(workspace: Workspace, { person, own, owner, migrations }: Inviting): Promise<Invitation> {
  const shared = joinedHere(workspace);
  const named = loginsOf(person);
  if (owner !== null && !(await asked(() => areSameDatabase(settingsOfUrl(own), settingsOfUrl(owner)))))
    throw new AppError('bad_input', "the owner's URL leads to another database than your own login");
  const logins =
    owner === null
      ? named.map((one) => ({ ...one, url: null }))
      : (await prepareTeam({ owner, migrations, people: [person] })).logins;
  await asHuman(own, async (server) => {
    for (const login of named) await addMember(server, shared.workspace, { ...login, admin: false });
  });
  const ring = readSharedRing(workspace.options.fs, workspace.stateFile.path, shared);
  return { person, name: shared.name, logins, roots: vouching(ring) };
}
