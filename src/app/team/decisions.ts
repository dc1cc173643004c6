/** Moves a journal of this machine to a server that a team shares, byte for byte, and back. Only the editor imports this. */

import { shownSharing } from '../../core/decision/workspace.ts';
import { isPersonName } from '../../core/kit/persons.ts';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import type { State } from '../../core/state/state.ts';
import { readLocalJournal, sendJournal } from '../../store/shared/replica.ts';
import { addMember, appendRing, createWorkspace, openWorkspace, type Server } from '../../store/shared/server.ts';
import { hashOf } from '../../trust/canonical.ts';
import { createTrust } from '../../trust/envelope.ts';
import { type KeySigner, requireDecided } from '../decision/decisions.ts';
import { pinKeys } from '../keys/enrolment.ts';
import { AppError } from '../workspace/errors.ts';
import { removeSharedFiles, writeSharedFile } from '../workspace/sharedFile.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { foundingRecords } from './ring.ts';
import { beginJournal } from './servers.ts';

export function shownSharingHash(state: State): string {
  return hashOf(shownSharing(state));
}

interface Sharing {
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

interface SecretIn extends FoundSecret {
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

// Texts that look like secrets, for a human to look at before a journal leaves the machine. It warns: most secrets have
// no form that could be recognized.

type SecretKind = 'privateKey' | 'token' | 'urlPassword' | 'password';

interface FoundSecret {
  readonly kind: SecretKind;
  /** Its beginning, without the part that is secret. */
  readonly beginning: string;
}

interface Pattern {
  readonly kind: SecretKind;
  readonly form: RegExp;
  /** How much of the match can be shown. Default: its first four characters. */
  readonly shown?: (match: string) => string;
}

/** The documented forms of widespread tokens. Repetitions are bounded, so that a long text takes linear time. */
const patterns: readonly Pattern[] = [
  {
    kind: 'privateKey',
    form: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
    shown: (match) => match,
  },
  { kind: 'token', form: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'token', form: /\bgh[pousr]_[A-Za-z0-9]{30,255}\b/g },
  { kind: 'token', form: /\bgithub_pat_[A-Za-z0-9_]{30,255}\b/g },
  { kind: 'token', form: /\bglpat-[\w-]{20,100}\b/g },
  { kind: 'token', form: /\bxox[abeoprs]-[\w-]{10,250}/g },
  { kind: 'token', form: /\bhooks\.slack\.com\/services\/T\w{5,20}\/B\w{5,20}\/\w{10,40}/g },
  { kind: 'token', form: /\bAIza[\w-]{35}\b/g },
  { kind: 'token', form: /\bsk-(?:[a-z]{2,10}-){0,3}[\w-]{20,250}\b/g },
  { kind: 'token', form: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}\b/g },
  { kind: 'token', form: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'token', form: /\bpypi-[\w-]{50,250}\b/g },
  { kind: 'token', form: /\bSG\.[\w-]{16,32}\.[\w-]{32,64}\b/g },
  { kind: 'token', form: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/g },
  { kind: 'token', form: /\bBearer [\w.~+/-]{20,2000}/g, shown: () => 'Bearer ' },
  {
    kind: 'urlPassword',
    form: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:[^\s/@"'<>]{1,200}@[\w.[-]/gi,
    shown: (match) => match.slice(0, match.indexOf(':', match.indexOf('://') + 3) + 1),
  },
  {
    kind: 'password',
    // A value without a digit or a sign is more often a word of a sentence.
    form: /(?<![a-z0-9])(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token)["']? {0,3}[:=] {0,3}["']?(?=[^\s"'<>{}$]{0,80}[\d!#%&*+_-])[^\s"'<>{}$]{8,200}/gi,
    shown: (match) => match.slice(0, match.search(/[:=]/) + 1),
  },
];

const most = 20;

/** At most 20, in the order of the patterns. */
export function findSecrets(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { kind, form, shown = (match: string) => match.slice(0, 4) } of patterns)
    for (const [match] of text.matchAll(form)) {
      if (found.length === most) return found;
      found.push({ kind, beginning: shown(match) });
    }
  return found;
}
