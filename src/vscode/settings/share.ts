/** The form that shares a workspace: what everybody will see, and the act. None for one that is shared. */
import { fingerprintOf } from '../../trust/publicKeys.ts';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addressOf, agentsLogin, onServer } from '../../app/team/servers.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Overview } from '../../app/team/overview.ts';
import { shownSharing } from '../../core/decision/workspace.ts';
import type { Outcome } from '../../ui/kit/view.ts';
import type { ShareMessage } from '../../ui/answer/messages.ts';
import type { ShareView } from '../../ui/answer/team.ts';
import { hashOf } from '../../trust/canonical.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import { refused, signerFor, unconfirmed } from '../../ui/surface/signedActs.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import { folderName, shareKey, signerOf } from '../../ui/surface/workspaceForms.ts';
import type { FormOptions } from '../../ui/surface/workspaceForms.ts';
import type { Logins } from './logins.ts';
import { sharedWords, teamErrorWords } from './serverWords.ts';

/** The latest overview of each folder, with the end of the journal that it describes: reading one takes a while. */
const overviews = new WeakMap<object, { readonly head: string; readonly overview: Promise<Overview> }>();

async function overviewFor({ workspace }: OpenFolder): Promise<Overview> {
  const head = workspace.position()?.head ?? '';
  const known = overviews.get(workspace);
  if (known?.head === head) return known.overview;
  const { overviewOf } = await import('../../app/team/overview.ts');
  const overview = overviewOf(workspace);
  overviews.set(workspace, { head, overview });
  return overview;
}

export async function shareModel(options: FormOptions & { readonly logins: Logins }): Promise<ShareView | null> {
  const { folders, folder, standing, render, locked, logins } = options;
  const { state } = options.view;
  const { workspace, name } = folder;
  const { shared } = state;
  if (shared && workspace.team() !== null) return null;
  const { secrets, ...overview } = await overviewFor(folder);
  const url = await logins.read(workspace);
  const agents = agentsLogin(workspace);
  return {
    ...{ type: 'share', key: shareKey(folders, folder), shown: hashOf(shownSharing(state)), render },
    ...folderName(folders, folder),
    ...overview,
    project: name,
    secrets: secrets.map(({ beginning, ...secret }) => ({ ...secret, beginning: beginning.slice(0, 200) })),
    name: shared?.name ?? suggestedName(name),
    server: url === null ? undefined : addressOf(url),
    agents: 'login' in agents ? agents.login : undefined,
    fingerprint: standing.kind === 'enrolled' ? fingerprintOf(standing.keyid) : undefined,
    begun: shared?.name,
    answersAs: signerOf(standing),
    locked,
  };
}

/** A name that the server accepts, from the folder's. */
function suggestedName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 64) || 'workspace'
  );
}

/** The logins that the form names, as one text. */
export function loginsIn({ server, agents }: Pick<ShareView, 'server' | 'agents'>): string {
  return JSON.stringify([server?.host, server?.login, agents]);
}

interface Sharing {
  readonly keys: Keys;
  readonly logins: Logins;
  /** The form that the human saw. */
  readonly view: { readonly type: string };
}

/** Carries out the act, with progress that the human can stop. Sharing again goes on where it was. */
export async function carryOutShare(
  { keys, logins, view }: Sharing,
  folder: OpenFolder,
  message: ShareMessage,
): Promise<Outcome> {
  const { act, called, confirmed, shown } = message;
  const { workspace } = folder;
  if (!confirmed) return unconfirmed(act, l10n.t('Sharing needs a second step.'));
  const url = await logins.read(workspace);
  if (url === null) return refused(act, 'invalid', l10n.t('Connect this editor to the team’s server first.'));
  const agents = agentsLogin(workspace);
  if ('problem' in agents) return refused(act, 'invalid', agents.problem);
  // An agent's program can change its login; without this check, one that the human never saw would become a member.
  const now = loginsIn({ server: addressOf(url), agents: agents.login });
  if (view.type !== 'share' || loginsIn(view as ShareView) !== now)
    return refused(act, 'changed', l10n.t('The logins have changed since they were shown. Check them again.'));
  const signer = await signerFor(keys, workspace, message.name);
  const { shareWorkspace } = await import('../../app/team/decisions.ts');
  const title = l10n.t('Copying the journal to the server');
  const copying = { location: vscode.ProgressLocation.Notification, cancellable: true, title } as const;
  const stopped = l10n.t('Stopped. Share it again to continue.');
  try {
    await vscode.window.withProgress(copying, (progress, stop) =>
      onServer(url, (server) => {
        const onProgress = (share: number) => {
          if (stop.isCancellationRequested) throw new AppError('conflict', stopped);
          progress.report({ message: `${String(Math.floor(share * 100))} %` });
        };
        const sharing = { workspace, signer, server, name: called, agents: agents.login, onProgress };
        return shareWorkspace(sharing, shown);
      }),
    );
  } catch (error) {
    return refused(act, 'failed', teamErrorWords(error));
  }
  return { type: 'done', act, text: sharedWords(called) };
}
