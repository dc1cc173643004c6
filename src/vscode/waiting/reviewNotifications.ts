/** Notifications of each revision of an RFC that waits for a review. */
import * as vscode from 'vscode';
import { cascade } from '../../core/hold/holds.ts';
import { shownLine } from '../../core/kit/text.ts';
import { isForHumanNow } from '../../core/rfc/review.ts';
import { isHoldingRfc, isRfcWaiting, latestRevision, questionState, unansweredQuestions } from '../../core/rfc/rfc.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import type { State } from '../../core/state/state.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { information } from '../kit/messages.ts';
import { snoozeMs, wanted } from '../kit/telling.ts';
import type { News, Telling } from '../kit/telling.ts';
import { showMore, withHeld } from './noticeWords.ts';
import type { onScreen } from './onScreen.ts';

const reviewsName = 'holdpoint.notifiedReviews';
/** Maximum number of remembered reviews; the oldest are forgotten first. */
const reviewsAtMost = 200;

export interface ReviewNotificationsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly telling: Telling;
  readonly show: ReturnType<typeof onScreen>;
}

export interface ReviewNotifications {
  look(folder: OpenFolder, state: State): void;
}

export function reviewNotifications({
  context,
  folders,
  telling,
  show,
}: ReviewNotificationsOptions): ReviewNotifications {
  const { news, after } = telling;

  function review(folder: OpenFolder, workspace: string, rfc: Rfc): void {
    const claim = `${workspace}-${rfc.id}-${String(latestRevision(rfc).number)}`;
    const notified = context.workspaceState.get<readonly string[]>(reviewsName, []);
    if (notified.includes(claim)) return;
    void context.workspaceState.update(reviewsName, [...notified, claim].slice(-reviewsAtMost));
    if (wanted() === 'all') news([{ ...newsOf(folder, rfc.id), claim }]);
  }

  function newsOf(folder: OpenFolder, id: string): News {
    const isCurrent = () => {
      const rfc = folder.workspace.standing().state?.rfcs.get(id);
      return rfc !== undefined && isRfcWaiting(rfc);
    };
    const key = folders.keyOf(folder, id);
    return { kind: 'rfc', key, critical: false, claim: null, isCurrent, tell: () => tell(folder, id) };
  }

  async function tell(folder: OpenFolder, id: string): Promise<void> {
    const { state } = folder.workspace.standing();
    const rfc = state?.rfcs.get(id);
    if (!state || !rfc || !isRfcWaiting(rfc)) return;
    const open = vscode.l10n.t('Review');
    const later = vscode.l10n.t('Later');
    const picked = await show({
      agent: rfc.asker.id,
      item: folders.keyOf(folder, id),
      show: () => information(reviewWords(state, rfc), open, later),
      showMore: () => showMore(rfc.asker.id),
    });
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openRfc, folders.keyOf(folder, id));
    if (picked === later)
      after(snoozeMs, () => {
        news([newsOf(folder, id)]);
      });
  }

  return {
    look(folder, state) {
      const workspace = state.workspace?.id ?? '';
      for (const rfc of state.rfcs.values()) if (isForHumanNow(state, rfc)) review(folder, workspace, rfc);
    },
  };
}

function reviewWords(state: State, rfc: Rfc): string {
  const { direct, dependants } = isHoldingRfc(rfc) ? cascade(state, rfc) : { direct: [], dependants: [] };
  const asks = vscode.l10n.t('{0} requests a review: {1}', rfc.asker.id, shownLine(rfc.title));
  return [withHeld(asks, direct.length + dependants.length), ...reviewedWords(state, rfc)].join(' ');
}

/** The questions that a language model left open, if it has reviewed this revision. */
function reviewedWords(state: State, rfc: Rfc): string[] {
  if (rfc.review.stage !== 'awaiting_human') return [];
  const states = rfc.questions.map((question) => questionState(state, question));
  const left = states.filter((one) => one === 'human_required').length + unansweredQuestions(state, rfc).length;
  const answered = states.filter((one) => one === 'ai_answered').length;
  return [vscode.l10n.t('A language model answered {0} of its open questions and left {1} for you.', answered, left)];
}
