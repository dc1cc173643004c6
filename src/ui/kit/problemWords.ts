/** Translations of problems. Use cases report them in English, for agents and logs. */
import * as l10n from '@vscode/l10n';
import { NoCopyError, type AppError } from '../../app/workspace/errors.ts';
import type { Standing, Workspace } from '../../app/workspace/workspace.ts';
import type { UnavailableView, Outage } from './view.ts';
import { freshnessOf } from '../../app/workspace/freshness.ts';
import type { Freshness } from '../../core/hold/freshness.ts';
import type { Folders } from './folders.ts';
import { program } from './program.ts';

type Problem = NonNullable<Standing['problem']>;

/** What is wrong with a store, in one sentence. */
export function problemWords({ code }: Problem): string {
  switch (code) {
    case 'missing':
      return l10n.t('The journal of this workspace is missing.');
    case 'recreated':
      return l10n.t(
        'This folder was made again after its journal was last used, and the new one has no journal. If it is a fresh clone, start over; otherwise put the old folder back.',
      );
    case 'shorter':
      return l10n.t('The journal is shorter than this machine remembers.');
    case 'forked':
      return l10n.t('The journal differs from what this machine remembers.');
    case 'damaged':
      return l10n.t('A line of the journal is damaged.');
    case 'replaced':
      return l10n.t('The journal was replaced while it was in use.');
    case 'unsafe':
      return l10n.t('The folder .holdpoint is a link, which is not allowed.');
    case 'newer':
      return l10n.t('A newer version of Holdpoint wrote this workspace. Update, then reload this window.');
    case 'unreadable':
      return l10n.t('The journal cannot be read.');
    case 'ring':
      return l10n.t('The team’s list of keys cannot be used, so no decision can be checked.');
    case 'disconnected':
      return l10n.t('The journal of this workspace is shared, and this machine has no copy of it.');
    case 'moved':
      return l10n.t(
        'This folder was moved or replaced, and its journal is not the one that this machine knows. Put the folder back, or start over.',
      );
    case 'git':
      return l10n.t('The repository of this worktree is missing, so its journal cannot be found.');
  }
}

/** A short title with the consequence. */
export function problemTitle({ code }: Problem): string {
  if (code === 'newer') return l10n.t('Update Holdpoint: all agents paused');
  if (code === 'ring') return l10n.t('The team’s list of keys cannot be used: all agents paused');
  if (code === 'disconnected') return l10n.t('Not connected to the team: all agents paused');
  return l10n.t('Can’t verify the journal: all agents paused');
}

/** Why a decision was not accepted. */
export function errorWords(error: AppError): string {
  switch (error.code) {
    case 'conflict':
      // An error with a cause is about this machine, not about a conflict.
      if (error.cause !== undefined) return l10n.t('This failed: {0}', error.message);
      return l10n.t('Something has changed since this was shown. Check it again.');
    case 'not_found':
      if (error instanceof NoCopyError)
        return l10n.t('Holdpoint has no copy of it from when the hold began. Use git or a backup.');
      return l10n.t('It no longer exists.');
    case 'denied':
      return error.message;
    case 'bad_input':
      return l10n.t('This cannot be accepted: {0}', error.message);
  }
}

// View models for pages without content.

/** @param text why a folder is needed, and which to open */
export function noFolder(text: string): UnavailableView {
  return { type: 'unavailable', title: l10n.t('No folder is open'), text, action: 'openFolder' };
}

/** A store in doubt: nothing of it is shown. */
export function inDoubt(problem: NonNullable<Standing['problem']>): UnavailableView {
  return { type: 'unavailable', title: problemTitle(problem), text: problemWords(problem) };
}

/** A view that failed to build allows no decisions. */
export function notShown(error: unknown): UnavailableView {
  const text = error instanceof Error ? error.message : String(error);
  return {
    type: 'unavailable',
    title: l10n.t('Cannot show this'),
    text: text === '' ? l10n.t('No reason was given.') : text,
    action: 'reloadWindow',
  };
}

// Whether the server of a shared workspace answers, for the editor's own surfaces and for webviews.

interface SharedFolder {
  readonly name: string;
  readonly workspace: Workspace;
  readonly found: Exclude<Freshness, { readonly state: 'local' }>;
}

/** The window's shared workspaces, the worst first. */
function sharedFolders(folders: Folders): SharedFolder[] {
  const worst = ['unknown', 'offline', 'current'] as const;
  return folders.stores
    .flatMap(([{ workspace, name }]) => {
      const found = freshnessOf(workspace);
      return found.state === 'local' ? [] : [{ name, workspace, found }];
    })
    .toSorted((one, other) => worst.indexOf(one.found.state) - worst.indexOf(other.found.state));
}

/** A member of snapshots: nothing while all servers answer. */
export function outageOf(folders: Folders): { outage?: Outage } {
  const [worst] = sharedFolders(folders);
  if (!worst || worst.found.state === 'current') return {};
  const { state, since } = worst.found;
  return {
    outage: {
      state,
      ...(since === null ? {} : { since }),
      ...(worst.found.state === 'unknown' && worst.found.why !== 'strict' ? { why: worst.found.why } : {}),
      ...(folders.stores.length > 1 ? { folder: worst.name } : {}),
    },
  };
}

export type SharedStatus = NonNullable<ReturnType<typeof sharedStatus>>;

/** The state of the window's shared workspaces, and short words for it; null without one. */
export function sharedStatus(folders: Folders) {
  const [worst] = sharedFolders(folders);
  if (!worst) return null;
  const { found } = worst;
  return { state: found.state, words: statusWords(found) };
}

function statusWords(found: SharedFolder['found']): string {
  if (found.state === 'current') return l10n.t('shared, current');
  if (found.state === 'offline') return l10n.t('offline since {0}', time(found.since));
  return found.since === null
    ? l10n.t('can’t verify the journal')
    : l10n.t('can’t verify the journal since {0}', time(found.since));
}

/** With the date unless it is today. */
function time(iso: string): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date().toDateString();
  const style: Intl.DateTimeFormatOptions = isToday
    ? { timeStyle: 'short' }
    : { timeStyle: 'short', dateStyle: 'medium' };
  return new Intl.DateTimeFormat(program().language, style).format(at);
}
