/** The review of an RFC as it is now, for a reader in the editor or in a browser. */
import * as l10n from '@vscode/l10n';
import { lookAtHeldBy } from '../../app/hold/lookAtHeld.ts';
import { rfcView, type RfcView as AppRfc } from '../../app/rfc/views.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import type { Current } from '../surface/signingSurface.ts';
import { inBrowser, type SignerStanding } from '../surface/standing.ts';
import { whyLocked } from '../surface/workspaceForms.ts';
import { raisedHashes, type Seen } from './acts.ts';
import { rfcModel, type RfcView } from './model.ts';

/** The reader's place. The displayed revision stays when later ones arrive. */
export interface Reading {
  revision?: number;
  compared?: number | undefined;
}

export interface ReviewOptions {
  readonly folders: Folders;
  readonly reading: Reading;
  readonly render: string;
  readonly where: 'editor' | 'browser';
  readonly hasModel: boolean;
  readonly standing: (workspace: Workspace) => SignerStanding | Promise<SignerStanding>;
  readonly locked: (standing: SignerStanding, readOnly: boolean) => RfcView['locked'];
  /** The revision of the reader's last review, who now sees this one. */
  readonly reviewed?: (rfc: AppRfc, revision: number, me: string | null) => number | undefined;
}

export async function currentReview(
  { folders, reading, render, where, hasModel, ...reader }: ReviewOptions,
  { folder, id }: { readonly folder: OpenFolder; readonly id: string },
): Promise<Current<RfcView, Seen>> {
  // A decision must not overlook a change that no hook saw.
  await lookAtHeldBy(folder.workspace, id).catch(() => undefined);
  const store = await folder.workspace.store();
  const view = store.read();
  const rfc = rfcView(view, id);
  const stored = view.state.rfcs.get(id);
  if (!rfc || !stored) {
    const [title, text] = [l10n.t('There is no {0} here.', id), l10n.t('It was never proposed in this folder.')];
    return { view: { type: 'unavailable', title, text } };
  }
  const standing = await reader.standing(folder.workspace);
  const revision = (reading.revision = Math.min(reading.revision ?? rfc.text_revision, rfc.revision));
  if (reading.compared !== undefined && reading.compared >= revision) reading.compared = undefined;
  const { compared } = reading;
  const reviewed = reader.reviewed?.(rfc, revision, standing.kind === 'enrolled' ? standing.name : null);
  // A passkey of the browser decides it, whatever this editor's key may do.
  const isElsewhere = where === 'editor' && whyLocked(store.readOnly) === undefined;
  // The parser of Markdown is large: it is loaded for the first RFC that is shown.
  const { writtenQuestions: readQuestions } = await import('../../core/rfc/lists.ts');
  const model = rfcModel({
    readQuestions,
    ...{ folders, folder, view, rfc, stored, standing, revision, compared, reviewed, render, hasModel, where },
    locked: reader.locked(standing, store.readOnly),
    browser: isElsewhere ? inBrowser(view.state, stored, standing) : {},
  });
  const layout = JSON.stringify([revision, compared]);
  const raised = raisedHashes(view.state, stored);
  return { view: model, seen: { targets: [model], layout, view: model, rfc: stored, raised } };
}
