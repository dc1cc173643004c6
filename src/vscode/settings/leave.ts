/** The form that moves a shared journal back to this machine. */
import * as l10n from '@vscode/l10n';
import { sharedIdOf } from '../../app/team/servers.ts';
import { shownSharing } from '../../core/decision/workspace.ts';
import type { Outcome } from '../../ui/kit/view.ts';
import type { LeaveMessage } from '../../ui/answer/messages.ts';
import type { LeaveView } from '../../ui/answer/team.ts';
import { hashOf } from '../../trust/canonical.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import { refused, unconfirmed } from '../../ui/surface/signedActs.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import { folderName, leaveKey, signerOf } from '../../ui/surface/workspaceForms.ts';
import type { FormOptions } from '../../ui/surface/workspaceForms.ts';
import type { Logins } from './logins.ts';
import { teamErrorWords } from './serverWords.ts';

/** Null for a workspace of this machine alone. */
export function leaveModel(options: FormOptions): LeaveView | null {
  const { folders, folder, standing, render, locked } = options;
  const { state } = options.view;
  if (state.shared === null) return null;
  return {
    type: 'leave',
    key: leaveKey(folders, folder),
    shown: hashOf(shownSharing(state)),
    render,
    ...folderName(folders, folder),
    shared: state.shared.name,
    answersAs: signerOf(standing),
    ...(locked === undefined ? {} : { locked }),
  };
}

export async function carryOutLeave(
  { keys, logins }: { readonly keys: Keys; readonly logins: Logins },
  { workspace }: OpenFolder,
  { act, confirmed, shown }: LeaveMessage,
): Promise<Outcome> {
  if (!confirmed) return unconfirmed(act, l10n.t('Leaving needs a second step.'));
  const signer = await keys.signer(workspace);
  const { leaveTeam } = await import('../../app/team/decisions.ts');
  try {
    const id = sharedIdOf(workspace);
    await leaveTeam({ workspace, signer }, shown);
    if (id !== null) await logins.forget(id);
  } catch (error) {
    return refused(act, 'failed', teamErrorWords(error));
  }
  return { type: 'done', act, text: l10n.t('The journal of this folder is on this machine alone now.') };
}
