/**
 * One notification for each new request to a human, and for each missed deadline of a request to or from one; in one
 * window only. Its buttons open the request or put it off, and decide nothing.
 */
import * as vscode from 'vscode';
import { requestDetails } from '../../app/request/views.ts';
import { isHumansTurn } from '../../core/request/request.ts';
import { humanNoticeOf } from '../../core/request/humanNotice.ts';
import type { HumanNotice } from '../../core/request/humanNotice.ts';
import type { OpenRequest } from '../../core/state/request.ts';
import type { State } from '../../core/state/state.ts';
import { firstLine } from '../../core/kit/text.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { information, warning } from '../kit/messages.ts';
import { snoozeMs, wanted } from '../kit/telling.ts';
import type { News, Telling } from '../kit/telling.ts';

const notifiedName = 'holdpoint.notifiedBreaches';
/** Maximum number of remembered notifications; the oldest are forgotten first. */
const notifiedAtMost = 2_000;

export interface RequestNotificationsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly telling: Telling;
}

export function registerRequestNotifications({ context, folders, telling }: RequestNotificationsOptions): Closable {
  const all = collect();
  let notified = new Set(context.workspaceState.get<readonly string[]>(notifiedName, []));

  function look(): void {
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace) continue;
      const { id } = state.workspace;
      const fresh = [...state.requests.values()].flatMap((request) => {
        const notice = humanNoticeOf(state, request);
        if (notice === null) return [];
        const claim = `${id}-${notice.name}`;
        return notified.has(claim) ? [] : [{ ...newsOf(folder, request.id, notice), claim }];
      });
      if (fresh.length === 0) continue;
      notified = new Set([...notified, ...fresh.map(({ claim }) => claim)].slice(-notifiedAtMost));
      void context.workspaceState.update(notifiedName, [...notified]);
      if (wanted() === 'all') telling.news(fresh);
    }
  }

  function newsOf(folder: OpenFolder, id: string, { name }: HumanNotice): News {
    const current = () => {
      const { state } = folder.workspace.standing();
      const request = state?.requests.get(id);
      const notice = state && request ? humanNoticeOf(state, request) : null;
      return notice?.name === name ? notice : null;
    };
    return {
      kind: 'request',
      key: folders.keyOf(folder, id),
      critical: false,
      claim: null,
      isCurrent: () => current() !== null,
      async tell() {
        const notice = current();
        if (notice) await tell(folder, id, notice);
      },
    };
  }

  async function tell(folder: OpenFolder, id: string, notice: HumanNotice): Promise<void> {
    const view = (await folder.workspace.store()).read();
    const request = view.state.requests.get(id);
    if (!request) return;
    const subject = firstLine(requestDetails(view, id)?.subject ?? id);
    const open = vscode.l10n.t('Open');
    const later = vscode.l10n.t('Later');
    const words = wordsOf(view.state, request, notice.kind, subject);
    const isNew = notice.kind === 'new';
    const picked = await (isNew ? information(words, open, later) : warning(words, open));
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openForm, folders.keyOf(folder, id));
    if (picked === later)
      telling.after(snoozeMs, () => {
        telling.news([newsOf(folder, id, notice)]);
      });
  }

  all.add(folders.onDidChange(look));
  return all;
}

function wordsOf(state: State, request: OpenRequest, kind: HumanNotice['kind'], subject: string): string {
  const nameOf = (id: string) => state.responsibilities.get(id)?.name ?? id;
  const target = nameOf(request.target);
  if (kind === 'new') return vscode.l10n.t('{0} has a request for {1}: {2}', nameOf(request.origin), target, subject);
  if (isHumansTurn(state, request))
    return kind === 'response'
      ? vscode.l10n.t('{0} is overdue for an answer from {1}: {2}', nameOf(request.origin), target, subject)
      : vscode.l10n.t('{0} is overdue with {1}: {2}', target, request.id, subject);
  return kind === 'response'
    ? vscode.l10n.t('{0} has not answered in time: {1}', target, subject)
    : vscode.l10n.t('{0} has not finished in time: {1}', target, subject);
}
