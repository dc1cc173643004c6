/** Forms that only the editor has: recovery from a store in doubt, and sharing a workspace with a team. */
import * as l10n from '@vscode/l10n';
import { shownDiagnosis, type Diagnosis } from '../../app/recovery/recovery.ts';
import type { Damage } from '../../store/journal/problem.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { problemWords } from '../kit/problemWords.ts';
import type { SignerStanding } from '../surface/standing.ts';
import { formKey, folderName, signerOf, formHead, optionalField, type FormOptions } from '../surface/workspaceForms.ts';
import { addressOf, agentsLogin } from '../../app/team/servers.ts';
import { overviewOf, type Overview } from '../../app/team/decisions.ts';
import { shownSharing } from '../../core/decision/workspace.ts';
import { hashOf } from '../../trust/canonical.ts';
import { fingerprintOf } from '../../trust/publicKeys.ts';
import type { ViewOf } from '../kit/view.ts';

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

// Forms about a team: sharing a workspace that is not shared yet, and leaving one that is.

/** What everyone on the team will see, before any of it leaves the machine. */
export type ShareView = ViewOf<NonNullable<Awaited<ReturnType<typeof shareModel>>>>;

/** Before the journal moves back to this machine. */
export type LeaveView = ViewOf<NonNullable<ReturnType<typeof leaveModel>>>;

/** The latest overview of each folder, with the end of the journal that it describes: reading one takes a while. */
const overviews = new WeakMap<object, { readonly head: string; readonly overview: Promise<Overview> }>();

async function overviewFor({ workspace }: OpenFolder): Promise<Overview> {
  const head = workspace.position()?.head ?? '';
  const known = overviews.get(workspace);
  if (known?.head === head) return known.overview;
  const overview = overviewOf(workspace);
  overviews.set(workspace, { head, overview });
  return overview;
}

/** @param login URL of the human's login; null until this editor is connected */
export async function shareModel(options: FormOptions, login: string | null) {
  const { folder, standing } = options;
  const { state } = options.view;
  const { workspace, name } = folder;
  const { shared } = state;
  if (shared && workspace.team() !== null) return null;
  const { secrets, ...overview } = await overviewFor(folder);
  const agents = agentsLogin(workspace);
  return {
    ...formHead(options, 'share', { shown: hashOf(shownSharing(state)) }),
    ...overview,
    project: name,
    secrets: secrets.map(({ beginning, ...secret }) => ({ ...secret, beginning: beginning.slice(0, 200) })),
    // A suggestion for the workspace's name on the server.
    name: shared?.name ?? suggestedName(name),
    // The human's login and that of this person's agents, without their passwords.
    ...optionalField('server', login === null ? null : addressOf(login)),
    ...('login' in agents ? { agents: agents.login } : {}),
    // Teammates compare it; absent until this editor's first decision creates its key.
    ...(standing.kind === 'enrolled' ? { fingerprint: fingerprintOf(standing.keyid) } : {}),
    // An interrupted attempt, to continue with under the same name.
    ...optionalField('begun', shared?.name),
  };
}

function suggestedName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 64) || 'workspace'
  );
}

/** Null for a workspace of this machine alone. */
export function leaveModel(options: FormOptions) {
  const { state } = options.view;
  if (state.shared === null) return null;
  return { ...formHead(options, 'leave', { shown: hashOf(shownSharing(state)) }), shared: state.shared.name };
}
