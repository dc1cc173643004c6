/** Held files that have changed, for the form of the question or the review of the RFC that holds them. */
import * as l10n from '@vscode/l10n';
import { mayBeOwn } from '../../app/hold/copy.ts';
import { isAsBefore } from '../../app/hold/lookAtHeld.ts';
import { holderOf } from '../../core/hold/holds.ts';
import { isChanged } from '../../core/state/heldChanges.ts';
import type { HeldChangesView } from '../kit/view.ts';
import type { View } from '../../store/store.ts';
import type { OpenFolder } from '../kit/folders.ts';

/** At most so many can be accepted at once. */
const shownAtMost = 100;

export interface ChangesModelOptions {
  readonly folder: Pick<OpenFolder, 'workspace'>;
  readonly view: Pick<View, 'state'>;
  /** Of the question or RFC. */
  readonly id: string;
  /** Where the form is. Only the editor compares files. */
  readonly where: 'editor' | 'browser';
  /** Set when nothing can be decided here. */
  readonly locked: unknown;
}

export function changesModel(options: ChangesModelOptions): { changes?: HeldChangesView } {
  const { folder, view, id, where, locked } = options;
  const { workspace } = folder;
  const { state } = view;
  const known = state.heldFiles.get(id);
  const holder = holderOf(state, id);
  if (!known || !holder || !isChanged(known)) return {};
  const isOwn = mayBeOwn(workspace, state);
  const files = known.changes.slice(0, shownAtMost).map((change) => ({
    path: change.path,
    how: change.was === null ? ('added' as const) : change.is === null ? ('removed' as const) : ('changed' as const),
    at: change.at,
    ...(change.call === null ? {} : { call: change.call }),
    ...(isOwn(change) ? { same: isAsBefore(workspace, holder, change) } : { same: false, elsewhere: true as const }),
  }));
  const here = locked === undefined;
  return { changes: { files, lost: known.lost !== null, here, compare: where === 'editor' } };
}

/** For rows: held files were changed, and no human has accepted that. */
export function changedWords({ workspace }: Pick<OpenFolder, 'workspace'>, id: string): string[] {
  const files = workspace.standing().state?.heldFiles.get(id);
  return files && isChanged(files) ? [l10n.t('held files changed')] : [];
}
