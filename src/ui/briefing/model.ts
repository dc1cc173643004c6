/** Converts a briefing to the view model of the "Briefing" view. */
import * as l10n from '@vscode/l10n';
import {
  shownEventHash,
  acceptProposal,
  closeAsHuman,
  declineProposal,
  postAsHuman,
} from '../../app/memory/decisions.ts';
import { lineage, proposedEvents, branchesOf } from '../../app/memory/events.ts';
import type { BriefedEvent, Briefing, Group, WaitingItem } from '../../core/memory/briefing.ts';
import { plainText, firstLine } from '../../core/kit/text.ts';
import { perEventType, type EventType } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { enrolKey, importedModel, folderName, optionalField, signerOf } from '../surface/workspaceForms.ts';
import { strangerWords, type SignerStanding, type Keys } from '../surface/standing.ts';
import { placeExists } from '../kit/workspaceFiles.ts';
import { program } from '../kit/program.ts';
import type { Outcome, SnapshotHead, Token, UnavailableView, ViewOf } from '../kit/view.ts';
import type { Shown } from '../surface/signingSurface.ts';
import { briefingOf } from '../../app/memory/briefing.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { State } from '../../core/state/state.ts';
import type { Signing } from '../../app/decision/decisions.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import type { BriefingAct } from './messages.ts';
import { carriedOut, signingIn } from '../surface/signedActs.ts';

export type EventView = ViewOf<ReturnType<typeof eventModel>>;
export type WaitingView = ViewOf<ReturnType<typeof waitingModel>>;
export type ConflictView = ReturnType<typeof conflictModel>;

export interface GroupOf<T> {
  readonly items: readonly T[];
  readonly more: number;
}

/** Its mark is that of the view's focus, and the target of new events. */
export type BriefingView = ViewOf<Awaited<ReturnType<typeof currentBriefing>>>;

/** Initial values of the form for a new event. A new token opens it once. */
export interface Compose {
  token: Token;
  type?: EventType | undefined;
  scopes: readonly string[];
  text: string;
}

export interface BriefingSnapshot extends SnapshotHead {
  limits: { text: number; scopes: number };
  view: BriefingView | UnavailableView;
  /** For a page that has just started: what its predecessor asked to keep. */
  kept?: string | undefined;
  outcome?: Outcome | undefined;
  compose?: Compose | undefined;
  /** An event to expand and reveal; a new token does so once. */
  reveal?: { token: Token; id: string } | undefined;
}

/** Key for the view as a whole; new events are posted under it. */
export const memoryId = 'memory';

export interface BriefingOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  /** Workspace-relative; null for the whole project. */
  readonly focus: string | null;
  readonly note: string | undefined;
  readonly pinned: boolean;
  readonly standing: SignerStanding;
  /** Nonce of this rendering. */
  readonly render: string;
  /** Why nothing can be signed here. */
  readonly locked: (readOnly: boolean) => string | undefined;
}

/** The briefing of a focus as it is now. */
export async function currentBriefing(options: BriefingOptions) {
  const { folders, folder, focus, note, pinned, standing, render, locked } = options;
  const store = await folder.workspace.store();
  const briefing = await latestBriefing(folder.workspace, focus);
  const view = store.read();
  const proposals = proposedEvents(view);
  const proposed = new Set(proposals.map(({ id }) => id));
  const there = new Map<string, boolean>();
  const exists = (path: string) => {
    const known = there.get(path) ?? placeExists(folder.workspace, path);
    there.set(path, known);
    return known;
  };
  const event = (one: BriefedEvent): EventView => eventModel({ folders, folder, view, exists }, one);
  // Items waiting for a decision are at the top, and not repeated below.
  const group = ({ items, more }: Group<BriefedEvent>): GroupOf<EventView> => ({
    items: items.filter(({ id }) => !proposed.has(id)).map(event),
    more,
  });
  const { relevant } = briefing;
  return {
    type: 'briefing' as const,
    key: folders.keyOf(folder, memoryId),
    shown: memoryId,
    render,
    ...folderName(folders, folder),
    // Absent: the whole project.
    ...optionalField('focus', focus),
    // Why it does not follow the editor.
    ...optionalField('note', note),
    pinned,
    // The person whose agents run here: their ids are shown without it.
    own: view.own,
    project: firstLine(briefing.project ?? folder.name, 100),
    proposals: proposals.map(event),
    critical: group(briefing.critical_warnings),
    waiting: {
      // The tree lists all waiting items; the briefing only those about the current file.
      items: briefing.waiting.items
        .filter(({ concerns_focus: here }) => here)
        .map((item): WaitingView => waitingModel(folders, folder, item)),
      more: 0,
    },
    conflicts: { items: briefing.conflicts.items.map(conflictModel), more: briefing.conflicts.more },
    relevant: perEventType((type) => group(relevant[type])),
    other: group(briefing.other),
    resolved: group(briefing.recently_resolved),
    // How many are hidden because nothing has mentioned them for long.
    aged: briefing.aged,
    answersAs: signerOf(standing),
    ...optionalField('locked', locked(store.readOnly)),
    // This editor's key is not trusted yet: where it can be added.
    ...optionalField('enrol', enrolKey(folders, folder, standing)),
  };
}

interface Surroundings extends Pick<BriefingOptions, 'folders' | 'folder'> {
  readonly view: View;
  /** Whether a workspace-relative path exists. */
  readonly exists: (path: string) => boolean;
}

function eventModel({ folders, folder, view, exists }: Surroundings, event: BriefedEvent) {
  const { id, text } = event;
  return {
    ...event,
    key: folders.keyOf(folder, id),
    shown: shownEventHash(view.state, event),
    // Its first line, without Markdown syntax.
    title: firstLine(plainText(text), limits.title),
    scopes: event.scopes.map((path) => ({ path, exists: exists(path) })),
    // Where it was imported from, if it was.
    source: event.imported ? importedModel(view, id).imported : undefined,
    // What it replaced and what replaced it: each branch oldest first.
    lineage: branchesOf(lineage(view, event)),
    // An agent's proposal to close a human's event.
    proposal: view.state.proposals.get(id) ?? null,
  };
}

/** Two active decisions on the same scope. */
function conflictModel({ scope, decisions }: Briefing['conflicts']['items'][number]) {
  return {
    key: decisions.map(({ id }) => id).join(' '),
    scope,
    decisions: decisions.map(({ id, text }) => ({ id, title: firstLine(plainText(text), limits.title) })),
  };
}

/** A question or RFC that holds something, or a decision that no agent has picked up. */
function waitingModel(folders: Folders, folder: OpenFolder, item: WaitingItem) {
  const answer = item.answer === null ? null : firstLine(item.answer, 200);
  return { ...item, key: folders.keyOf(folder, item.id), answer };
}

/** Why nothing can be signed here. */
export function whyNotSigned(standing: SignerStanding, readOnly: boolean): string | undefined {
  if (!program().isTrusted) return l10n.t('This folder is not trusted: you can read here, but not post.');
  if (readOnly) return l10n.t('A newer version of Holdpoint wrote this workspace. Update to post here.');
  if (standing.kind === 'stranger') return strangerWords(standing);
  return undefined;
}

/** The items that can be acted on: the view itself, and each open event. */
export function seenInBriefing(view: BriefingView): Shown {
  const { proposals, critical, relevant, other, waiting } = view;
  const groups = [critical, ...Object.values(relevant), other];
  const targets = [view, ...proposals, ...groups.flatMap(({ items }) => items)];
  return { targets, layout: String(waiting.items.length) };
}

// A file's briefing as humans see it. The view and the line above the file ask for the same one at the same time.

interface Latest {
  readonly focus: string | null;
  readonly state: State;
  readonly position: number;
  /** Milliseconds since the epoch, by the workspace's clock. */
  readonly at: number;
  readonly briefing: Briefing;
}

const latest = new WeakMap<Workspace, Latest>();
/** Events expire and age by time alone. Milliseconds. */
const latestMs = 1_000;

/**
 * @param focus workspace-relative and cleaned; null for none
 * @throws StoreError `unknown-state`
 */
export async function latestBriefing(workspace: Workspace, focus: string | null): Promise<Briefing> {
  const store = await workspace.store();
  const view = store.read();
  const { position } = store.position;
  const now = Date.parse(view.now);
  const known = latest.get(workspace);
  const isSame = known?.position === position && known.state === view.state && known.focus === focus;
  if (isSame && Math.abs(now - known.at) < latestMs) return known.briefing;
  const { briefing } = briefingOf(workspace, view, { focus, human: true });
  latest.set(workspace, { focus, state: view.state, position, at: now, briefing });
  return briefing;
}

// Carries out signed acts of the "Briefing" view.

/** Never throws: the form receives the outcome. */
export function signInBriefing(folders: Folders, keys: Keys, message: BriefingAct): Promise<Outcome> {
  return carriedOut(folders, message, async (folder, id) => {
    await act(await signingIn(keys, folder.workspace, message.name), { folder, id }, message);
    return { type: 'done', act: message.act };
  });
}

interface About {
  readonly folder: OpenFolder;
  readonly id: string;
}

async function act(signing: Signing, { folder, id }: About, message: BriefingAct): Promise<void> {
  switch (message.type) {
    case 'post': {
      const { event: type, priority, text } = message;
      const scopes = message.scopes.map((scope) => workspaceRelative(folder.workspace, scope, scope));
      await postAsHuman(signing, { type, priority, text, scopes });
      return;
    }
    case 'close':
      await closeAsHuman(signing, id, message.closing, message.shown);
      return;
    case 'decline':
      await declineProposal(signing, id, message.shown);
      return;
    case 'accept':
      await acceptProposal(signing, id, message.shown);
  }
}
