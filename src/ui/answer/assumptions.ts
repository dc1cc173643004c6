/** The form that confirms the assumptions of several questions, on the host's side. */
import type { FormLink, Outcome, FormView, Time, Token } from '../kit/view.ts';
import * as l10n from '@vscode/l10n';
import { confirmAssumptions, confirmedAtMost, shownAssumptions } from '../../app/decision/batch.ts';
import type { Signing } from '../../app/decision/decisions.ts';
import { questionView, type QuestionView } from '../../app/question/views.ts';
import { isConfirmable, isTickedAtFirst } from '../../core/question/assumptions.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { ConfirmAssumptionsMessage } from './messages.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { refused, unconfirmed } from '../surface/signedActs.ts';
import { formKey, folderName, signerOf, workspaceForm, type FormOptions } from '../surface/workspaceForms.ts';
import { confirmableCount } from '../kit/order.ts';
import type { Selection } from './selection.ts';
import type { Urgency } from '../../core/kit/words.ts';

/** One question that its agent continues with, on an assumption. */
export interface Assumed {
  /** Opens its own form. */
  key: Token;
  id: string;
  /** Hash of the displayed question. */
  shown: Token;
  agent: string;
  urgency: Urgency;
  raisedAt: Time;
  /** Markdown. */
  text: string;
  /** The whole assumption, as the agent wrote it. */
  assumption: string;
  answer: string;
  /** Ticked until the human changes it. */
  ticked: boolean;
}

export interface AssumptionsView extends FormView {
  type: 'assumptions';
  agent?: string | undefined;
  questions: readonly Assumed[];
  /** Number of further ones, which follow once these are confirmed. */
  more: number;
}

/** The answer does not repeat a longer assumption. */
const repeatedAtMost = 200;

/** The answer that confirms an assumption, in words: it is not one of the agent's choices. */
export function assumedAnswer(assumption: string): string {
  const text = assumption.trim();
  const isShort = text.length <= repeatedAtMost && !text.includes('\n');
  return isShort ? l10n.t('Yes: {0}', text) : l10n.t('Yes, as you assumed');
}

/** Null if there are none. */
export function assumptionsModel(
  options: FormOptions & { readonly agent: string | undefined },
): AssumptionsView | null {
  const { folders, folder, view, standing, render, locked, agent } = options;
  const { questions: all, shown } = shownAssumptions(view.state, agent);
  const questions = all.slice(0, confirmedAtMost).flatMap(({ id, shown }) => {
    const question = questionView(view, id);
    if (!question) return [];
    return [{ ...assumedOf(folders, folder, question), shown, ticked: isTickedAtFirst(view.state, question) }];
  });
  const [first] = questions;
  if (!first) return null;
  return {
    type: 'assumptions',
    key: formKey(folders, folder, 'assumptions', agent),
    ...{ shown, render },
    ...folderName(folders, folder),
    ...(agent === undefined ? {} : { agent: first.agent }),
    questions,
    more: all.length - questions.length,
    answersAs: signerOf(standing),
    ...(locked === undefined ? {} : { locked }),
  };
}

function assumedOf(folders: Folders, folder: OpenFolder, question: QuestionView) {
  const { id, urgency, text, assumption, agent_name: agent, raised_at: raisedAt } = question;
  return {
    key: folders.keyOf(folder, id),
    ...{ id, agent, urgency, raisedAt, text },
    assumption: assumption ?? '',
    answer: assumedAnswer(assumption ?? ''),
  };
}

interface Place {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly state: State;
  readonly stored: Question | undefined;
}

export function allAssumptions({ folders, folder, state, stored }: Place): { assumptions?: FormLink } {
  if (!stored || !isConfirmable(stored)) return {};
  const count = confirmableCount(folder.workspace, state);
  return count > 1 ? { assumptions: { key: formKey(folders, folder, 'assumptions'), count } } : {};
}

/** Signs the ticked answers exactly as the form showed them. */
export async function carryOutAssumptions(
  signing: Signing,
  { act, ticked, confirmed }: ConfirmAssumptionsMessage,
  shown: readonly Assumed[],
): Promise<Outcome> {
  const picked = shown.filter(({ id }) => ticked.includes(id));
  if (picked.length === 0 || picked.length !== ticked.length)
    return refused(act, 'changed', l10n.t('This form was updated. Check it and try again.'));
  if (picked.some(({ urgency }) => urgency === 'critical') && !confirmed) return unconfirmed(act);
  const outcome = await confirmAssumptions(signing, picked);
  if (outcome.outcome === 'changed') return refused(act, 'changed', changedWords(outcome.ids));
  return { type: 'done', act, text: l10n.t('Confirmed: {0}.', ticked.join(', ')) };
}

function changedWords(ids: readonly string[]): string {
  const words = l10n.t('Nothing was signed. Changed or answered in the meantime: {0}.', ids.join(', '));
  return `${words} ${l10n.t('Check the list, then confirm again.')}`;
}

/** Stays on the form while it has assumptions; otherwise shows the result of a confirmed one. */
export function leaveAssumptions(
  folders: Folders,
  selection: Selection,
  { key, ticked }: ConfirmAssumptionsMessage,
): void {
  const found = folders.find(key);
  const form = workspaceForm(found?.id ?? '');
  const { state } = found?.folder.workspace.standing() ?? { state: null };
  if (!found || !state || form?.kind !== 'assumptions') return;
  if (confirmableCount(found.folder.workspace, state, form.about || undefined) > 0) return;
  selection.leaveDecided(ticked.map((id) => folders.keyOf(found.folder, id)));
}
