/** Workspaces that people of a team share on a test server, and the machines that join them. */
import { randomUUID } from 'node:crypto';
import { shownSharingHash, shareWorkspace } from '../../../src/app/team/decisions.ts';
import { joinTeam } from '../../../src/app/team/people.ts';
import { fingerprintOf } from '../../../src/trust/publicKeys.ts';
import type { SharedFile } from '../../../src/app/workspace/sharedFile.ts';
import type { Workspace, WorkspaceOptions } from '../../../src/app/workspace/workspace.ts';
import { addMember, type Server } from '../../../src/store/shared/server.ts';
import { databaseUrl } from '../../../src/store/shared/settings.ts';
import type { Postgres } from '../postgres.ts';
import { enrolledHuman, type Human } from './people.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';
import type { LoginName, SharedDatabase } from './sharedDatabase.ts';

export interface Sharing {
  readonly workspace: Workspace;
  readonly signer: Human;
  readonly server: Server;
  readonly name?: string;
  /** Login of this person's agents. */
  readonly agents?: string;
}

/** Shares what the form would show now. */
export async function share(sharing: Sharing): Promise<{ readonly name: string; readonly id: string }> {
  const { name = `w${randomUUID().slice(0, 8)}`, agents = 'ada_agent', workspace } = sharing;
  const { state } = (await workspace.store()).read();
  await shareWorkspace({ ...sharing, agents, name }, shownSharingHash(state));
  return { name, id: (await workspace.store()).workspaceId ?? '' };
}

/** @param root whose fingerprint is compared */
export async function join(workspace: Workspace, name: string, root: Human): Promise<SharedFile> {
  return (await joinTeam(workspace, { name, fingerprint: fingerprintOf(root.pin.keyid), url: null })).shared;
}

/** A workspace as programs on this machine open it: with the login of Ada's agents, and this human's own one. */
export function openAs(
  { postgres }: { readonly postgres: Pick<Postgres, 'url'> },
  sandbox: Sandbox,
  human: LoginName | null = null,
  more: Partial<WorkspaceOptions> = {},
): Workspace {
  return sandbox.open({
    env: { [databaseUrl]: postgres.url('ada_agent') },
    humanLogin: () => (human === null ? null : postgres.url(human)),
    ...more,
  });
}

export interface AdasWorkspace {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  /** Holds the root key. */
  readonly ada: Human;
  readonly name: string;
  readonly id: string;
  /** Joins on another machine. @param root whose fingerprint is compared; default: Ada's */
  join(workspace: Workspace, root?: Human): Promise<SharedFile>;
}

/** Ada shares a workspace; Grace is a member. @param fill writes what it contains */
export async function adasWorkspace(
  database: SharedDatabase,
  fill: (workspace: Workspace, sandbox: Sandbox) => Promise<unknown>,
): Promise<AdasWorkspace> {
  const sandbox = makeSandbox();
  const workspace = openAs(database, sandbox, 'ada');
  const ada = enrolledHuman(workspace);
  await fill(workspace, sandbox);
  const server = database.server('ada');
  const { name, id } = await share({ workspace, signer: ada, server });
  await addMember(server, id, { login: 'grace', kind: 'human', person: 'Grace' });
  return {
    ...{ sandbox, workspace, ada, name, id },
    join: (there, root = ada) => join(there, name, root),
  };
}
