/** The briefing of a workspace: what the database can show of it, what holds, and what humans have said. */
import { briefing, briefingLimits } from '../core/briefing.ts';
import type { Briefing } from '../core/briefing.ts';
import { waitingHolds } from '../core/briefingHolds.ts';
import type { WaitingItem } from '../core/briefingHolds.ts';
import { bindingsOn } from '../core/gate.ts';
import { firstLine } from '../core/text.ts';
import { briefingCandidates } from '../store/eventBriefing.ts';
import type { View } from '../store/store.ts';
import { undelivered } from './delivery.ts';
import type { QuestionView } from './views.ts';
import type { Workspace } from './workspace.ts';

export interface BriefingRequest {
  /** Workspace-relative and cleaned; null for none. */
  readonly focus: string | null;
  /** Whose outcomes are told: those this agent has not had yet. Left out: none. */
  readonly agent?: string | undefined;
}

/** With the questions whose outcome it tells the agent. */
export function briefingOf(
  workspace: Workspace,
  view: View,
  { focus, agent }: BriefingRequest,
): { readonly briefing: Briefing; readonly answers: readonly QuestionView[] } {
  const { worktree, ignoreCase } = workspace;
  const limits = briefingLimits;
  const answers = agent === undefined ? [] : undelivered(view, agent);
  const terms = agent === undefined ? [] : termsFor(workspace, view, focus, agent);
  const holds = waitingHolds(view.state, { focus, worktree, ignoreCase }, limits.waiting);
  const { events, left } = briefingCandidates(view.rows, focus, view.now, limits);
  return {
    answers,
    briefing: briefing({
      focus,
      now: view.now,
      events,
      left: { ...left, waiting: holds.more },
      waiting: [...answers.map(answerItem), ...holds.items, ...terms],
      limits: { ...limits, waiting: limits.waiting + answers.length + terms.length },
    }),
  };
}

/** Conditions and constraints that bear on the focus, or on what the agent is at. */
function termsFor(
  { worktree, ignoreCase }: Workspace,
  { state }: View,
  focus: string | null,
  agent: string,
): WaitingItem[] {
  const files = focus === null ? [] : [focus];
  return bindingsOn(state, { files, worktree, ignoreCase, session: { agent } }).flatMap(
    ({ rfc, conditions, constraints }): WaitingItem[] => {
      const asked = [...conditions, ...constraints].map((text) => `"${text}"`);
      if (asked.length === 0) return [];
      return [
        {
          kind: 'terms',
          id: rfc.id,
          text: firstLine(rfc.title, 200),
          agent_id: rfc.asker.id,
          since: rfc.approval?.at ?? rfc.updatedAt,
          holds_work: 0,
          concerns_focus: false,
          answer: asked.join(', '),
        },
      ];
    },
  );
}

function answerItem(question: QuestionView): WaitingItem {
  const said = [...(question.answer?.choices ?? []), question.answer?.text ?? question.note ?? ''];
  return {
    kind: 'answer',
    id: question.id,
    text: firstLine(question.text, 200),
    agent_id: question.recipient,
    since: question.answered_at ?? question.raised_at,
    holds_work: 0,
    concerns_focus: false,
    answer: said.filter((part) => part !== '').join(', '),
  };
}
