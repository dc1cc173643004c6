/** View models for pages without content. */
import * as l10n from '@vscode/l10n';
import type { Standing, Workspace } from '../../app/workspace/workspace.ts';
import type { UnavailableView, Outage } from '../kit/view.ts';
import { problemTitle, problemWords } from '../kit/problemWords.ts';
import { freshnessOf } from '../../app/workspace/freshness.ts';
import type { Freshness } from '../../core/hold/freshness.ts';
import type { Folders } from '../kit/folders.ts';
import { program } from '../kit/program.ts';

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

export interface SharedStatus {
  readonly state: SharedFolder['found']['state'];
  /** Short, in the editor's language. */
  readonly words: string;
}

/** The state of the window's shared workspaces; null without one. */
export function sharedStatus(folders: Folders): SharedStatus | null {
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
