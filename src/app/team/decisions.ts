/** Moves a journal of this machine to a server that a team shares, byte for byte, and back. Only the editor imports this. */
import { shownSharing } from '../../core/decision/workspace.ts';
import { isPersonName } from '../../core/kit/persons.ts';
import type { State } from '../../core/state/state.ts';
import { addMember, appendRing, createWorkspace, openWorkspace, type Server } from '../../store/shared/server.ts';
import { readLocalJournal, sendJournal } from '../../store/shared/replica.ts';
import { hashOf } from '../../trust/canonical.ts';
import { createTrust } from '../../trust/envelope.ts';
import { requireDecided, type KeySigner } from '../decision/decisions.ts';
import { pinKeys } from '../keys/enrolment.ts';
import { AppError } from '../workspace/errors.ts';
import { removeSharedFiles, writeSharedFile } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { foundingRecords } from './ring.ts';
import { beginJournal } from './servers.ts';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { findSecrets, type FoundSecret } from '../../core/kit/secrets.ts';

export function shownSharingHash(state: State): string {
  return hashOf(shownSharing(state));
}

export interface Sharing {
  readonly workspace: Workspace;
  /** Its key becomes the root of the team's key ring. */
  readonly signer: KeySigner;
  /** The human's own login. */
  readonly server: Server;
  /** The workspace's name on the server. */
  readonly name: string;
  /** Login of this person's agents, which becomes a member. */
  readonly agents: string;
  /** Called with the share of the journal that the server has, from 0 to 1. What it throws ends the attempt. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/**
 * Shares a workspace. Agents may continue writing while the journal is copied; a signed record ends the local journal,
 * and what came before it is copied too. After an interruption, call it again: it continues where it was.
 * @param shown hash of the content that the form showed
 * @throws AppError, StoreError, ServerError
 */
export async function shareWorkspace(sharing: Sharing, shown: string): Promise<void> {
  const { workspace, signer, server, name } = sharing;
  const { fs, newId } = workspace.options;
  const store = await workspace.store();
  if (workspace.managedPins() !== null)
    throw new AppError('denied', 'an administrator manages the keys of this machine: ask for a shared workspace there');
  if (!isPersonName(signer.name))
    throw new AppError(
      'bad_input',
      `the name of your key, "${signer.name}", becomes part of your agents' ids: use one without "/"`,
    );
  // A folder that has no journal yet gets one.
  const id = await beginJournal(workspace);
  const { state } = store.read();
  if (id === null) throw new AppError('conflict', 'the journal could not be created: check again');
  await server.requireOwnConnection();
  const isOpen = await isOpenOn(server, { id, name, person: signer.name });
  if (state.shared === null) {
    await copy(sharing, id);
    const roots = [publicKeyOf(workspace, signer)];
    await requireDecided({ store, signer, newId }, { kind: 'store.shared', v: 1, name, roots }, shown);
  }
  const shared = (await workspace.store()).read().state.shared;
  if (shared === null) throw new AppError('conflict', 'the workspace is not shared: check again');
  const journal = await copy(sharing, id);
  if (!isOpen) await openWorkspace(server, id, journal);
  await addMember(server, id, { login: sharing.agents, kind: 'agent', person: signer.name });
  await foundRing(sharing, id, shared.at);
  const place = { v: 1, workspace: id, name: shared.name, roots: shared.roots } as const;
  writeSharedFile(
    { fs, stateFile: workspace.stateFile.path, newId },
    { ...place, joinedAt: workspace.now(), person: signer.name },
  );
  workspace.reopen();
  await workspace.confirm(confirmMs);
}

const confirmMs = 15_000;

/** Creates the workspace, unless an interrupted attempt did. @returns whether it takes acts already */
async function isOpenOn(server: Server, wanted: { id: string; name: string; person: string }): Promise<boolean> {
  const found = (await server.workspaces()).find(({ id }) => id === wanted.id);
  if (found) return found.open;
  await createWorkspace(server, wanted);
  return false;
}

async function copy({ workspace, server, onProgress }: Sharing, id: string) {
  const { location, options } = workspace;
  const trust = createTrust(() => workspace.pins());
  const journal = await readLocalJournal({ root: location.root, fs: options.fs, trust }, () => onProgress?.(0));
  await sendJournal(server, id, journal, (size) => onProgress?.(size / journal.size));
  return journal;
}

/** An interrupted attempt may have written some of the records already: they are the same each time. */
async function foundRing({ workspace, signer, server }: Sharing, id: string, at: string): Promise<void> {
  for (const [after, record] of foundingRecords({ signer, now: () => at }, id, workspace.pins()).entries())
    if ((await appendRing(server, id, record, after)) === 'lost')
      throw new AppError('conflict', 'another program began the list of keys of this workspace: check who');
}

function publicKeyOf(workspace: Workspace, { keyid }: KeySigner): string {
  const pin = workspace.pins().find((one) => one.keyid === keyid && !one.retired);
  if (!pin) throw new AppError('denied', 'the key that signs this is not trusted here');
  return pin.publicKey;
}

/**
 * Moves the journal back to this machine: its copy continues as a local journal, with the keys that are trusted now.
 * The server and other machines are not changed.
 * @param shown hash of the content that the form showed
 * @throws AppError, StoreError
 */
export async function leaveTeam(
  { workspace, signer }: Pick<Sharing, 'workspace' | 'signer'>,
  shown: string,
): Promise<void> {
  const { fs, newId } = workspace.options;
  const before = await workspace.store();
  await before.pull();
  if (shown !== shownSharingHash(before.read().state))
    throw new AppError('conflict', 'where the journal is kept has changed since it was shown: check it again');
  // What the team's members signed keeps counting here.
  pinKeys(workspace, workspace.pins());
  removeSharedFiles({ fs, stateFile: workspace.stateFile.path, newId });
  workspace.reopen();
  await requireDecided({ store: await workspace.store(), signer, newId }, { kind: 'store.unshared', v: 1 }, shown);
}

export type Overview = Awaited<ReturnType<typeof overviewOf>>;

export interface SecretIn extends FoundSecret {
  /** Id of the item, such as Q-12; else the kind of the record. */
  readonly item: string;
}

const mostSecrets = 50;

/** Yields to other work between batches: a long journal takes some seconds. @throws Error when it cannot be read */
export async function overviewOf(workspace: Workspace) {
  const { location, options } = workspace;
  const { state } = (await workspace.store()).read();
  const trust = createTrust(() => workspace.pins());
  const journal = await readLocalJournal({ root: location.root, fs: options.fs, trust });
  const found: SecretIn[] = [];
  for (const rows of journal.batches(0)) {
    await new Promise((resolve) => setTimeout(resolve));
    for (const { bytes } of rows) {
      const text = bytes.toString('utf8');
      const line = jsonOrNull(text.slice(Math.max(0, text.indexOf('{')))) as { records?: unknown } | null;
      const records: readonly unknown[] = Array.isArray(line?.records) ? line.records : [text];
      for (const record of records) {
        const all = textsIn(record).join('\n');
        found.push(...findSecrets(all).map((secret) => ({ ...secret, item: itemOf(record) })));
      }
    }
  }
  const { questions, rfcs, events, requests, settledRequests, work, agents } = state;
  return {
    counts: {
      ...{ questions: questions.size, rfcs: rfcs.size, events: events.size, work: work.size, agents: agents.size },
      requests: requests.size + settledRequests.size,
    },
    /** The first ones, and how many there are. */
    secrets: found.slice(0, mostSecrets),
    secretCount: found.length,
  };
}

/** All strings of a record, and of what a human signed in it. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  const { payloadType, payload } = value as { payloadType?: unknown; payload?: unknown };
  const isEnvelope = payloadType !== undefined && typeof payload === 'string';
  const signed = isEnvelope ? jsonOrNull(Buffer.from(payload, 'base64').toString('utf8')) : null;
  return [signed, ...(Object.values(value) as unknown[])].flatMap(textsIn);
}

function itemOf(record: unknown): string {
  const { id, question, rfc, kind } = (record ?? {}) as Readonly<Record<string, unknown>>;
  const named = [id, question, rfc, kind].find((one): one is string => typeof one === 'string' && one !== '');
  return named?.slice(0, 100) ?? '…';
}
