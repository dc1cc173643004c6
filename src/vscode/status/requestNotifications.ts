/**
 * One notification for each new request to a human, and for each missed deadline of a request to or from one; in one
 * window only. Its buttons open the request or put it off, and decide nothing.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { requestDetails } from '../../app/request/views.ts';
import { isHumansTurn, slaDue } from '../../core/request/request.ts';
import { humanNoticeOf } from '../../core/request/humanNotice.ts';
import type { HumanNotice } from '../../core/request/humanNotice.ts';
import type { OpenRequest } from '../../core/state/request.ts';
import type { State } from '../../core/state/state.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { Interruption } from '../../core/kit/words.ts';
import { requestInterruption } from '../../core/state/interruptions.ts';
import type { Claims } from './claims.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { information, warning } from '../kit/messages.ts';
import { snoozeMs, wanted } from './telling.ts';
import type { News, Telling } from './telling.ts';

const notifiedName = 'holdpoint.notifiedBreaches';
/** Maximum number of remembered notifications; the oldest are forgotten first. */
const notifiedAtMost = 2_000;

export interface RequestNotificationsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly telling: Telling;
  readonly claims: Claims;
}

/** A notification, when it became due (ISO 8601), and how it interrupts by the policy as it is now. */
interface Due extends News {
  readonly claim: string;
  readonly at: string;
  readonly howNow: () => Interruption;
}

export interface RequestNotifications {
  /** Those that this window has not returned before. */
  due(folder: OpenFolder, state: State): readonly Due[];
}

export function requestNotifications({
  context,
  folders,
  telling,
  claims,
}: RequestNotificationsOptions): RequestNotifications {
  const returned = new Set<string>();
  let notified = new Set(context.workspaceState.get<readonly string[]>(notifiedName, []));

  function due(folder: OpenFolder, state: State): Due[] {
    const ended: string[] = [];
    const fresh = [...state.requests.values()].flatMap((request): Due[] => {
      const notice = humanNoticeOf(state, request);
      const claim = `${state.workspace?.id ?? ''}-${notice?.name ?? ''}`;
      if (notice === null || notified.has(claim)) return [];
      if (wanted() !== 'all' || claims.isTaken(claim)) ended.push(claim);
      else if (!returned.has(claim)) {
        returned.add(claim);
        const at = (notice.kind === 'new' ? undefined : slaDue(request)?.at) ?? request.availableAt;
        return [{ ...newsOf(folder, request.id, notice), claim, at, howNow: () => howNow(folder, request.id, notice) }];
      }
      return [];
    });
    if (ended.length > 0) {
      notified = new Set([...notified, ...ended].slice(-notifiedAtMost));
      void context.workspaceState.update(notifiedName, [...notified]);
    }
    return fresh;
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
    const open = l10n.t('Open');
    const later = l10n.t('Later');
    const words = wordsOf(view.state, request, notice.kind, subject);
    const isNew = notice.kind === 'new';
    const picked = await (isNew ? information(words, open, later) : warning(words, open));
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openForm, folders.keyOf(folder, id));
    if (picked === later)
      telling.after(snoozeMs, () => {
        telling.news([newsOf(folder, id, notice)]);
      });
  }

  return { due };
}

function howNow({ workspace }: OpenFolder, id: string, { kind }: HumanNotice): Interruption {
  const { state } = workspace.standing();
  const request = state?.requests.get(id);
  return state && request ? requestInterruption(state, request, kind !== 'new') : 'silent';
}

function wordsOf(state: State, request: OpenRequest, kind: HumanNotice['kind'], subject: string): string {
  const nameOf = (id: string) => state.responsibilities.get(id)?.name ?? id;
  const target = nameOf(request.target);
  if (kind === 'new') return l10n.t('{0} has a request for {1}: {2}', nameOf(request.origin), target, subject);
  if (isHumansTurn(state, request))
    return kind === 'response'
      ? l10n.t('{0} is overdue for an answer from {1}: {2}', nameOf(request.origin), target, subject)
      : l10n.t('{0} is overdue with {1}: {2}', target, request.id, subject);
  return kind === 'response'
    ? l10n.t('{0} has not answered in time: {1}', target, subject)
    : l10n.t('{0} has not finished in time: {1}', target, subject);
}
