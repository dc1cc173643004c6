/** Links that open a form, and nothing else: `vscode://holdpoint.holdpoint/open/Q-12?workspace=<id>`. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasItem, itemId } from '../../core/waiting/items.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';

/** A link to one item. It includes the workspace, because ids are per workspace. */
export function linkTo(extension: string, { workspace }: OpenFolder, id: string): string {
  const of = workspace.standing().state?.workspace?.id;
  return `${vscode.env.uriScheme}://${extension}/open/${id}${of === undefined ? '' : `?workspace=${of}`}`;
}

/** The form's key for a link, or why the link has none; null for foreign links. */
export function linked(folders: Folders, uri: vscode.Uri): { key: string } | { why: string } | null {
  const id = itemId.safeParse(/^\/open\/([^/]+)$/.exec(uri.path)?.[1]);
  if (!id.success) return null;
  const of = new URLSearchParams(uri.query).get('workspace');
  const states = folders.all.map((folder) => ({ folder, state: folder.workspace.standing().state }));
  const here = states.filter(({ state }) => of === null || state?.workspace?.id === of);
  const found = here.find(({ state }) => state !== null && hasItem(state, id.data));
  if (found) return { key: folders.keyOf(found.folder, id.data) };
  return {
    why:
      here.length === 0
        ? l10n.t('{0} belongs to a folder that is not open in this window.', id.data)
        : l10n.t('There is no {0} here.', id.data),
  };
}
