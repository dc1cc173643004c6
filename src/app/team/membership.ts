/** Who is in the team: logins on the server, and keys in the ring. */
import { removeMember } from '../../store/shared/administration.ts';
import type { Member } from '../../store/shared/administration.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { readSharedRing } from '../workspace/sharedRing.ts';
import type { Workspace } from '../workspace/workspace.ts';
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

/** @param url of an administrator's login @throws AppError, ServerError */
export async function removeLogin(workspace: Workspace, url: string, login: string): Promise<void> {
  const { workspace: id } = joinedHere(workspace);
  await asHuman(url, (server) => removeMember(server, id, login));
}
