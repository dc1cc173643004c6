/** Forms about several questions, on the host's side: one answer to all of the same shape, and yes to assumptions. */
import type { FormLink, Outcome } from '../kit/view.ts';
import * as l10n from '@vscode/l10n';
import type { Signing } from '../../app/decision/decisions.ts';
import {
  answerTogether,
  confirmAssumptions,
  confirmedAtMost,
  shownAssumptions,
  shownTogether,
  type BatchOutcome,
} from '../../app/decision/batch.ts';
import { questionView, type QuestionView } from '../../app/question/views.ts';
import { isConfirmable, isTickedAtFirst, type SameShape } from '../../core/question/shape.ts';
import type { Choice as RecordedChoice } from '../../core/records/records.ts';
import { answeredTogetherAtMost } from '../../core/records/question.ts';
import { defaultEffect, effectProblem } from '../../core/state/answerEffect.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { DecisionOf } from './messages.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { fileRef } from '../kit/workspaceFiles.ts';
import { heldFiles } from '../surface/heldFiles.ts';
import { inBrowser } from '../surface/standing.ts';
import { outdatedOutcome, refusedOutcome, unconfirmedOutcome } from '../surface/signedActs.ts';
import { formHead, formKey, workspaceForm, type FormOptions } from '../surface/workspaceForms.ts';
import { confirmableCount, sameShapesIn } from '../tree/alikeRows.ts';
import type { AnswerEffect } from '../../core/kit/words.ts';

/** One way to answer. The label is the value that is returned and signed. */
export interface Choice {
  label: string;
  description?: string | undefined;
  recommended: boolean;
  /** The preselected effect, if it is not `proceed`. */
  effect?: AnswerEffect | undefined;
  /** Cannot have the effect `proceed` (the No of an approval). */
  refuses?: boolean | undefined;
}

const namedAtMost = 50;

interface Place {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly state: State;
  readonly id: string;
}

/** The link from a question's form to the form of all of its shape, if there are others. */
export function togetherLink({ folders, folder, state, id }: Place): { together?: FormLink } {
  const group = sameShapesIn(folder.workspace, state).get(id);
  return group
    ? { together: { key: formKey(folders, folder, 'together', id), count: group.questions.length - 1 } }
    : {};
}

export type TogetherView = NonNullable<ReturnType<typeof togetherModel>>;
export type Alike = TogetherView['questions'][number];

/** Null once no other open question has the shape of this one. */
export function togetherModel(options: FormOptions & { readonly id: string }) {
  const { folder, view, standing, locked, id } = options;
  const group = sameShapesIn(folder.workspace, view.state).get(id);
  if (!group) return null;
  const { questions: listed, shown } = shownTogether(view.state, group);
  const questions = listed.slice(0, answeredTogetherAtMost).flatMap((one) => {
    const question = questionView(view, one.id);
    return question ? [{ ...alikeOf(options, question, group), shown: one.shown }] : [];
  });
  const first = questionView(view, listed[0]?.id ?? '');
  const stored = view.state.questions.get(first?.id ?? '');
  if (!first || !stored) return null;
  return {
    ...formHead(options, 'together', { shown, about: id }),
    ...{ urgency: first.urgency, kind: first.type },
    ...(first.for === null ? {} : { for: first.for }),
    choices: first.choices.map((choice) => choiceModel(first, choice)),
    ...{ multiple: first.multiple, freeText: first.type === 'approval' || first.free_text },
    questions,
    more: listed.length - questions.length,
    ...(locked === undefined ? inBrowser(view.state, stored, standing) : {}),
  };
}

/** All that is signed of one question, besides what all of them share. */
function alikeOf({ folders, folder, view, standing }: FormOptions, question: QuestionView, { parts }: SameShape) {
  const { id, background, impact, if_delayed: ifDelayed, agent_name: agent, raised_at: raisedAt } = question;
  const stored = view.state.questions.get(id);
  return {
    key: folders.keyOf(folder, id),
    ...{ id, agent, raisedAt },
    text: [...(parts.get(id) ?? [])],
    ...(background === null ? {} : { background }),
    ...(impact === null ? {} : { impact }),
    ...(ifDelayed === null ? {} : { ifDelayed }),
    blocks: {
      work: [...question.blocks],
      cascade: { count: question.cascade.length, named: question.cascade.slice(0, namedAtMost) },
      files: stored && question.holding ? heldFiles(view, stored, standing).files : [],
    },
    files: question.files.map((file) => fileRef(folder.workspace, file)),
  };
}

/** A choice with its initial meaning, and whether it can permit what was asked. */
export function choiceModel(
  { type, choices }: Pick<QuestionView, 'type' | 'choices'>,
  { label, description, recommended }: RecordedChoice,
): Choice {
  const effect = defaultEffect({ type, choices: [...choices] }, [label]);
  return {
    label,
    ...(description === undefined ? {} : { description }),
    recommended,
    ...(effect === null || effect === 'proceed' ? {} : { effect }),
    ...(effectProblem({ type }, { choices: [label], effect: 'proceed' }) === null ? {} : { refuses: true }),
  };
}

/** Signs the ticked questions exactly as the form showed them. */
export async function signTicked<One extends { readonly id: string }>(
  { act, ticked }: { readonly act: string; readonly ticked: readonly string[] },
  seen: readonly One[],
  sign: (picked: readonly One[]) => Promise<BatchOutcome>,
): Promise<Outcome> {
  const picked = seen.filter(({ id }) => ticked.includes(id));
  if (picked.length === 0 || picked.length !== ticked.length) return outdatedOutcome(act);
  const outcome = await sign(picked);
  if (outcome.outcome === 'answered')
    return { type: 'done', act, text: l10n.t('Answered: {0}.', ticked.join(', ')), decided: ticked };
  const words = l10n.t('Nothing was signed. Changed or answered in the meantime: {0}.', outcome.ids.join(', '));
  return refusedOutcome(act, 'changed', `${words} ${l10n.t('Check the list, then answer again.')}`);
}

/** Signs one answer to the ticked questions. */
export function carryOutTogether(
  signing: Signing,
  message: DecisionOf<'answerTogether'>,
  seen: readonly Alike[],
): Promise<Outcome> {
  const { choices, text } = message;
  return signTicked(message, seen, (picked) =>
    answerTogether(
      signing,
      picked.map(({ id, shown }) => ({ id, shown })),
      { choices, ...(text === '' ? {} : { text }) },
    ),
  );
}

// The form that confirms the assumptions of several questions.

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

export function allAssumptions({
  folders,
  folder,
  state,
  stored,
}: Omit<Place, 'id'> & { readonly stored: Question | undefined }): { assumptions?: FormLink } {
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
