/**
 * One notification for each new sync or critical question, and for each RFC revision that waits for a review; once
 * each, in one window, and few at a time per agent. Its buttons open the form or postpone it; neither decides.
 */
import * as vscode from 'vscode';
import { cascade } from '../../core/hold/holds.ts';
import { isForHumanNow } from '../../core/rfc/review.ts';
import { isHoldingRfc, isRfcWaiting, latestRevision, questionState, unansweredQuestions } from '../../core/rfc/rfc.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import { isWaiting } from '../../core/state/state.ts';
import type { Question, State } from '../../core/state/state.ts';
import { shownLine } from '../../core/kit/text.ts';
import { crowding } from '../kit/crowding.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { information } from '../kit/messages.ts';
import { telling, wanted } from '../kit/telling.ts';

const knownName = 'holdpoint.notified';
const reviewsName = 'holdpoint.notifiedReviews';
/** Maximum number of remembered reviews; the oldest are forgotten first. */
const reviewsAtMost = 200;
const snoozeMs = 10 * 60_000;

export function registerNotifications(context: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  const { news, after } = all.add(telling(context));
  /** Number of the last question seen per workspace; persisted, so that a reload does not repeat notifications. */
  const seen = new Map(Object.entries(context.workspaceState.get<Record<string, number>>(knownName, {})));
  const crowd = crowding();

  function look(): void {
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace) continue;
      const { id } = state.workspace;
      for (const rfc of state.rfcs.values()) if (isForHumanNow(state, rfc)) review(folder, id, rfc);
      const last = seen.get(id) ?? 0;
      if (state.questions.size <= last) continue;
      for (const question of [...state.questions.values()].slice(last)) {
        if (isWanted(state, question)) news([{ claim: `${id}-${question.id}`, tell: () => tell(folder, question.id) }]);
      }
      seen.set(id, state.questions.size);
      void context.workspaceState.update(knownName, Object.fromEntries(seen));
    }
  }

  /** Notifies of a revision that waits for a human. */
  function review(folder: OpenFolder, workspace: string, rfc: Rfc): void {
    const claim = `${workspace}-${rfc.id}-${String(latestRevision(rfc).number)}`;
    const told = context.workspaceState.get<readonly string[]>(reviewsName, []);
    if (told.includes(claim)) return;
    void context.workspaceState.update(reviewsName, [...told, claim].slice(-reviewsAtMost));
    if (wanted() === 'all') news([{ claim, tell: () => tellReview(folder, rfc.id) }]);
  }

  async function tellReview(folder: OpenFolder, id: string): Promise<void> {
    const { state } = folder.workspace.standing();
    const rfc = state?.rfcs.get(id);
    if (!state || !rfc || !isRfcWaiting(rfc)) return;
    const open = vscode.l10n.t('Review');
    const later = vscode.l10n.t('Later');
    const picked = await unlessCrowded(rfc.asker.id, () => information(reviewWords(state, rfc), open, later));
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openRfc, folders.keyOf(folder, id));
    if (picked === later) after(snoozeMs, () => void tellReview(folder, id));
  }

  async function tell(folder: OpenFolder, id: string): Promise<void> {
    const { state } = folder.workspace.standing();
    const question = state?.questions.get(id);
    if (!state || !question || !isWaiting(question)) return;
    const answer = vscode.l10n.t('Answer');
    const later = vscode.l10n.t('Later');
    const picked = await unlessCrowded(question.asker.id, () => information(words(state, question), answer, later));
    if (picked === answer) await vscode.commands.executeCommand(ids.commands.openForm, folders.keyOf(folder, id));
    if (picked === later) after(snoozeMs, () => void tell(folder, id));
  }

  /** Undefined if the agent already has enough notifications on the screen; one then stands for all others. */
  async function unlessCrowded(agent: string, show: () => Thenable<string | undefined>): Promise<string | undefined> {
    const kind = crowd.next(agent);
    if (kind === 'silent') return undefined;
    if (kind === 'single')
      return Promise.resolve(show()).finally(() => {
        crowd.closed(agent, kind);
      });
    const list = vscode.l10n.t('Show');
    const picked = await Promise.resolve(information(vscode.l10n.t('{0} has more questions.', agent), list)).finally(
      () => {
        crowd.closed(agent, kind);
      },
    );
    if (picked === list) await vscode.commands.executeCommand(ids.commands.focus);
    return undefined;
  }

  all.add(folders.onDidChange(look));
  return all;
}

function isWanted(state: State, question: Question): boolean {
  const told = wanted();
  if (!isWaiting(question) || told === 'off') return false;
  const asked = question.mode === 'sync' || isMarkedByAuthor(state, question);
  return question.urgency === 'critical' || (asked && told === 'all');
}

/** An open question of an RFC that its author leaves to a human. Those a reviewer leaves come with its review. */
function isMarkedByAuthor({ rfcs }: State, { raised }: Question): boolean {
  return raised.rfc !== undefined && rfcs.get(raised.rfc.id)?.review.stage === null;
}

function reviewWords(state: State, rfc: Rfc): string {
  const { direct, dependants } = isHoldingRfc(rfc) ? cascade(state, rfc) : { direct: [], dependants: [] };
  const asks = vscode.l10n.t('{0} requests a review: {1}', rfc.asker.id, shownLine(rfc.title));
  return [withHeld(asks, direct.length + dependants.length), ...reviewedWords(state, rfc)].join(' ');
}

/** What a language model left open, where it has reviewed this revision. */
function reviewedWords(state: State, rfc: Rfc): string[] {
  if (rfc.review.stage !== 'awaiting_human') return [];
  const states = rfc.questions.map((question) => questionState(state, question));
  const left = states.filter((one) => one === 'human_required').length + unansweredQuestions(state, rfc).length;
  const answered = states.filter((one) => one === 'ai_answered').length;
  return [vscode.l10n.t('A language model answered {0} of its open questions; {1} are left for you.', answered, left)];
}

function words(state: State, question: Question): string {
  const { direct, dependants } = cascade(state, question);
  const held = direct.length + dependants.length;
  const subject = shownLine(question.raised.text);
  const stopped =
    question.mode === 'sync'
      ? vscode.l10n.t('{0} stopped: {1}', question.asker.id, subject)
      : vscode.l10n.t('{0} asks: {1}', question.asker.id, subject);
  return question.mode === 'async' ? stopped : withHeld(stopped, held);
}

function withHeld(text: string, held: number): string {
  if (held === 0) return text;
  return held === 1 ? vscode.l10n.t('{0} Blocks 1 item.', text) : vscode.l10n.t('{0} Blocks {1} items.', text, held);
}
