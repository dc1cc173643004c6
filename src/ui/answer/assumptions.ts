/** The form that confirms the assumptions of several questions, on the host's side. */
import type { FormLink, Outcome } from '../kit/view.ts';
import * as l10n from '@vscode/l10n';
import { confirmAssumptions, confirmedAtMost, shownAssumptions } from '../../app/decision/batch.ts';
import type { Signing } from '../../app/decision/decisions.ts';
import { questionView, type QuestionView } from '../../app/question/views.ts';
import { isConfirmable, isTickedAtFirst } from '../../core/question/shape.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { DecisionOf } from './messages.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { unconfirmedOutcome } from '../surface/signedActs.ts';
import { signTicked } from './together.ts';
import { formHead, formKey, workspaceForm, type FormOptions } from '../surface/workspaceForms.ts';
import { confirmableCount } from '../kit/order.ts';

/** The answer does not repeat a longer assumption. */
const repeatedAtMost = 200;

/** The answer that confirms an assumption, in words: it is not one of the agent's choices. */
export function assumedAnswer(assumption: string): string {
  const text = assumption.trim();
  const isShort = text.length <= repeatedAtMost && !text.includes('\n');
  return isShort ? l10n.t('Yes: {0}', text) : l10n.t('Yes, as you assumed');
}

export type AssumptionsView = NonNullable<ReturnType<typeof assumptionsModel>>;
export type Assumed = AssumptionsView['questions'][number];

/** Null if there are none. */
export function assumptionsModel(options: FormOptions & { readonly agent: string | undefined }) {
  const { folders, folder, view, agent } = options;
  const { questions: all, shown } = shownAssumptions(view.state, agent);
  const questions = all.slice(0, confirmedAtMost).flatMap(({ id, shown }) => {
    const question = questionView(view, id);
    if (!question) return [];
    return [{ ...assumedOf(folders, folder, question), shown, ticked: isTickedAtFirst(view.state, question) }];
  });
  const [first] = questions;
  if (!first) return null;
  return {
    ...formHead(options, 'assumptions', { shown, about: agent }),
    ...(agent === undefined ? {} : { agent: first.agent }),
    questions,
    more: all.length - questions.length,
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

/** Signs the ticked answers. The form stays while it has more. */
export async function carryOutAssumptions(
  signing: Signing,
  message: DecisionOf<'confirmAssumptions'>,
  shown: readonly Assumed[],
  id: string,
): Promise<Outcome> {
  const { act, ticked, confirmed } = message;
  const isCritical = shown.some(({ id, urgency }) => urgency === 'critical' && ticked.includes(id));
  if (isCritical && !confirmed) return unconfirmedOutcome(act);
  const outcome = await signTicked(message, shown, (picked) => confirmAssumptions(signing, picked));
  if (outcome.type === 'refused') return outcome;
  const about = workspaceForm(id)?.about ?? '';
  const isLeft = shownAssumptions(signing.store.read().state, about === '' ? undefined : about).questions.length > 0;
  const text = l10n.t('Confirmed: {0}.', ticked.join(', '));
  return { ...outcome, text, decided: isLeft ? undefined : outcome.decided };
}
