/** The scope of a hold, for forms in which a human can change it. */
import * as l10n from '@vscode/l10n';
import type { Signing } from '../../app/decision/decisions.ts';
import { acceptChanges, setHeldFiles } from '../../app/hold/decisions.ts';
import { namedScopes, holderOf, type Holder } from '../../core/hold/holds.ts';
import type { Outcome, AllFiles, ViewOf } from '../kit/view.ts';
import type { View } from '../../store/store.ts';
import { decisionOutcome } from './signedActs.ts';
import type { SignerStanding } from './standing.ts';
import { mayBeOwn } from '../../app/hold/baseline.ts';
import { isAsBefore } from '../../app/hold/lookAtHeld.ts';
import { isChanged } from '../../core/state/heldChanges.ts';
import type { OpenFolder } from '../kit/folders.ts';
import { recordsOf } from '../../store/rows/read.ts';

// When humans widened a question or RFC to every file, and narrowed it again: part of its history.

interface WideningStep {
  readonly how: 'all' | 'named';
  readonly by: string;
  readonly at: string;
}

/** Oldest first. */
export function wideningsOf(view: View, id: string): WideningStep[] {
  return recordsOf(view.rows, id, 'hold.widened', 'hold.narrowed').map(({ record, actor: by, time: at }) => ({
    how: record.kind === 'hold.widened' ? 'all' : 'named',
    by,
    at,
  }));
}

/** The named files and, if widened to every file, by whom. */
export function heldFiles(view: View, holder: Holder, standing: SignerStanding): { files: string[]; all?: AllFiles } {
  const { widened } = holder;
  const files = [...namedScopes(view.state, holder)];
  if (widened === null) return { files };
  const you = standing.kind === 'enrolled' && standing.keyid === widened.keyid;
  return { files, all: { by: { name: widened.by, you }, at: widened.at } };
}

export function wideningHistory(view: View, id: string): { readonly at: string; readonly text: string }[] {
  return wideningsOf(view, id).map(({ how, by, at }) => ({
    at,
    text: how === 'all' ? l10n.t('{0} held all files', by) : l10n.t('{0} limited the hold to the named files', by),
  }));
}

interface Message {
  readonly type: 'holdAll' | 'holdNamed';
  readonly act: string;
  readonly shown: string;
}

export async function carryOutHold(signing: Signing, id: string, { type, act, shown }: Message): Promise<Outcome> {
  const all = type === 'holdAll';
  const outcome = await setHeldFiles(signing, id, all ? 'all' : 'named', shown);
  const done = all ? l10n.t('All files of this workspace are held.') : l10n.t('Only the named files are held.');
  return decisionOutcome(outcome, act, { done });
}

interface Accepting {
  readonly act: string;
  readonly shown: string;
  readonly path?: string | undefined;
}

export async function carryOutAccept(
  signing: Signing,
  id: string,
  { act, shown, path: one }: Accepting,
): Promise<Outcome> {
  const outcome = await acceptChanges(signing, id, { path: one, shown });
  const done = l10n.t('Accepted. These changes can be committed once nothing holds them.');
  return decisionOutcome(outcome, act, { done });
}

// Held files that have changed, for the form of the question or the review of the RFC that holds them.

/** At most so many can be accepted together. */
const shownAtMost = 100;

export interface ChangesModelOptions {
  readonly folder: Pick<OpenFolder, 'workspace'>;
  readonly view: Pick<View, 'state'>;
  readonly id: string;
  /** Where the form is. Only the editor compares files. */
  readonly where: 'editor' | 'browser';
  /** Set when nothing can be decided here. */
  readonly locked: unknown;
}

/** Held files that have changed, which no human has accepted. */
export type HeldChangesView = ViewOf<NonNullable<ReturnType<typeof changesModel>['changes']>>;

export function changesModel(options: ChangesModelOptions) {
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
    // What ran in the meantime; absent if no call that a hook saw.
    ...(change.call === null ? {} : { call: change.call }),
    // Its content is that of the baseline again. In a teammate's files, only their machine can tell, and restore it.
    same: isOwn(change) && isAsBefore(workspace, holder, change),
    ...(isOwn(change) ? {} : { elsewhere: true as const }),
  }));
  // `lost`: it is not known what changed. `here`: they can be restored and accepted in this form.
  const here = locked === undefined;
  return { changes: { files, lost: known.lost !== null, here, compare: where === 'editor' } };
}

/** For rows: held files were changed, and no human has accepted that. */
export function changedWords({ workspace }: Pick<OpenFolder, 'workspace'>, id: string): string[] {
  const files = workspace.standing().state?.heldFiles.get(id);
  return files && isChanged(files) ? [l10n.t('held files changed')] : [];
}
