/** The history of a question, for its form. */
import { shownAgent } from '../../core/kit/persons.ts';
import * as l10n from '@vscode/l10n';
import { reusesOf } from '../../app/question/reuses.ts';
import type { QuestionView as AppQuestion } from '../../app/question/views.ts';
import type { View } from '../../store/store.ts';
import { wideningHistory } from '../surface/heldFiles.ts';
import type { History } from '../kit/view.ts';
import { askBackViews } from '../../app/question/askBacks.ts';

const namedAtMost = 50;

export function questionHistory(view: View, question: AppQuestion): History {
  const recipient = shownAgent(question.recipient, view.own);
  const steps: [string | null, string][] = [
    [question.raised_at, l10n.t('{0} asked', question.agent_name)],
    [question.status === 'expired' ? question.expires_at : null, l10n.t('Expired without an answer')],
    [question.answered_at, decided(question)],
    [question.offered_at, l10n.t('Delivered to {0}', recipient)],
    [question.acknowledged_at, l10n.t('{0} continued', recipient)],
    ...reusesOf(view, question.id)
      .slice(0, namedAtMost)
      .map(({ agent_id, reused_at }): [string, string] => [
        reused_at,
        l10n.t('{0} asked the same question and got this answer', shownAgent(agent_id, view.own)),
      ]),
    [question.lifted?.at ?? null, l10n.t('{0} lifted the refusal', question.lifted?.by ?? '')],
    [question.revoked?.at ?? null, l10n.t('{0} revoked the answer', question.revoked?.by ?? '')],
  ];
  return [
    ...steps.flatMap(([at, text]) => (at === null ? [] : [{ at, text }])),
    ...wideningHistory(view, question.id),
    ...threadHistory(view, question.id),
  ].sort((a, b) => a.at.localeCompare(b.at));
}

function decided({ resolution, effect, answered_by: by }: AppQuestion): string {
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

/** The thread's part of the question's history. */
function threadHistory({ state, own }: Pick<View, 'state' | 'own'>, id: string): History {
  const stored = state.questions.get(id);
  return (stored ? askBackViews(stored) : []).flatMap(({ asked_by, asked_at, replied_by, replied_at }) => [
    { at: asked_at, text: l10n.t('{0} asked the agent', asked_by) },
    ...(replied_at === null
      ? []
      : [{ at: replied_at, text: l10n.t('{0} replied', shownAgent(replied_by ?? '', own)) }]),
  ]);
}
