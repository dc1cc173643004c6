/** Typed notifications about RFCs, named like those about questions. */
import type { RfcDecision, RfcRecord } from '../records/rfc.ts';
import type { RejectionThen } from '../records/rfcWords.ts';
import type { State } from '../state/state.ts';

interface About {
  readonly rfc_id: string;
  readonly title: string;
  /** The revision it is about. */
  readonly revision: number;
}

export type RfcNotification =
  | (About & { readonly type: 'rfc_proposed'; readonly agent_id: string; readonly created_at: string })
  | (About & { readonly type: 'rfc_revised'; readonly revised_at: string })
  /** It waits for a human now. */
  | (About & { readonly type: 'rfc_submitted'; readonly submitted_at: string })
  | (About & {
      readonly type: 'rfc_approved';
      readonly conditions: readonly string[];
      readonly constraints: readonly string[];
      /** Numbers of open questions that need no answer. */
      readonly waived: readonly number[];
      readonly resolved_at: string;
    })
  | (About & { readonly type: 'rfc_changes_requested'; readonly reason: string; readonly resolved_at: string })
  | (About & {
      readonly type: 'rfc_rejected';
      readonly reason: string;
      readonly then: RejectionThen;
      readonly resolved_at: string;
    })
  | (About & { readonly type: 'rfc_withdrawn'; readonly reason: string; readonly resolved_at: string })
  | (About & { readonly type: 'rfc_implemented'; readonly implemented_at: string });

/** An agent acted after receiving a decision on an RFC: `blocker_id` is the RFC's. */
export interface RfcResumed {
  readonly type: 'agent_resumed';
  readonly blocker_id: string;
  readonly task_id: null;
  readonly agent_id: string;
  readonly resumed_at: string;
}

/** Null for records without a notification. */
export function rfcNotificationOf(
  state: State,
  record: RfcRecord | RfcDecision,
  time: string,
): RfcNotification | RfcResumed | null {
  const rfc = state.rfcs.get(record.id);
  if (!rfc) return null;
  const about = { rfc_id: rfc.id, title: rfc.title, revision: rfc.revisions.length };
  switch (record.kind) {
    case 'rfc.proposed':
      return { type: 'rfc_proposed', ...about, agent_id: rfc.asker.id, created_at: time };
    case 'rfc.revised':
      return { type: 'rfc_revised', ...about, revision: record.revision, revised_at: time };
    case 'rfc.submitted':
      return { type: 'rfc_submitted', ...about, revision: record.revision, submitted_at: time };
    case 'rfc.approved': {
      const { revision, conditions, constraints } = record;
      const waived = (record.waived ?? []).map(({ question }) => question);
      return { type: 'rfc_approved', ...about, revision, conditions, constraints, waived, resolved_at: time };
    }
    case 'rfc.changesRequested':
      return {
        type: 'rfc_changes_requested',
        ...about,
        revision: record.revision,
        reason: record.reason,
        resolved_at: time,
      };
    case 'rfc.rejected': {
      const { revision, reason, then } = record;
      return { type: 'rfc_rejected', ...about, revision, reason, then, resolved_at: time };
    }
    case 'rfc.withdrawn':
      return { type: 'rfc_withdrawn', ...about, reason: record.reason, resolved_at: time };
    case 'rfc.implemented':
      return { type: 'rfc_implemented', ...about, implemented_at: time };
    case 'rfc.decisionAcknowledged':
      return { type: 'agent_resumed', blocker_id: rfc.id, task_id: null, agent_id: record.agent, resumed_at: time };
    default:
      return null;
  }
}
