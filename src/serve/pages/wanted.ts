/** Which page shows what. */
import type { Workspace } from '../../app/workspace/workspace.ts';
import { hasItem, isRfcId, itemId } from '../../core/waiting/items.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { keyOf } from '../kit/folders.ts';
import type { Session } from '../security/sessions.ts';
import type { LivePage } from './livePage.ts';
import type { Redraws } from './redraws.ts';
import type { SharedModels } from './sharedModels.ts';

/** A page that was asked for: its surface, and the item that it shows. */
export interface Wanted {
  readonly surface: 'question' | 'rfc' | 'memory' | 'dashboard';
  /** Null: the first waiting item. */
  readonly key: string | null;
}

export interface PageOptions {
  readonly folders: Folders;
  readonly live: LivePage;
  readonly session: Session;
  readonly models: SharedModels;
  /** After changes. */
  readonly redraws: Pick<Redraws, 'event'>;
  readonly key: string | null;
}

/** Null for a path without a page. */
export function wantedAt(workspace: Workspace, path: string): Wanted | null {
  if (path === '/') return { surface: 'question', key: null };
  if (path === '/briefing') return { surface: 'memory', key: null };
  if (path === '/dashboard') return { surface: 'dashboard', key: null };
  if (path === '/policy' || path === '/keys') return { surface: 'question', key: keyOf(path.slice(1)) };
  const ofQuestion = /^\/(together\/Q-\d{1,9})$/.exec(path)?.[1];
  if (ofQuestion !== undefined) return { surface: 'question', key: keyOf(ofQuestion) };
  const ofWork = /^\/work\/((?:[\w.:#@-]|%(?:23|2f|3a|40))+)$/i.exec(path)?.[1];
  if (ofWork !== undefined) return { surface: 'question', key: keyOf(`work/${decodeURIComponent(ofWork)}`) };
  const id = itemId.safeParse(/^\/open\/([^/]+)$/.exec(path)?.[1]);
  const { state } = workspace.standing();
  if (!id.success || !state || !hasItem(state, id.data)) return null;
  return { surface: isRfcId(id.data) ? 'rfc' : 'question', key: keyOf(id.data) };
}

/** The path of an item. */
export function pathOf(key: string): string {
  const id = key.slice(keyOf('').length);
  if (id.startsWith('work/')) return `/work/${encodeURIComponent(id.slice('work/'.length))}`;
  return id.startsWith('together/') ? `/${id}` : `/open/${id}`;
}
