/**
 * What is waiting in all workspaces of this user: every store that a state file of this machine records. Workspaces are
 * only read, without SQLite: nothing is written, swept or run there.
 */
import path from 'node:path';
import { urgencyRank, type Urgency } from '../../core/kit/words.ts';
import { isForPerson } from '../../core/waiting/reminders.ts';
import { markOfFiles } from '../../store/journal/journalFile.ts';
import { statOrNull, putFile, type FileSystem } from '../../store/journal/files.ts';
import { messageOf, problem, type Problem } from '../../store/journal/problem.ts';
import {
  knownStores,
  stateFileName,
  storesFolder,
  userFolder,
  type Anchor,
  type KnownStores,
} from '../../store/journal/stateFile.ts';
import { openRing } from '../workspace/keyRing.ts';
import { managedFolder, readNote } from '../workspace/thisMachine.ts';
import { readSharedFile, type SharedFile } from '../workspace/sharedFile.ts';
import { openWorkspace, type WorkspaceOptions, type Workspace } from '../workspace/workspace.ts';
import { plainText, compareText, firstLine } from '../../core/kit/text.ts';
import { isRfcWaiting, sinceOf } from '../../core/rfc/rfc.ts';
import { isHumansTurn } from '../../core/request/request.ts';
import { raisedOf, isHolding, type State } from '../../core/state/state.ts';
import type { Holder } from '../../core/hold/holds.ts';
import { byPressing, waitingOrder, type Pressing } from '../question/views.ts';
import * as z from 'zod';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PinnedKey } from '../../trust/keyring.ts';

export interface InboxWorkspace {
  readonly project: string;
  /** The store's root; null where the record of a store cannot be read, so that its folder is not known. */
  readonly folder: string | null;
  /** Whose agents run there, in a journal that a team shares: part of their ids. */
  readonly person: string | null;
  /** `missing`: the folder no longer exists. `unknown`: what is waiting there cannot be determined. */
  readonly state: 'readable' | 'unknown' | 'missing';
  /** Set for `unknown`. */
  readonly problem: Problem | null;
  readonly items: readonly ItemOfFolder[];
}

export interface ItemOfFolder extends Omit<InboxItem, 'worktree'> {
  /** Absolute path of the worktree in which it was asked, if it still exists; else the store's root. */
  readonly folder: string;
}

/** A workspace that is shown elsewhere, and so left out. */
export interface Besides {
  readonly root: string;
  /** Its id; null before its first record. */
  readonly workspace: string | null;
}

export type InboxOptions = Pick<
  WorkspaceOptions,
  'fs' | 'env' | 'platform' | 'home' | 'clock' | 'newId' | 'managedFolder'
> & {
  /** Leaves out items for other people; default: everything. */
  readonly for?: string | undefined;
};

interface Known extends Anchor {
  readonly shared: SharedFile | null;
}

type Presence = { readonly kind: 'present' | 'missing' } | { readonly kind: 'unreadable'; readonly why: string };

export function openInbox(options: InboxOptions) {
  const { fs } = options;
  const user = userFolder(options);
  const managed = options.managedFolder ?? managedFolder(options.platform);
  let seen = new Map<string, { readonly mark: string; readonly read: InboxWorkspace }>();

  /** Reads one workspace with each step: of those that did not change, only the sizes and times of files. */
  function* look(besides: readonly Besides[] = []): Generator<InboxWorkspace> {
    const stores = listed();
    if (typeof stores === 'string') {
      yield unknownWorkspace(null, path.basename(user), stores);
      return;
    }
    const hidden = hiddenFolders(fs, user);
    const next: typeof seen = new Map();
    for (const file of stores.unreadable)
      yield unknownWorkspace(null, path.basename(file), `The record of a workspace cannot be read: ${file}.`);
    const known = stores.anchors.map((anchor) => ({ ...anchor, shared: sharedAs(anchor.root) }));
    for (const one of withoutRepeats(known, besides)) {
      const there = presenceOf(fs, one.root);
      if (there.kind === 'missing') {
        if (!hidden.has(one.root)) yield { ...emptyWorkspace(one), state: 'missing' };
      } else if (there.kind === 'unreadable') {
        yield unknownWorkspace(one.root, nameOf(one), `The folder cannot be read (${there.why}).`);
      } else {
        const stateFile = stateFileOf(one.root);
        const { mark: keys } = openRing(options, { folder: user, stateFile, managed });
        const mark = `${keys()} ${markOfFiles(fs, one.root, stateFile)}`;
        const before = seen.get(one.root);
        // What a server last confirmed ages without any change of files.
        const read = before?.mark === mark && !one.shared ? before.read : readOne(one);
        next.set(one.root, { mark, read });
        yield read;
      }
    }
    seen = next;
  }

  function listed(): KnownStores | string {
    try {
      return knownStores(fs, user);
    } catch (error) {
      return `The records of workspaces cannot be listed (${messageOf(error)}).`;
    }
  }

  const stateFileOf = (root: string) => path.join(storesFolder(user), stateFileName(root));

  /** Null also for a file that cannot be read: reading the workspace then says why. */
  function sharedAs(root: string): SharedFile | null {
    try {
      return readSharedFile(fs, stateFileOf(root));
    } catch {
      return null;
    }
  }

  /** A workspace at several roots is one if a server orders it; a copied folder is another workspace. */
  function withoutRepeats(known: readonly Known[], besides: readonly Besides[]): Known[] {
    const roots = new Set(besides.map(({ root }) => root));
    const ids = new Set(besides.map(({ workspace }) => workspace));
    const byKey = new Map<string, Known>();
    for (const one of known) {
      if (roots.has(one.root) || (one.shared && ids.has(one.shared.workspace))) continue;
      const key = one.shared?.workspace ?? one.root;
      const before = byKey.get(key);
      if (!before || presenceOf(fs, before.root).kind === 'missing') byKey.set(key, one);
    }
    return [...byKey.values()];
  }

  function readOne(known: Known): InboxWorkspace {
    const { root } = known;
    const workspace = openToRead(options, root);
    try {
      const { problem: trouble, state } = workspace.standing();
      if (trouble) return { ...emptyWorkspace(known), state: 'unknown', problem: trouble };
      const wanted = (item: InboxItem) => options.for === undefined || isForPerson(state, item.for, options.for);
      const items = inboxItems(state)
        .filter(wanted)
        .map(({ worktree, ...item }) => ({ ...item, folder: folderOf(known, worktree) }));
      return { ...emptyWorkspace(known), items };
    } finally {
      workspace.close();
    }
  }

  /** An agent wrote the worktree, so it is used only if this user's records have it too. */
  function folderOf({ root, worktrees }: Known, worktree: string): string {
    const place = path.resolve(root, worktree);
    const known = worktrees.find((one) => one.path === place);
    return inodeOf(place) === known?.inode ? place : root;
  }

  function inodeOf(place: string): number | null {
    try {
      return statOrNull(fs, place)?.ino ?? null;
    } catch {
      return null;
    }
  }

  return { look };
}

/** UNKNOWN first, then by the most pressing item, then folders without items, and missing folders last. */
export function byUrgency(a: InboxWorkspace, b: InboxWorkspace): number {
  return (
    rank(a) - rank(b) ||
    byFirst(a.items[0], b.items[0]) ||
    compareText(a.project, b.project) ||
    compareText(a.folder ?? '', b.folder ?? '')
  );
}

function rank({ state, items }: InboxWorkspace): number {
  if (state === 'unknown') return 0;
  return state === 'missing' ? 3 : items.length > 0 ? 1 : 2;
}

function byFirst(a: ItemOfFolder | undefined, b: ItemOfFolder | undefined): number {
  if (!a || !b) return 0;
  return (
    urgencyRank(a.urgency ?? 'low') - urgencyRank(b.urgency ?? 'low') || compareText(a.waiting_since, b.waiting_since)
  );
}

/** Items of all workspaces. An UNKNOWN one is treated as one, as in `waitingCount`. */
export function inboxCount(workspaces: readonly InboxWorkspace[]): number {
  return workspaces.reduce((sum, { state, items }) => sum + (state === 'unknown' ? 1 : items.length), 0);
}

function emptyWorkspace(known: Known): InboxWorkspace {
  const person = known.shared?.person ?? null;
  return { project: nameOf(known), folder: known.root, person, state: 'readable', problem: null, items: [] };
}

function unknownWorkspace(folder: string | null, project: string, what: string): InboxWorkspace {
  return { project, folder, person: null, state: 'unknown', problem: problem('unreadable', what), items: [] };
}

function nameOf({ shared, root }: Known): string {
  return shared?.name ?? (path.basename(root) || root);
}

/** Whether the root is still the folder that was recorded. */
function presenceOf(fs: FileSystem, root: string): Presence {
  try {
    if (!fs.statSync(root, { throwIfNoEntry: false })?.isDirectory()) return { kind: 'missing' };
    // Behind a link is another folder, which has a record of its own if it is in use.
    return { kind: fs.realpathSync.native(root) === root ? 'present' : 'missing' };
  } catch (error) {
    return { kind: 'unreadable', why: messageOf(error) };
  }
}

/** Nothing is written, swept or run in another workspace. */
function openToRead(options: InboxOptions, root: string): Workspace {
  const { fs, env, platform, home, clock, newId, managedFolder } = options;
  const machine = { fs, env, platform, home, clock, newId, managedFolder };
  const location = { root, worktree: root, problem: null };
  return openWorkspace({ ...machine, folder: root, location, mayWrite: () => false, wasm: noRows });
}

function noRows(): never {
  throw new Error('the rows of other workspaces are not read');
}

// What is waiting for a human in one workspace, from the state alone.

interface InboxItem {
  readonly id: string;
  readonly kind: 'question' | 'rfc' | 'request' | 'proposal';
  /** First line without markup. Null for requests and proposals: the state has no texts of theirs. */
  readonly title: string | null;
  /** Null for requests and proposals, which have none. */
  readonly urgency: Urgency | null;
  /** Whether it stops agents. */
  readonly holding: boolean;
  /** ISO 8601 UTC. */
  readonly waiting_since: string;
  /** The agent that asks; of a request, the responsibility. */
  readonly asked_by: string;
  /** The person or responsibility that it is for; null for everybody. */
  readonly for: string | null;
  /** The worktree in which it was asked, relative to the store's root; `.` for the root itself. */
  readonly worktree: string;
}

/** As many as `waitingCount` says: questions and RFCs, most pressing first, then proposals, then requests. */
export function inboxItems(state: State): InboxItem[] {
  return [...rankItems(state), ...proposals(state), ...requests(state)];
}

function rankItems(state: State): InboxItem[] {
  const found: (readonly [Pressing, InboxItem])[] = [];
  for (const waiting of waitingOrder(state)) {
    const question = state.questions.get(waiting.id);
    if (!question || waiting.asked_back) continue;
    const { urgency, raisedAt, facts } = question;
    const about = { kind: 'question', urgency, waiting_since: raisedAt, for: facts.for } as const;
    found.push([waiting, itemOf(question, about, raisedOf(state, question).text, isHolding(question))]);
  }
  for (const rfc of state.rfcs.values()) {
    if (!isRfcWaiting(rfc)) continue;
    const since = sinceOf(rfc);
    const about = { kind: 'rfc', urgency: 'high', waiting_since: since, for: rfc.for } as const;
    found.push([
      { id: rfc.id, urgency: 'high', raised_at: since, about: rfc.workflows.length + rfc.tasks.length },
      itemOf(rfc, about, rfc.title, state.holders.has(rfc.id)),
    ]);
  }
  return found.sort(([a], [b]) => byPressing(a, b)).map(([, item]) => item);
}

function itemOf(
  { id, asker }: Pick<Holder, 'id' | 'asker'>,
  about: Pick<InboxItem, 'kind' | 'urgency' | 'waiting_since' | 'for'>,
  text: string,
  holding: boolean,
): InboxItem {
  const title = firstLine(plainText(text), 200);
  return { id, ...about, title, holding, asked_by: asker.id, worktree: asker.worktree ?? '.' };
}

function proposals(state: State): InboxItem[] {
  return [...state.proposals].map(([id, { agent, at }]) => ({
    ...{ id, kind: 'proposal', title: null, urgency: null, holding: false, for: null },
    ...{ waiting_since: at, asked_by: agent, worktree: '.' },
  }));
}

function requests(state: State): InboxItem[] {
  return [...state.requests.values()]
    .filter((request) => isHumansTurn(state, request))
    .map(({ id, origin, availableAt }) => ({
      ...{ id, kind: 'request', title: null, urgency: null, holding: false, for: null },
      ...{ waiting_since: availableAt, asked_by: origin, worktree: '.' },
    }));
}

const hidden = z.object({ v: z.literal(1), roots: z.array(z.string()) });

/** An unreadable list hides nothing. */
export function hiddenFolders(fs: FileSystem, userFolder: string): ReadonlySet<string> {
  return new Set(readNote(fs, fileIn(userFolder), hidden)?.roots);
}

export function hideFolders(
  { fs, newId }: { readonly fs: FileSystem; readonly newId: () => string },
  userFolder: string,
  roots: readonly string[],
): void {
  const file = fileIn(userFolder);
  const all = { v: 1, roots: [...new Set([...hiddenFolders(fs, userFolder), ...roots])].sort() };
  putFile({ fs, newId }, file, `${JSON.stringify(all)}\n`);
}

function fileIn(userFolder: string): string {
  return path.join(userFolder, 'hidden.json');
}

export interface KnownStanding {
  readonly workspace: string;
  readonly project: string;
  readonly state: State;
  /** The keys that are trusted there; none while they are not known. */
  readonly keys: readonly PinnedKey[];
}

export function followStandings(options: InboxOptions) {
  const { fs } = options;
  const open = new Map<string, Workspace>();
  let closed = false;

  function standingOf({ root }: Anchor): KnownStanding[] {
    if (presenceOf(fs, root).kind !== 'present') {
      open.get(root)?.close();
      open.delete(root);
      return [];
    }
    const workspace = open.get(root) ?? openToRead(options, root);
    open.set(root, workspace);
    const { state } = workspace.standing();
    if (!state?.workspace) return [];
    const project = state.shared?.name ?? path.basename(root);
    return [{ workspace: state.workspace.id, project, state, keys: workspace.pins() }];
  }

  return {
    /** Leaves out workspaces that are missing or UNKNOWN. Each id comes once. Reads one workspace in each turn. */
    async look(): Promise<KnownStanding[]> {
      const found = new Map<string, KnownStanding>();
      for (const anchor of knownStores(fs, userFolder(options)).anchors) {
        for (const one of standingOf(anchor)) if (!found.has(one.workspace)) found.set(one.workspace, one);
        await nextTurn();
        if (closed) return [];
      }
      return [...found.values()];
    },
    close() {
      closed = true;
      for (const workspace of open.values()) workspace.close();
      open.clear();
    },
  };
}
