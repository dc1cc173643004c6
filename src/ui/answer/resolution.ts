/** How a question was decided, for its form. */
import { shownAgent } from '../../core/kit/persons.ts';
import { type QuestionView as AppQuestion, askBackViews } from '../../app/question/views.ts';
import { isReusable } from '../../core/question/question.ts';
import type { Question } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { passkeyOf, type SignerStanding } from '../surface/standing.ts';
import type { History, ViewOf } from '../kit/view.ts';
import { optionalField } from '../surface/workspaceForms.ts';
import * as l10n from '@vscode/l10n';
import { wideningHistory } from '../surface/heldFiles.ts';
import { recordsOf } from '../../store/rows/read.ts';

// Answers that were reused without asking a human, for review and revocation.

/** A question that was answered with an earlier answer. */
interface Reuse {
  readonly agent_id: string;
  readonly reused_at: string;
}

/** Who received the answer again, latest first: part of a question's history. */
export function reusesOf(view: View, id: string): Reuse[] {
  return recordsOf(view.rows, id, 'answer.reused')
    .map(({ record, time }) => ({ agent_id: record.agent, reused_at: time }))
    .reverse();
}

/** The status of the question. All but `pending` are final. */
export type Resolution = ViewOf<ReturnType<typeof resolutionModel>>;
export type Answered = Extract<Resolution, { type: 'answered' }>;

const namedAtMost = 50;

interface ResolutionOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly view: View;
  readonly question: AppQuestion;
  readonly standing: SignerStanding;
  readonly stored: Question | undefined;
}

export function resolutionModel({ folders, folder, view, question, stored, standing }: ResolutionOptions) {
  const { answered_by: name, answered_at: at } = question;
  if (question.resolution === null || name === null || at === null) {
    if (question.status !== 'expired') return { type: 'pending' as const };
    const { mode, work } = question;
    const failed = mode === 'sync' && work?.kind === 'task' ? [{ id: work.id, title: work.title }] : [];
    // Expiry releases nothing: held until a human releases it, which the form offers in the meantime.
    return {
      ...{ type: 'expired' as const, at: question.expires_at ?? question.raised_at },
      ...{ failed, held: question.holding },
    };
  }
  const decision = {
    by: { name, you: isSignedByReader(stored?.resolution ?? null, standing) },
    at,
    // The passkey that signed it, as its human calls it.
    ...optionalField('passkey', passkeyOf(view.state, folder.workspace, stored?.resolution).passkey),
    ...optionalField('delivery', deliveryOf(question, view.own)),
  };
  switch (question.resolution) {
    case 'answered':
      return {
        type: 'answered' as const,
        choices: [...(question.answer?.choices ?? [])],
        text: question.answer?.text ?? '',
        ...decision,
        ...givenAnswer(view, question, standing),
        effect: question.effect ?? 'proceed',
        // The other questions that the same act answered.
        ...optionalField(
          'with',
          stored?.resolution?.with?.map((id) => ({ key: folders.keyOf(folder, id), id })),
        ),
        // Questions without a work item are never answered by reuse.
        revocable: stored !== undefined && question.work !== null && isReusable(stored),
      };
    case 'withdrawn':
    case 'cancelled':
      return { type: 'cancelled' as const, reason: question.note ?? '', ...decision };
    case 'released':
      return { type: 'released' as const, note: question.note ?? '', ...decision };
  }
}

/** Whether the agent has the decision: it has acknowledged it, not just been offered it. */
function deliveryOf({ recipient, acknowledged_at: at }: AppQuestion, own: string | null) {
  const agent = shownAgent(recipient, own);
  return at === null ? { type: 'waiting' as const, agent } : { type: 'received' as const, agent, at };
}

/** With this key, or with a passkey of the same person: the key ring has both under one name. */
function isSignedByReader(signed: Question['resolution'], standing: SignerStanding): boolean {
  if (standing.kind !== 'enrolled' || signed === null) return false;
  return standing.keyid === signed.keyid || (signed.passkey === true && standing.name === signed.by);
}

/** Who received the answer again, the latest first, and whether a human has excluded it from reuse or lifted it. */
function givenAnswer(view: View, question: AppQuestion, standing: SignerStanding) {
  const { revoked, lifted, reuse_count: count } = question;
  const later = (act: typeof revoked) =>
    act && {
      ...{ at: act.at, reason: act.reason },
      by: { name: act.by, you: standing.kind === 'enrolled' && standing.name === act.by },
    };
  const named = reusesOf(view, question.id)
    .slice(0, namedAtMost)
    .map(({ agent_id, reused_at }) => ({ agent: shownAgent(agent_id, view.own), at: reused_at }));
  return {
    ...optionalField('again', count === 0 ? null : { count, named }),
    ...optionalField('revoked', later(revoked)),
    ...optionalField('lifted', later(lifted)),
  };
}

// The history of a question, for its form.

export function questionHistory(view: View, question: AppQuestion): History {
  const recipient = shownAgent(question.recipient, view.own);
  const steps: [string | null, string][] = [
    [question.raised_at, l10n.t('{0} asked', question.agent_name)],
    [question.status === 'expired' ? question.expires_at : null, l10n.t('Expired without an answer')],
    [question.answered_at, decisionText(question)],
    [question.offered_at, l10n.t('Delivered to {0}', recipient)],
    [question.acknowledged_at, l10n.t('{0} continued', recipient)],
    ...reusesOf(view, question.id)
      .slice(0, namedAtMost)
      .map(({ agent_id, reused_at }): [string, string] => [
        reused_at,
        l10n.t('{0} asked the same question and got this answer', shownAgent(agent_id, view.own)),
      ]),
    [question.lifted?.at ?? null, l10n.t('{0} lifted the refusal', question.lifted?.by ?? '')],
    [question.revoked?.at ?? null, l10n.t('{0} stopped the reuse of the answer', question.revoked?.by ?? '')],
  ];
  return [
    ...steps.flatMap(([at, text]) => (at === null ? [] : [{ at, text }])),
    ...wideningHistory(view, question.id),
    ...threadHistory(view, question.id),
  ].sort((a, b) => a.at.localeCompare(b.at));
}

function decisionText({ resolution, effect, answered_by: by }: AppQuestion): string {
  if (effect === 'do_not') return l10n.t('{0} refused it', by ?? '');
  if (effect === 'stop') return l10n.t('{0} stopped the work', by ?? '');
  switch (resolution) {
    case 'cancelled':
      return l10n.t('{0} dismissed it as no longer needed', by ?? '');
    case 'withdrawn':
      return l10n.t('{0} withdrew it', by ?? '');
    case 'released':
      return l10n.t('{0} dismissed it', by ?? '');
    case 'answered':
    case null:
      return l10n.t('{0} answered', by ?? '');
  }
}

function threadHistory({ state, own }: Pick<View, 'state' | 'own'>, id: string): History {
  const stored = state.questions.get(id);
  return (stored ? askBackViews(stored) : []).flatMap(({ asked_by, asked_at, replied_by, replied_at }) => [
    { at: asked_at, text: l10n.t('{0} asked the agent', asked_by) },
    ...(replied_at === null
      ? []
      : [{ at: replied_at, text: l10n.t('{0} replied', shownAgent(replied_by ?? '', own)) }]),
  ]);
}
