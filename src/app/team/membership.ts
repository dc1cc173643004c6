/** Who is in the team: logins on the server, and keys in the ring. Ending sessions takes a human's login. */
import { addMember, endSessions, endTurns, removeMember } from '../../store/shared/administration.ts';
import type { Member } from '../../store/shared/administration.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { readSharedRing } from '../workspace/sharedRing.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { loginsOf } from './logins.ts';
import { asHuman, joinedHere, membersOf } from './servers.ts';

export interface Membership {
  readonly members: readonly Member[];
  readonly keys: readonly (PinnedKey & { readonly isRoot: boolean })[];
}

/** @throws AppError, ServerError, RingError */
export async function teamMembers(workspace: Workspace): Promise<Membership> {
  const shared = joinedHere(workspace);
  const found = await membersOf(workspace, shared);
  await workspace.confirm(10_000);
  const { pins, roots } = readSharedRing(workspace.options.fs, workspace.stateFile.path, shared);
  return { members: found, keys: pins.map((pin) => ({ ...pin, isRoot: roots.includes(pin.keyid) })) };
}

/**
 * Ends sessions that hold everybody up.
 * @param url of a human's own login
 * @param login whose sessions; without it, the session that has the turn to append
 * @returns how many it ended
 * @throws AppError, ServerError
 */
export async function endTeamSessions(workspace: Workspace, url: string, login?: string): Promise<number> {
  const { workspace: id } = joinedHere(workspace);
  return asHuman(url, (server) => (login === undefined ? endTurns(server, id) : endSessions(server, id, login)));
}

/** Adds a person's two logins, which exist, as members. @param url of an administrator's login @throws AppError, ServerError */
export async function addPerson(workspace: Workspace, url: string, person: string): Promise<readonly string[]> {
  const { workspace: id } = joinedHere(workspace);
  const logins = loginsOf(person);
  await asHuman(url, async (server) => {
    for (const login of logins) await addMember(server, id, { ...login, admin: false });
  });
  return logins.map(({ login }) => login);
}

/** @param url of an administrator's login @throws AppError, ServerError */
export async function removeLogin(workspace: Workspace, url: string, login: string): Promise<readonly string[]> {
  const { workspace: id } = joinedHere(workspace);
  await asHuman(url, (server) => removeMember(server, id, login));
  return [login];
}
