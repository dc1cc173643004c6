/** The form shown while a store is UNKNOWN. */
import * as l10n from '@vscode/l10n';
import { shownDiagnosis, type Diagnosis } from '../../app/recovery/recovery.ts';
import type { Damage } from '../../store/journal/problem.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { problemWords } from '../kit/problemWords.ts';
import type { SignerStanding } from '../surface/standing.ts';
import { formKey, folderName, signerOf } from '../surface/workspaceForms.ts';
import type { RenderMark, Signer, Time } from '../kit/view.ts';

/** How a human confirms before something is permanently lost: tick a box next to a sentence, or type a word. */
export type Confirmation = { type: 'tick'; text: string } | { type: 'word'; word: string };

/** A recovery option, with what it loses; or why there is none. */
type Way<More = unknown> =
  ({ type: 'available'; loses: string; confirm: Confirmation } & More) | { type: 'unavailable'; why: string };

/** The store is in state UNKNOWN: all agents are stopped until a human chooses a recovery option. */
export interface RecoveryView extends RenderMark {
  type: 'recovery';
  folder?: string | undefined;
  problem: string;
  /** Technical details, collapsed. */
  detail?: string | undefined;
  restore: Way<{ copyFrom: Time }>;
  setAside: Way<{ line: string }>;
  startAnew: Way;
  answersAs: Signer;
}
export type RecoveryWay = 'restore' | 'setAside' | 'startAnew';

interface RecoveryOptions {
  readonly diagnosis: Diagnosis;
  readonly standing: SignerStanding;
  readonly render: string;
}

export function recoveryModel(
  folders: Folders,
  folder: OpenFolder,
  { diagnosis, standing, render }: RecoveryOptions,
): RecoveryView {
  const open = diagnosis.openQuestions;
  const held =
    open.length === 0
      ? l10n.t('No open question is readable in the journal.')
      : l10n.t('Open in what can be read: {0}.', open.slice(0, 20).join(', '));
  return {
    type: 'recovery',
    key: formKey(folders, folder, 'journal'),
    shown: shownDiagnosis(diagnosis),
    render,
    ...folderName(folders, folder),
    problem: problemWords(diagnosis.problem),
    detail: `${diagnosis.problem.what}\n${folder.workspace.location.root}\n${held}`,
    restore:
      'why' in diagnosis.copy
        ? unavailable(diagnosis.copy)
        : {
            type: 'available',
            copyFrom: diagnosis.copy.lastAct,
            loses: lostByRestoring(diagnosis, diagnosis.copy.acts),
            confirm: {
              type: 'tick',
              text: l10n.t('Restores the copy; the current journal is kept under another name.'),
            },
          },
    setAside:
      'why' in diagnosis.damage
        ? unavailable(diagnosis.damage)
        : {
            type: 'available',
            line: damagedPart(diagnosis, diagnosis.damage),
            loses: l10n.t('The content of these bytes is lost, including any question among them.'),
            confirm: { type: 'tick', text: l10n.t('Continue without these bytes.') },
          },
    startAnew:
      'why' in diagnosis.startAnew
        ? unavailable(diagnosis.startAnew)
        : {
            type: 'available',
            loses: l10n.t(
              'All questions, answers and work items of this workspace are lost, and everything held is released.',
            ),
            confirm: { type: 'word', word: l10n.t('start over') },
          },
    answersAs: signerOf(standing),
  };
}

/** The use case gives the reason; its sentences are translated like our own. */
function unavailable({ why }: { readonly why: string }): { type: 'unavailable'; why: string } {
  return { type: 'unavailable', why: l10n.t(why) };
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
