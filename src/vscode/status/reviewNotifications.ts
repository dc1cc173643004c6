/** Notifications of each revision of an RFC that waits for a review, by the policy on interruptions. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cascade, reachesNothing } from '../../core/hold/cascade.ts';
import { shownLine } from '../../core/kit/text.ts';
import { isForHumanNow } from '../../core/rfc/review.ts';
import { isHoldingRfc, isRfcWaiting, latestRevision, questionState, unansweredQuestions } from '../../core/rfc/rfc.ts';
import type { Interruption } from '../../core/kit/words.ts';
import { reviewInterruption } from '../../core/state/interruptions.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import type { State } from '../../core/state/state.ts';
import type { Claims } from './claims.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { information } from '../kit/messages.ts';
import { snoozeMs, wanted } from './telling.ts';
import type { News, Telling } from './telling.ts';
import { showMore, shownAsker, withHeld } from './noticeWords.ts';
import type { onScreen } from './onScreen.ts';
import type { Outgoing } from './outbox.ts';

const reviewsName = 'holdpoint.notifiedReviews';
/** Maximum number of remembered reviews; the oldest are forgotten first. */
const reviewsAtMost = 200;

export interface ReviewNotificationsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly telling: Telling;
  readonly claims: Claims;
  readonly show: ReturnType<typeof onScreen>;
}

export interface ReviewNotifications {
  /** Those that this window has not returned before. */
  due(folder: OpenFolder, state: State): readonly Outgoing[];
}

export function reviewNotifications({
  context,
  folders,
  telling,
  claims,
  show,
}: ReviewNotificationsOptions): ReviewNotifications {
  const { news, after } = telling;

  const returned = new Set<string>();

  function review(folder: OpenFolder, state: State, rfc: Rfc): Outgoing[] {
    const { number, at } = latestRevision(rfc);
    const claim = `${state.workspace?.id ?? ''}-${rfc.id}-${String(number)}`;
    const notified = context.workspaceState.get<readonly string[]>(reviewsName, []);
    if (notified.includes(claim)) return [];
    if (wanted() !== 'all' || claims.isTaken(claim)) {
      void context.workspaceState.update(reviewsName, [...notified, claim].slice(-reviewsAtMost));
      return [];
    }
    if (returned.has(claim)) return [];
    returned.add(claim);
    return [{ ...newsOf(folder, rfc.id), claim, at, howNow: () => howNow(folder, rfc.id) }];
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
    const open = l10n.t('Review');
    const later = l10n.t('Later');
    const picked = await show({
      agent: rfc.asker.id,
      item: folders.keyOf(folder, id),
      show: () => information(reviewWords(state, shownAsker(rfc, folder)), open, later),
      showMore: () => showMore(shownAsker(rfc, folder).asker.id),
    });
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openRfc, folders.keyOf(folder, id));
    if (picked === later)
      after(snoozeMs, () => {
        news([newsOf(folder, id)]);
      });
  }

  return {
    due: (folder, state) =>
      [...state.rfcs.values()].flatMap((rfc) => (isForHumanNow(state, rfc) ? review(folder, state, rfc) : [])),
  };
}

function howNow({ workspace }: OpenFolder, id: string): Interruption {
  const { state } = workspace.standing();
  const rfc = state?.rfcs.get(id);
  return state && rfc ? reviewInterruption(state, rfc) : 'silent';
}

function reviewWords(state: State, rfc: Rfc): string {
  const { open } = isHoldingRfc(rfc) ? cascade(state, rfc) : reachesNothing;
  const asks = l10n.t('{0} requests a review: {1}', rfc.asker.id, shownLine(rfc.title));
  return [withHeld(asks, open.length), ...reviewedWords(state, rfc)].join(' ');
}

/** The questions that a language model left open, if it has reviewed this revision. */
function reviewedWords(state: State, rfc: Rfc): string[] {
  if (rfc.review.stage !== 'awaiting_human') return [];
  const states = rfc.questions.map((question) => questionState(state, question));
  const left = states.filter((one) => one === 'human_required').length + unansweredQuestions(state, rfc).length;
  const answered = states.filter((one) => one === 'ai_answered').length;
  return [l10n.t('A language model answered {0} of its open questions and left {1} for you.', answered, left)];
}
