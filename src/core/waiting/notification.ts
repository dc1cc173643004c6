/** Typed notifications about questions. */
import { rfcNotificationOf, type RfcNotification } from './rfcNotification.ts';
import { answerLine } from '../kit/text.ts';
import type { AnswerEffect, Interruption } from '../kit/words.ts';
import { isRfcDecision, isRfcRecord } from '../records/rfc.ts';
import { effectOf } from '../state/answerEffect.ts';
import { type Admitted, type Question, type State, recipientOf } from '../state/state.ts';
import { interruptionOf } from '../state/interruptions.ts';

interface About {
  /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
  readonly blocker_id: string;
  /** The work item's id; null for a question without one. */
  readonly task_id: string | null;
}

export type Notification =
  | RfcNotification
  | (About & {
      readonly type: 'blocker_created';
      readonly agent_id: string;
      readonly blocker_type: 'SYNC' | 'ASYNC';
      readonly question: string;
      /** How the policy notifies a human of it. */
      readonly interruption: Interruption;
      readonly created_at: string;
    })
  | (About & {
      readonly type: 'blocker_resolved';
      readonly answer: string;
      /** The answer's meaning for the question: `do_not` and `stop` refuse it. */
      readonly effect: AnswerEffect;
      readonly resolved_at: string;
    })
  /** A human lifted the refusal of an answer. */
  | (About & { readonly type: 'refusal_lifted'; readonly reason: string; readonly lifted_at: string })
  | (About & { readonly type: 'blocker_cancelled'; readonly reason: string; readonly resolved_at: string })
  | (About & { readonly type: 'blocker_released'; readonly note: string; readonly resolved_at: string })
  /** By the agent that asked. */
  | (About & { readonly type: 'blocker_withdrawn'; readonly reason: string; readonly withdrawn_at: string })
  /** A human asks the agent something before deciding; it holds what it held. */
  | (About & {
      readonly type: 'blocker_asked_back';
      readonly agent_id: string;
      readonly question: string;
      readonly asked_at: string;
    })
  /** The agent replied: it waits for a human again. */
  | (About & {
      readonly type: 'blocker_replied';
      readonly agent_id: string;
      readonly reply: string;
      readonly replied_at: string;
    })
  /** The agent stopped waiting and left a resume brief. */
  | (About & { readonly type: 'blocker_parked'; readonly agent_id: string; readonly parked_at: string })
  | (About & { readonly type: 'blocker_expired'; readonly expired_at: string })
  /** The agent acted after receiving the outcome: only this means that it resumed. */
  | (About & { readonly type: 'agent_resumed'; readonly agent_id: string; readonly resumed_at: string });

/** The notification for a record that took effect; null for records without one. */
export function notificationOf(state: State, { record, time, kept }: Admitted): Notification | null {
  // An approval that needs more people changed nothing yet.
  if (kept) return null;
  if (isRfcRecord(record) || isRfcDecision(record)) return rfcNotificationOf(state, record, time);
  const question = 'id' in record ? state.questions.get(record.id) : undefined;
  if (!question) return null;
  const about = { blocker_id: question.id, task_id: question.work };
  switch (record.kind) {
    case 'question.raised':
      return {
        type: 'blocker_created',
        ...about,
        agent_id: question.asker.id,
        blocker_type: question.mode === 'sync' ? 'SYNC' : 'ASYNC',
        question: record.text,
        interruption: interruptionOf(state, question),
        created_at: time,
      };
    case 'question.answered':
      return {
        type: 'blocker_resolved',
        ...about,
        answer: resolutionText(question),
        effect: effectOf(question) ?? 'proceed',
        resolved_at: time,
      };
    case 'question.cancelled':
      return { type: 'blocker_cancelled', ...about, reason: record.reason, resolved_at: time };
    case 'question.released':
      return { type: 'blocker_released', ...about, note: record.note, resolved_at: time };
    case 'refusal.lifted':
      return { type: 'refusal_lifted', ...about, reason: record.reason, lifted_at: time };
    case 'question.withdrawn':
      return { type: 'blocker_withdrawn', ...about, reason: record.reason, withdrawn_at: time };
    case 'question.askedBack': {
      const agent_id = recipientOf(state, question);
      return { type: 'blocker_asked_back', ...about, agent_id, question: record.text, asked_at: time };
    }
    case 'question.replied': {
      const agent_id = question.askBacks[record.number - 1]?.reply?.by ?? question.asker.id;
      return { type: 'blocker_replied', ...about, agent_id, reply: record.text, replied_at: time };
    }
    case 'question.parked':
      return { type: 'blocker_parked', ...about, agent_id: question.parked?.by ?? question.asker.id, parked_at: time };
    case 'question.expired':
      return { type: 'blocker_expired', ...about, expired_at: time };
    case 'outcome.acknowledged':
      return { type: 'agent_resumed', ...about, agent_id: record.agent, resumed_at: time };
    default:
      return null;
  }
}

function resolutionText({ resolution }: Question): string {
  return resolution?.answer ? answerLine(resolution.answer) : '';
}
