/**
 * One notification for each missed deadline of a request to or from a human; in one window only. Its button opens the
 * request, and decides nothing.
 */
import * as vscode from 'vscode';
import { requestDetails } from '../../app/request/views.ts';
import { breached, isHumans, isHumansTurn } from '../../core/request/request.ts';
import type { OpenRequest } from '../../core/state/request.ts';
import type { Breach } from '../../core/records/requestWords.ts';
import type { State } from '../../core/state/state.ts';
import { firstLine } from '../../core/kit/text.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { warning } from '../kit/messages.ts';
import { wanted } from '../kit/telling.ts';
import type { Telling } from '../kit/telling.ts';

const toldName = 'holdpoint.notifiedBreaches';
/** Maximum number of remembered breaches; the oldest are forgotten first. */
const toldAtMost = 2_000;

export interface RequestNotificationsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly telling: Telling;
}

export function registerRequestNotifications({ context, folders, telling }: RequestNotificationsOptions): Closable {
  const all = collect();
  let told = new Set(context.workspaceState.get<readonly string[]>(toldName, []));

  function look(): void {
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace) continue;
      const { id } = state.workspace;
      const fresh = [...state.requests.values()].flatMap((request) => {
        const breach = breached(request);
        if (breach === null || !concernsHuman(state, request)) return [];
        const claim = claimOf(id, request, breach);
        return told.has(claim) ? [] : [{ ...newsOf(folder, request.id), claim }];
      });
      if (fresh.length === 0) continue;
      told = new Set([...told, ...fresh.map(({ claim }) => claim)].slice(-toldAtMost));
      void context.workspaceState.update(toldName, [...told]);
      if (wanted() === 'all') telling.news(fresh);
    }
  }

  function newsOf(folder: OpenFolder, id: string) {
    return {
      kind: 'request',
      key: folders.keyOf(folder, id),
      critical: false,
      isCurrent: () => {
        const request = folder.workspace.standing().state?.requests.get(id);
        return request !== undefined && breached(request) !== null;
      },
      tell: () => tell(folder, id),
    } as const;
  }

  async function tell(folder: OpenFolder, id: string): Promise<void> {
    const view = (await folder.workspace.store()).read();
    const request = view.state.requests.get(id);
    const breach = request ? breached(request) : null;
    if (!request || breach === null) return;
    const subject = firstLine(requestDetails(view, id)?.subject ?? id);
    const open = vscode.l10n.t('Open');
    const words = wordsOf(view.state, request, breach, subject);
    if ((await warning(words, open)) === open)
      await vscode.commands.executeCommand(ids.commands.openForm, folders.keyOf(folder, id));
  }

  all.add(folders.onDidChange(look));
  return all;
}

function concernsHuman(state: State, request: OpenRequest): boolean {
  return isHumansTurn(state, request) || isHumans(state.responsibilities.get(request.origin));
}

/** A request that was deferred and resumed, or reassigned, has new deadlines. */
function claimOf(workspace: string, { id, availableAt, acceptedAt }: OpenRequest, breach: Breach): string {
  const from = breach === 'completion' && acceptedAt !== null ? acceptedAt : availableAt;
  return `${workspace}-${id}-${breach}-${String(Date.parse(from))}`;
}

function wordsOf(state: State, request: OpenRequest, breach: Breach, subject: string): string {
  const nameOf = (id: string) => state.responsibilities.get(id)?.name ?? id;
  const target = nameOf(request.target);
  if (isHumansTurn(state, request))
    return breach === 'response'
      ? vscode.l10n.t('{0} is overdue for an answer from {1}: {2}', nameOf(request.origin), target, subject)
      : vscode.l10n.t('{0} is overdue with {1}: {2}', target, request.id, subject);
  return breach === 'response'
    ? vscode.l10n.t('{0} has not answered in time: {1}', target, subject)
    : vscode.l10n.t('{0} has not finished in time: {1}', target, subject);
}
