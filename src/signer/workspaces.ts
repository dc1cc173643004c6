/** Which workspaces were signed for in which folders, so that a request about another one stands out. */
import * as vscode from 'vscode';

export interface KnownWorkspaces {
  /** Ids of the workspaces signed for in the folders of this window. */
  ids(): readonly string[];
  learn(id: string): Promise<void>;
}

export function openKnownWorkspaces(state: Pick<vscode.Memento, 'get' | 'update'>): KnownWorkspaces {
  const names = (): string[] =>
    (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => `holdpointSigner.workspaces.${uri.toString()}`);
  const read = (name: string): readonly string[] => state.get<readonly string[]>(name) ?? [];
  return {
    ids: () => names().flatMap(read),
    async learn(id) {
      for (const name of names()) if (!read(name).includes(id)) await state.update(name, [...read(name), id]);
    },
  };
}

export interface Note {
  readonly text: string;
  readonly isWarning?: boolean;
}

/** Where the decision counts. The names are this window's, and the id is what is signed. */
export function notesOn(id: string, known: KnownWorkspaces): Note[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name).join(', ');
  const machine = vscode.env.remoteName ?? '';
  const place = { text: vscode.l10n.t('Window: {0} ({1}). Workspace: {2}', folders, machine, id) };
  const ids = known.ids();
  if (ids.includes(id)) return [place];
  const text =
    ids.length === 0
      ? vscode.l10n.t('This is the first decision that you sign here for this workspace.')
      : vscode.l10n.t(
          'You have signed for another workspace in this window, not for this one. Check where this is from.',
        );
  return [place, { text, isWarning: ids.length > 0 }];
}
