/** The form shown while a store is UNKNOWN. */
import * as l10n from '@vscode/l10n';
import { shownDiagnosis, type Diagnosis } from '../../app/recovery/recovery.ts';
import type { Damage } from '../../store/journal/problem.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { problemWords } from '../kit/problemWords.ts';
import type { SignerStanding } from '../surface/standing.ts';
import { formKey, folderName, signerOf } from '../surface/workspaceForms.ts';

/** The store is in state UNKNOWN: all agents are stopped until a human chooses one of its ways, or learns why it has none. */
export type RecoveryView = ReturnType<typeof recoveryModel>;
export type RecoveryWay = 'restore' | 'setAside' | 'startAnew';

interface RecoveryOptions {
  readonly diagnosis: Diagnosis;
  readonly standing: SignerStanding;
  readonly render: string;
}

export function recoveryModel(folders: Folders, folder: OpenFolder, { diagnosis, standing, render }: RecoveryOptions) {
  const open = diagnosis.openQuestions;
  const held =
    open.length === 0
      ? l10n.t('No open question is readable in the journal.')
      : l10n.t('Open in what can be read: {0}.', open.slice(0, 20).join(', '));
  // How a human confirms before something is permanently lost: a tick next to a sentence, or a word to type.
  const tick = (text: string) => ({ type: 'tick' as const, text });
  return {
    type: 'recovery' as const,
    key: formKey(folders, folder, 'journal'),
    shown: shownDiagnosis(diagnosis),
    render,
    ...folderName(folders, folder),
    problem: problemWords(diagnosis.problem),
    detail: `${diagnosis.problem.what}\n${folder.workspace.location.root}\n${held}`,
    restore: wayOf(diagnosis.copy, ({ acts, lastAct }) => ({
      copyFrom: lastAct,
      loses: lostByRestoring(diagnosis, acts),
      confirm: tick(l10n.t('Restores the copy; the current journal is kept under another name.')),
    })),
    setAside: wayOf(diagnosis.damage, (damage) => ({
      line: damagedPart(diagnosis, damage),
      loses: l10n.t('The content of these bytes is lost, including any question among them.'),
      confirm: tick(l10n.t('Continue without these bytes.')),
    })),
    startAnew: wayOf(diagnosis.startAnew, () => ({
      loses: l10n.t(
        'All questions, answers and work items of this workspace are lost, and everything held is released.',
      ),
      confirm: { type: 'word' as const, word: l10n.t('start over') },
    })),
    answersAs: signerOf(standing),
  };
}

/** The use case says why there is none; its sentences are translated like our own. */
function wayOf<Found extends object, Way>(found: Found | { readonly why: string }, of: (found: Found) => Way) {
  if (!('why' in found)) return { type: 'available' as const, ...of(found) };
  const { why } = found;
  return { type: 'unavailable' as const, why: l10n.t(why) };
}

function lostByRestoring(diagnosis: Diagnosis, acts: number): string {
  if (diagnosis.problem.code === 'newer')
    return l10n.t('Everything that a newer version of Holdpoint has written. The copy has {0} records.', acts);
  return l10n.t(
    'Everything recorded after the copy was made. The copy has {0} records, the readable journal {1}.',
    acts,
    readableLines(diagnosis),
  );
}

function damagedPart({ problem, openQuestions, startAnew }: Diagnosis, { from, to }: Damage): string {
  if (problem.code !== 'shorter') return l10n.t('Bytes {0} to {1} of the journal.', from, to);
  const acts = 'why' in startAnew ? 0 : startAnew.loses;
  return l10n.t(
    'Bytes {0} to {1} of the journal are missing. Everything before them is kept (records {2}, open questions {3}).',
    from,
    to,
    acts,
    openQuestions.length,
  );
}

function readableLines(diagnosis: Diagnosis): number {
  return 'why' in diagnosis.startAnew ? 0 : diagnosis.startAnew.loses;
}
