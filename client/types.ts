/** Generated from schemas/openapi.json by `npm run generate`. */
/* eslint-disable max-lines -- generated */

export type Event =
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'agent_resumed';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly agent_id: string;
      readonly resumed_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'approval_recorded';
      /** Of the question, RFC or other subject. */
      readonly item_id: null | string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'blocker_asked_back';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly agent_id: string;
      readonly question: string;
      readonly asked_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'blocker_cancelled';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly reason: string;
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'blocker_created';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly agent_id: string;
      readonly blocker_type: 'ASYNC' | 'SYNC';
      readonly question: string;
      /** How the policy notifies a human of it. */
      readonly interruption: 'digest' | 'now' | 'silent';
      readonly created_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'blocker_expired';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly expired_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'blocker_parked';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly agent_id: string;
      readonly parked_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'blocker_released';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly note: string;
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'blocker_replied';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly agent_id: string;
      readonly reply: string;
      readonly replied_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'blocker_resolved';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly answer: string;
      /** The answer's meaning for the question: `do_not` and `stop` refuse it. */
      readonly effect: 'do_not' | 'proceed' | 'stop';
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'blocker_withdrawn';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly reason: string;
      readonly withdrawn_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'record';
      readonly item_id: null | string;
      readonly record: Readonly<Record<string, unknown>>;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'record_refused';
      readonly item_id: string;
      /** Whether it claims a human's decision. */
      readonly forged: boolean;
      readonly why: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'refusal_lifted';
      /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
      readonly blocker_id: string;
      /** The work item's id; null for a question without one. */
      readonly task_id: null | string;
      readonly reason: string;
      readonly lifted_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'rfc_approved';
      readonly rfc_id: string;
      readonly title: string;
      readonly revision: number;
      /** Numbers of open questions that need no answer. */
      readonly waived: readonly number[];
      readonly resolved_at: string;
      readonly conditions: readonly string[];
      readonly constraints: readonly string[];
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'rfc_changes_requested';
      readonly rfc_id: string;
      readonly title: string;
      readonly revision: number;
      readonly reason: string;
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'rfc_implemented';
      readonly rfc_id: string;
      readonly title: string;
      readonly revision: number;
      readonly implemented_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'rfc_proposed';
      readonly rfc_id: string;
      readonly title: string;
      readonly revision: number;
      readonly agent_id: string;
      readonly created_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'rfc_rejected';
      readonly rfc_id: string;
      readonly title: string;
      readonly revision: number;
      readonly reason: string;
      readonly then: 'another_way' | 'stop';
      readonly resolved_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'rfc_revised';
      readonly rfc_id: string;
      readonly title: string;
      readonly revision: number;
      readonly revised_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'rfc_submitted';
      readonly rfc_id: string;
      readonly title: string;
      readonly revision: number;
      readonly submitted_at: string;
    }
  | {
      readonly schema: 'holdpoint/watch/1';
      /** Pass it on to continue after this event. Opaque: compare it for equality only. */
      readonly position: string;
      /** By the writer's clock. */
      readonly time: string;
      /** Of the record in the journal. */
      readonly kind: string;
      readonly actor: {
        readonly kind: 'agent' | 'human' | 'reviewer' | 'system';
        /** Of a human: the name that the key ring gives to the key. */
        readonly id: string;
      };
      readonly type: 'rfc_withdrawn';
      readonly rfc_id: string;
      readonly title: string;
      readonly revision: number;
      readonly reason: string;
      readonly resolved_at: string;
    }
  | { readonly schema: 'holdpoint/watch/1'; readonly type: 'watching'; readonly position: string };

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What was wrong, in a few words. */
  readonly error: string;
  /** For programs. */
  readonly code: string;
  /** What was wrong and what to do. */
  readonly detail: string;
  readonly blocker_id?: string;
  readonly resolved_at?: string | null;
  readonly url?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

export interface Whoami {
  readonly agent_id: string;
  readonly project_id: string | null;
}

export interface BlockerList {
  readonly blockers: readonly Blocker[];
  /** Of the whole selection, as the other counts. */
  readonly total: number;
  readonly pending_count: number;
  readonly sync_count: number;
  /** `before` of the next page; null on the last one. */
  readonly next_before: string | null;
}

export interface Blocker {
  /** Free data of an integration. */
  readonly payload_json: null | Readonly<Record<string, unknown>>;
  readonly alternatives: readonly string[];
  readonly files: readonly { readonly path: string; readonly line?: number }[];
  readonly raised_at: string;
  /** Null for one that does not expire. */
  readonly expires_at: null | string;
  readonly time_waiting_ms: number;
  /** Whose turn it is while it is undecided: `agent` once a human asked it back and it has not replied. */
  readonly waiting_for: null | 'agent' | 'human';
  /** What humans asked the agent back, and its replies, oldest first. */
  readonly ask_backs: readonly AskBackView[];
  /** The resume brief of an agent that stopped waiting; null without one. */
  readonly parked: null | {
    readonly by: string;
    readonly at: string;
    readonly doing: string;
    readonly next: string;
    readonly files: readonly string[];
    readonly check_first: null | string;
  };
  /** Which people must decide it, and who has signed so far; null if any human can. */
  readonly quorum: QuorumView | null;
  /** Whether the policy asks for a passkey. */
  readonly needs_passkey: boolean;
  /** While it waits: when somebody decided it with a key that is not trusted here, which has no effect. */
  readonly untrusted_decision_at: null | string;
  readonly resolution: null | 'answered' | 'cancelled' | 'released' | 'withdrawn';
  /** The choices and the text of the answer. */
  readonly answer: string | null;
  /** Effect of the answer; null while unanswered. */
  readonly effect: null | 'do_not' | 'proceed' | 'stop';
  /** Of an approval: true if approved, false if refused or closed without an answer. Null for other questions. */
  readonly approved: boolean | null;
  /** Set when a human lifted the refusal; `approved` and `effect` keep the original answer. */
  readonly lifted: Revocation | null;
  readonly note: null | string;
  readonly answered_by: null | string;
  /** `passkey`: verified by a PIN, a fingerprint or the like. Null if no human decided. */
  readonly signed_with: null | 'key' | 'passkey';
  readonly answered_at: null | string;
  /** Ids of the other questions that the same act answered. */
  readonly answered_with: readonly string[];
  /** When the receiving agent was first offered the outcome, and when it continued with it. */
  readonly offered_at: null | string;
  readonly acknowledged_at: null | string;
  /** The agent that receives the outcome: the current owner of the work, else the author of the RFC or the asker. */
  readonly recipient: string;
  /** The RFC whose open question this is; its author receives the outcome. */
  readonly rfc: null | string;
  /** The earlier question whose answer no longer fits, and the agent's reason. */
  readonly reopens: null | string;
  readonly reopen_reason: null | string;
  /** How often the answer was reused; `reusesOf` lists by whom. */
  readonly reuse_count: number;
  /** Set when a human excluded the answer from reuse. */
  readonly revoked: Revocation | null;
  readonly background: null | string;
  readonly context: null | string;
  readonly impact: null | string;
  readonly if_delayed: null | string;
  readonly assumption: null | string;
  readonly for: null | string;
  readonly id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly session: null | string;
  readonly text: string;
  readonly type: 'approval' | 'clarification' | 'decision';
  readonly urgency: 'critical' | 'high' | 'low' | 'medium';
  readonly mode: 'async' | 'sync';
  /** RESOLVED: a human decided, or the agent withdrew it; `resolution` says which. */
  readonly status: 'PENDING' | 'RESOLVED' | 'EXPIRED';
  /** True while it blocks work: sync and undecided, or a stop that no human has lifted. */
  readonly holding: boolean;
  readonly work: null | { readonly id: string; readonly title: string; readonly kind: 'task' | 'workflow' };
  /** Held work: the named items and their dependants. */
  readonly blocks: readonly NamedWork[];
  readonly cascade: readonly NamedWork[];
  /** Number of held work items that are not finished, dependants included. */
  readonly holds_work: number;
  readonly holds: readonly string[];
  /** Set while widened to every file of the workspace; `holds` then says so too. */
  readonly all_files: null | { readonly at: string; readonly by: string };
  readonly choices: readonly {
    readonly label: string;
    readonly recommended: boolean;
    readonly description?: string;
    /** The effect that the asker suggests for this choice; the form's initial value. No default, like all later additions, to keep earlier hashes. */
    readonly effect?: 'do_not' | 'proceed' | 'stop';
  }[];
  readonly multiple: boolean;
  readonly free_text: boolean;
  readonly project_id: string | null;
  readonly task_id: string | null;
  readonly task_title: string | null;
  /** SYNC: the work stops. ASYNC: the agent continues. */
  readonly blocker_type: 'SYNC' | 'ASYNC';
  readonly question: string;
  readonly created_at: string;
  readonly resolved_at: string | null;
  /** Where a human answers. */
  readonly url: string;
}

export interface BlockerCreate {
  /** Must be the token's agent. */
  readonly agent_id?: string;
  /** The work item that it stops. Without one it stops the whole agent. */
  readonly task_id?: string | null;
  /** SYNC: the work stops. ASYNC: the agent continues. */
  readonly blocker_type?: 'SYNC' | 'ASYNC';
  /** In Markdown; the first line must be understandable by itself. */
  readonly question: string;
  /** clarification: which way? decision: should I? approval: yes or no, always sync. */
  readonly type?: 'clarification' | 'decision' | 'approval';
  /** low: can wait for days; medium: hours; high: blocks work now; critical: stops the whole workflow. */
  readonly urgency?: 'low' | 'medium' | 'high' | 'critical';
  /** More work items it stops. */
  readonly also_work_ids?: readonly string[];
  /** A workflow it stops, instead of a work item or in addition to it. */
  readonly workflow_id?: string;
  /** Answers to pick from, if any. Not for approvals. */
  readonly choices?: readonly {
    /** What the human picks. */
    readonly label: string;
    /** What picking it means. */
    readonly description?: string;
    /** True for the choice you recommend. */
    readonly recommended?: boolean;
    /** What picking it means for your work: proceed, do_not (not this; the rest may continue another way) or stop (the work stops). The human can change it. */
    readonly effect?: 'proceed' | 'do_not' | 'stop';
  }[];
  /** True if several choices may be picked. */
  readonly multiple?: boolean;
  /** False if the human must pick one of the choices. */
  readonly free_text?: boolean;
  /** Why you ask: what you found, in Markdown. */
  readonly background?: string;
  /** The code or text the question is about. */
  readonly context?: string;
  /** The impact, for example "Delays API tokens by 2 days". */
  readonly impact?: string;
  /** What happens if the answer comes late. */
  readonly if_delayed?: string;
  /** async: what you assume until the answer comes. */
  readonly assumption?: string;
  readonly alternatives?: readonly string[];
  /** Files to look at, as context. They are not held. */
  readonly files?: readonly {
    /** Workspace-relative or absolute path. */
    readonly path: string;
    readonly line?: number;
  }[];
  /** Files that no agent may edit until the question or RFC is decided: workspace-relative paths or globs with * ** ?. A folder includes everything in it. ** and the root are not accepted: only a human can hold every file. */
  readonly holds?: readonly string[];
  /** A person or responsibility that should answer, for example "ada" or "security". Everyone can answer. */
  readonly for?: string;
  /** Free JSON object that an integration keeps with the question; the human sees it. */
  readonly payload_json?: object;
  /** Only if this was answered before: why that answer no longer applies. */
  readonly reopen_reason?: string;
}

export interface Resolved {
  readonly blocker_id: string;
  /** PENDING: it needs the signatures of more people. */
  readonly status: 'RESOLVED' | 'PENDING';
  readonly resolved_at: string | null;
}

export interface RaiseQuestion {
  readonly schema: 'holdpoint/raise_question/1';
  readonly result: 'denied' | 'error' | 'expired' | 'proceed' | 'refused' | 'waiting' | 'withdrawn';
  /** `still_held`: a human decided, and `held_by` holds the work all the same. Else `answered`, `cancelled`, `released`, `expired`, `waiting` or `asked_back`; for RFCs, the decision. */
  readonly outcome: string;
  readonly effect: null | 'do_not' | 'proceed' | 'stop';
  readonly approved: boolean | null;
  /** What still holds the work or the session; of an UNKNOWN store, nothing. Only with `still_held`. */
  readonly held_by?: readonly string[];
  readonly already: boolean;
  readonly earlier: boolean;
  readonly question: QuestionView;
  /** Waiting longer costs more than starting again: leave a resume brief and end the turn. */
  readonly parking_due?: true;
  /** What would let a human answer faster. The question is asked, and holds, all the same. */
  readonly missing?: readonly ('assumption' | 'background' | 'choices' | 'recommendation' | 'same_question')[];
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface QuestionView {
  /** Free data of an integration. */
  readonly payload_json: null | Readonly<Record<string, unknown>>;
  readonly alternatives: readonly string[];
  readonly files: readonly { readonly path: string; readonly line?: number }[];
  readonly raised_at: string;
  /** Null for one that does not expire. */
  readonly expires_at: null | string;
  readonly time_waiting_ms: number;
  /** Whose turn it is while it is undecided: `agent` once a human asked it back and it has not replied. */
  readonly waiting_for: null | 'agent' | 'human';
  /** What humans asked the agent back, and its replies, oldest first. */
  readonly ask_backs: readonly AskBackView[];
  /** The resume brief of an agent that stopped waiting; null without one. */
  readonly parked: null | {
    readonly by: string;
    readonly at: string;
    readonly doing: string;
    readonly next: string;
    readonly files: readonly string[];
    readonly check_first: null | string;
  };
  /** Which people must decide it, and who has signed so far; null if any human can. */
  readonly quorum: QuorumView | null;
  /** Whether the policy asks for a passkey. */
  readonly needs_passkey: boolean;
  /** While it waits: when somebody decided it with a key that is not trusted here, which has no effect. */
  readonly untrusted_decision_at: null | string;
  readonly resolution: null | 'answered' | 'cancelled' | 'released' | 'withdrawn';
  readonly answer: null | { readonly text: null | string; readonly choices: readonly string[] };
  /** Effect of the answer; null while unanswered. */
  readonly effect: null | 'do_not' | 'proceed' | 'stop';
  /** Of an approval: true if approved, false if refused or closed without an answer. Null for other questions. */
  readonly approved: boolean | null;
  /** Set when a human lifted the refusal; `approved` and `effect` keep the original answer. */
  readonly lifted: Revocation | null;
  readonly note: null | string;
  readonly answered_by: null | string;
  /** `passkey`: verified by a PIN, a fingerprint or the like. Null if no human decided. */
  readonly signed_with: null | 'key' | 'passkey';
  readonly answered_at: null | string;
  /** Ids of the other questions that the same act answered. */
  readonly answered_with: readonly string[];
  /** When the receiving agent was first offered the outcome, and when it continued with it. */
  readonly offered_at: null | string;
  readonly acknowledged_at: null | string;
  /** The agent that receives the outcome: the current owner of the work, else the author of the RFC or the asker. */
  readonly recipient: string;
  /** The RFC whose open question this is; its author receives the outcome. */
  readonly rfc: null | string;
  /** The earlier question whose answer no longer fits, and the agent's reason. */
  readonly reopens: null | string;
  readonly reopen_reason: null | string;
  /** How often the answer was reused; `reusesOf` lists by whom. */
  readonly reuse_count: number;
  /** Set when a human excluded the answer from reuse. */
  readonly revoked: Revocation | null;
  readonly background: null | string;
  readonly context: null | string;
  readonly impact: null | string;
  readonly if_delayed: null | string;
  readonly assumption: null | string;
  readonly for: null | string;
  readonly id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly session: null | string;
  readonly text: string;
  readonly type: 'approval' | 'clarification' | 'decision';
  readonly urgency: 'critical' | 'high' | 'low' | 'medium';
  readonly mode: 'async' | 'sync';
  readonly status: 'answered' | 'cancelled' | 'expired' | 'pending';
  /** True while it blocks work: sync and undecided, or a stop that no human has lifted. */
  readonly holding: boolean;
  readonly work: null | { readonly id: string; readonly title: string; readonly kind: 'task' | 'workflow' };
  /** Held work: the named items and their dependants. */
  readonly blocks: readonly NamedWork[];
  readonly cascade: readonly NamedWork[];
  /** Number of held work items that are not finished, dependants included. */
  readonly holds_work: number;
  readonly holds: readonly string[];
  /** Set while widened to every file of the workspace; `holds` then says so too. */
  readonly all_files: null | { readonly at: string; readonly by: string };
  readonly choices: readonly {
    readonly label: string;
    readonly recommended: boolean;
    readonly description?: string;
    /** The effect that the asker suggests for this choice; the form's initial value. No default, like all later additions, to keep earlier hashes. */
    readonly effect?: 'do_not' | 'proceed' | 'stop';
  }[];
  readonly multiple: boolean;
  readonly free_text: boolean;
}

export interface AskBackView {
  readonly number: number;
  readonly text: string;
  readonly asked_by: string;
  readonly asked_at: string;
  /** Null until the agent has replied. */
  readonly reply: null | string;
  readonly replied_by: null | string;
  readonly replied_at: null | string;
}

export interface QuorumView {
  /** Each of these must be met. `people` are names of keys in the ring. */
  readonly rules: readonly { readonly count: number; readonly people: readonly string[] }[];
  /** Decisions that too few have signed; they have no effect yet. */
  readonly proposals: readonly {
    /** The kind of its record. */
    readonly kind: string;
    readonly approved_by: readonly string[];
    readonly have: number;
    readonly of: number;
    /** `1 of 2: grace approved "JWT"` */
    readonly text: string;
  }[];
  readonly text: string;
}

export interface Revocation {
  readonly reason: string;
  readonly by: string;
  readonly at: string;
}

export interface NamedWork {
  readonly id: string;
  readonly title: string;
}

export interface RfcSummary {
  readonly id: string;
  readonly title: string;
  readonly status: 'approved' | 'draft' | 'implemented' | 'rejected' | 'under_review' | 'withdrawn';
  /** Status of the amendment. Until it is approved, the approved revision stays in force. */
  readonly amendment: null | 'draft' | 'under_review';
  /** Status and amendment as text: "approved, with an amendment under review". */
  readonly place: string;
  readonly agent_id: string;
  readonly agent_name: string;
  /** The agent to which its author handed it over, or null. */
  readonly handed_to: null | string;
  /** The person or responsibility that it is for, or null. */
  readonly for: null | string;
  readonly proposed_at: string;
  readonly updated_at: string;
  /** When the revision that waits for a human was submitted; null if none waits. */
  readonly waiting_since: null | string;
  readonly time_waiting_ms: number;
  /** Number of the latest revision. */
  readonly revision: number;
  /** True while it blocks work: no human has approved, rejected or withdrawn it. */
  readonly holding: boolean;
  /** True while it waits for a human. */
  readonly waiting: boolean;
  readonly affected_workflows: readonly NamedWork[];
  readonly blocked_tasks: readonly NamedWork[];
  /** Dependants of those. */
  readonly cascade: readonly NamedWork[];
  /** Number of held work items that are not finished, dependants included. */
  readonly holds_work: number;
  readonly holds: readonly string[];
  /** Set while widened to every file of the workspace; `holds` then says so too. */
  readonly all_files: null | { readonly at: string; readonly by: string };
  readonly last_decision: RfcDecisionView | null;
  /** The approved revision with its terms; it stays in force while an amendment waits, and after its rejection. */
  readonly approval: ApprovalView | null;
  /** Which people must decide it, and who has signed so far; null if any human can. */
  readonly quorum: QuorumView | null;
  /** Whether the policy asks for a passkey. */
  readonly needs_passkey: boolean;
  /** The AI reviewer's verdict on the latest revision, or null. It decides nothing. */
  readonly last_review: LastReview | null;
}

export interface RfcDecisionView {
  readonly by: string;
  readonly at: string;
  /** Of the key that signed it. */
  readonly keyid: string;
  /** `passkey`: verified by a PIN, a fingerprint or the like. */
  readonly signed_with: 'key' | 'passkey';
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
  /** Numbers of open questions that the approval left unanswered. */
  readonly waived: readonly number[];
  readonly number: number;
  readonly action: 'approved' | 'changes_requested' | 'rejected' | 'withdrawn';
  readonly revision: null | number;
  /** Whether an earlier revision was approved before: then only the amendment was decided. */
  readonly amendment: boolean;
  readonly reason: null | string;
  readonly then: null | 'another_way' | 'stop';
}

export interface ApprovalView {
  /** Numbers of open questions that the approval left unanswered. */
  readonly waived: readonly number[];
  readonly revision: number;
  readonly hash: string;
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
  readonly by: string;
  readonly at: string;
}

export interface LastReview {
  /** Its unresolved comments on that revision. */
  readonly comments: readonly ThreadView[];
  /** The open questions it answered. */
  readonly answers: readonly OpenQuestionView[];
  readonly number: number;
  readonly revision: number;
  readonly model: null | string;
  readonly prompt: null | string;
  readonly follow_up: boolean;
  readonly verdict: null | 'approve' | 'revise';
  readonly stage: 'awaiting_human' | 'questions_pending' | 'reviewing';
  readonly summary: null | string;
  /** Why the loop ended early, if it did. */
  readonly note: null | 'budget_spent' | 'failed' | 'malformed' | 'no_model' | 'not_allowed' | 'timed_out';
  readonly at: string;
}

export interface ThreadView {
  readonly resolved: null | { readonly by: string; readonly at: string };
  readonly replies: readonly {
    readonly by: string;
    readonly by_kind: string;
    /** True if a human's signature proves the author; otherwise the name is unverified. */
    readonly signed: boolean;
    readonly at: string;
    readonly number: number;
    readonly text: string;
  }[];
  readonly by: string;
  readonly by_kind: string;
  /** True if a human's signature proves the author; otherwise the name is unverified. */
  readonly signed: boolean;
  readonly at: string;
  readonly number: number;
  readonly revision: number;
  readonly type: 'approval' | 'concern' | 'question' | 'suggestion';
  readonly section: null | {
    readonly key:
      | 'alternatives'
      | 'detailed_design'
      | 'implementation_timeline'
      | 'motivation'
      | 'other'
      | 'rollback_plan'
      | 'summary'
      | 'unresolved_questions';
    readonly heading: string;
  };
  readonly quote: null | string;
  readonly text: string;
  readonly blocking: boolean;
}

export interface OpenQuestionView {
  readonly number: number;
  readonly text: string;
  readonly state: 'ai_answered' | 'author_answered' | 'human_answered' | 'human_required' | 'unanswered';
  /** Whether the revision shown still asks it. */
  readonly in_document: boolean;
  readonly author_answer: null | string;
  /** The reviewer's answer, unless rejected. Not signed by a human. */
  readonly ai_answer: null | {
    readonly answer: string;
    readonly evidence: readonly string[];
    readonly confidence: null | 'high' | 'low' | 'medium';
    readonly model: null | string;
    readonly prompt: null | string;
    readonly at: string;
  };
  /** The question that a human sees, and the human's reply. */
  readonly human: null | {
    readonly question_id: string;
    readonly answer: null | string;
    readonly by: null | string;
    readonly at: null | string;
  };
}

export interface NoticedRequest {
  readonly notice: {
    readonly number: number;
    readonly type:
      | 'accepted'
      | 'cancelled'
      | 'completed'
      | 'completion_overdue'
      | 'deferred'
      | 'expired'
      | 'reassigned'
      | 'rejected'
      | 'response_overdue'
      | 'waiting';
    /** The party it goes to. */
    readonly to: 'former target' | 'origin' | 'target';
    readonly at: string;
  };
  /** The fields of the request's type. */
  readonly payload:
    | {
        readonly bundle_ids: readonly string[];
        /** Why the bundles matter: a text, or a list of texts. */
        readonly objectives: readonly string[] | string;
        readonly suggested_actions: readonly string[];
        readonly links: readonly string[];
        readonly tags: readonly string[];
        /** The ingestion that led to this request. */
        readonly ingest_request_id?: string;
      }
    | {
        readonly bundle_ids: readonly string[];
        /** Why the bundles matter: a text, or a list of texts. */
        readonly objectives: readonly string[] | string;
        readonly suggested_actions: readonly string[];
        readonly links: readonly string[];
        readonly tags: readonly string[];
        readonly user_hints?: { readonly suggested_responsibilities: readonly string[] };
      }
    | {
        readonly suggested_actions: readonly string[];
        readonly links: readonly string[];
        readonly tags: readonly string[];
      };
  /** Free data of an integration. */
  readonly payload_json: null | Readonly<Record<string, unknown>>;
  /** A steward's completed steps for an accepted ingestion. */
  readonly steps: readonly ('dispatch' | 'lineage' | 'normalise')[];
  /** Deadline for responding or completing; null if none applies to its status. */
  readonly sla_due_at: null | string;
  /** The deadline has passed. */
  readonly overdue: boolean;
  readonly id: string;
  readonly type: 'ingest_new_context' | 'new_context_available' | 'request_for_action';
  readonly origin_responsibility_id: string;
  readonly target_responsibility_id: string;
  readonly origin_mandate_id: null | string;
  readonly subject: string;
  readonly summary: string;
  readonly body_md_path: null | string;
  readonly workspace_id: string;
  readonly status: 'accepted' | 'cancelled' | 'completed' | 'created' | 'deferred' | 'expired' | 'pending' | 'rejected';
  /** Lower is sooner. */
  readonly priority: number;
  readonly sla_response_seconds: null | number;
  readonly sla_completion_seconds: null | number;
  /** When the target first touched it. */
  readonly acknowledged_at: null | string;
  readonly created_at: string;
  readonly available_at: string;
  readonly due_at: null | string;
  /** When it was completed. */
  readonly processed_at: null | string;
  /** When it reached any final status. */
  readonly closed_at: null | string;
  readonly idempotency_key: null | string;
  /** Acceptance is the first; each reported failure starts another. */
  readonly attempts: number;
  readonly last_error: null | string;
  readonly authored_by: 'ai' | 'automation' | 'human';
  readonly author_agent_id: null | string;
  readonly source_context: null | string;
  readonly accepted_at: null | string;
  readonly accepted_by: null | string;
  /** When the target last moved it out of `pending`. */
  readonly responded_at: null | string;
  readonly response: null | 'ack_context_relevant' | 'not_relevant';
  /** Why it was deferred, rejected or cancelled, or its result. */
  readonly note: null | string;
  readonly escalated_at: null | string;
}

export interface AwaitAnswer {
  readonly schema: 'holdpoint/await_answer/1';
  readonly result: 'denied' | 'error' | 'expired' | 'proceed' | 'refused' | 'waiting' | 'withdrawn';
  /** `still_held`: a human decided, and `held_by` holds the work all the same. Else `answered`, `cancelled`, `released`, `expired`, `waiting` or `asked_back`; for RFCs, the decision. */
  readonly outcome: string;
  readonly effect: null | 'do_not' | 'proceed' | 'stop';
  readonly approved: boolean | null;
  /** What still holds the work or the session; of an UNKNOWN store, nothing. Only with `still_held`. */
  readonly held_by?: readonly string[];
  /** The one to act on first. */
  readonly question?: QuestionView;
  readonly questions: readonly QuestionView[];
  /** Waiting longer costs more than starting again: leave a resume brief and end the turn. */
  readonly parking_due?: true;
  readonly rfcs?: readonly RfcSummary[];
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface AwaitRequest {
  readonly schema: 'holdpoint/await_request/1';
  readonly result: 'denied' | 'error' | 'expired' | 'proceed' | 'refused' | 'waiting' | 'withdrawn';
  /** `still_held`: a human decided, and `held_by` holds the work all the same. Else `answered`, `cancelled`, `released`, `expired`, `waiting` or `asked_back`; for RFCs, the decision. */
  readonly outcome: string;
  readonly effect: null | 'do_not' | 'proceed' | 'stop';
  readonly approved: boolean | null;
  /** What still holds the work or the session; of an UNKNOWN store, nothing. Only with `still_held`. */
  readonly held_by?: readonly string[];
  readonly requests: readonly RequestDetails[];
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface RequestDetails {
  readonly work: readonly string[];
  readonly events: readonly {
    readonly id: number;
    readonly created_at: string;
    readonly note: null | string;
    readonly event_type: string;
    readonly old_status:
      null | 'accepted' | 'cancelled' | 'completed' | 'created' | 'deferred' | 'expired' | 'pending' | 'rejected';
    readonly new_status:
      null | 'accepted' | 'cancelled' | 'completed' | 'created' | 'deferred' | 'expired' | 'pending' | 'rejected';
    readonly created_by: string;
    readonly created_agent_id: null | string;
  }[];
  /** The fields of the request's type. */
  readonly payload:
    | {
        readonly bundle_ids: readonly string[];
        /** Why the bundles matter: a text, or a list of texts. */
        readonly objectives: readonly string[] | string;
        readonly suggested_actions: readonly string[];
        readonly links: readonly string[];
        readonly tags: readonly string[];
        /** The ingestion that led to this request. */
        readonly ingest_request_id?: string;
      }
    | {
        readonly bundle_ids: readonly string[];
        /** Why the bundles matter: a text, or a list of texts. */
        readonly objectives: readonly string[] | string;
        readonly suggested_actions: readonly string[];
        readonly links: readonly string[];
        readonly tags: readonly string[];
        readonly user_hints?: { readonly suggested_responsibilities: readonly string[] };
      }
    | {
        readonly suggested_actions: readonly string[];
        readonly links: readonly string[];
        readonly tags: readonly string[];
      };
  /** Free data of an integration. */
  readonly payload_json: null | Readonly<Record<string, unknown>>;
  /** A steward's completed steps for an accepted ingestion. */
  readonly steps: readonly ('dispatch' | 'lineage' | 'normalise')[];
  /** Deadline for responding or completing; null if none applies to its status. */
  readonly sla_due_at: null | string;
  /** The deadline has passed. */
  readonly overdue: boolean;
  readonly id: string;
  readonly type: 'ingest_new_context' | 'new_context_available' | 'request_for_action';
  readonly origin_responsibility_id: string;
  readonly target_responsibility_id: string;
  readonly origin_mandate_id: null | string;
  readonly subject: string;
  readonly summary: string;
  readonly body_md_path: null | string;
  readonly workspace_id: string;
  readonly status: 'accepted' | 'cancelled' | 'completed' | 'created' | 'deferred' | 'expired' | 'pending' | 'rejected';
  /** Lower is sooner. */
  readonly priority: number;
  readonly sla_response_seconds: null | number;
  readonly sla_completion_seconds: null | number;
  /** When the target first touched it. */
  readonly acknowledged_at: null | string;
  readonly created_at: string;
  readonly available_at: string;
  readonly due_at: null | string;
  /** When it was completed. */
  readonly processed_at: null | string;
  /** When it reached any final status. */
  readonly closed_at: null | string;
  readonly idempotency_key: null | string;
  /** Acceptance is the first; each reported failure starts another. */
  readonly attempts: number;
  readonly last_error: null | string;
  readonly authored_by: 'ai' | 'automation' | 'human';
  readonly author_agent_id: null | string;
  readonly source_context: null | string;
  readonly accepted_at: null | string;
  readonly accepted_by: null | string;
  /** When the target last moved it out of `pending`. */
  readonly responded_at: null | string;
  readonly response: null | 'ack_context_relevant' | 'not_relevant';
  /** Why it was deferred, rejected or cancelled, or its result. */
  readonly note: null | string;
  readonly escalated_at: null | string;
}

export interface CheckGate {
  readonly schema: 'holdpoint/check_gate/1';
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
  readonly result: 'denied' | 'proceed';
  readonly verdict: 'allow' | 'deny';
  readonly state: 'BLOCKED' | 'CLEAR' | 'UNKNOWN';
  readonly reasons: readonly GateReasonData[];
  readonly problem: null | string;
  readonly shared: SharedData;
  /** A hundred of them at most. */
  readonly free: readonly NamedWork[];
  readonly free_count: number;
  readonly requests_waiting: number;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface GateReasonData {
  readonly code: string;
  readonly subject: string;
  readonly question: null | {
    readonly id: string;
    readonly text: string;
    readonly status: 'answered' | 'cancelled' | 'expired' | 'pending';
    readonly urgency: 'critical' | 'high' | 'low' | 'medium';
    readonly effect: null | 'do_not' | 'proceed' | 'stop';
  };
  readonly rfc: null | { readonly id: string; readonly title: string; readonly status: string };
  readonly all_files: null | { readonly at: string; readonly by: string };
  /** Who must decide it, who has signed so far, and whether with a passkey; null if any human can with any key. */
  readonly people: null | string;
}

export interface SharedData {
  /** `local`: the journal is this machine's own. */
  readonly state: 'current' | 'local' | 'offline' | 'unknown';
  /** When the server last confirmed this machine's copy, unless that was just now. */
  readonly since: null | string;
}

export interface RegisterWork {
  readonly schema: 'holdpoint/register_work/1';
  readonly work: WorkView;
  /** True when it was registered before. */
  readonly already: boolean;
  readonly changed: readonly FieldChange[];
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface WorkView {
  readonly id: string;
  readonly kind: 'task' | 'workflow';
  readonly title: string;
  /** Derived: `blocked_…` while held and not finished, else the base status. */
  readonly status:
    | 'blocked_pending_approval'
    | 'blocked_pending_human_input'
    | 'cancelled'
    | 'deleted'
    | 'done'
    | 'failed'
    | 'in_progress'
    | 'todo';
  readonly base_status: 'cancelled' | 'deleted' | 'done' | 'failed' | 'in_progress' | 'todo';
  readonly step: null | string;
  readonly workflow: null | string;
  readonly depends_on: readonly string[];
  readonly holds: readonly string[];
  readonly assigned_agent: null | string;
  readonly blocks: readonly { readonly id: string; readonly text: string; readonly via: string }[];
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface FieldChange {
  readonly field: string;
  readonly from: readonly string[] | null | string;
  readonly to: readonly string[] | null | string;
}

export interface UpdateWork {
  readonly schema: 'holdpoint/update_work/1';
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
  readonly work: WorkView;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface ProposeRfc {
  readonly schema: 'holdpoint/propose_rfc/1';
  readonly rfc: RfcView;
  /** Parts of the file that fields replace: no human sees them. */
  readonly left_out?: readonly string[];
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface RfcView {
  readonly session: null | string;
  readonly contexts: readonly { readonly id: string; readonly role: 'context' | 'reasoning' }[];
  readonly revisions: readonly RevisionView[];
  /** The revision that title, sections, alternatives and questions come from: the latest, or the approved one if the amendment after it was rejected. */
  readonly text_revision: number;
  readonly sections: readonly {
    /** Hash of heading and text, to detect later changes. */
    readonly hash: string;
    /** The latest revision that changed it, up to the one shown. */
    readonly changed_in: number;
    readonly key:
      | 'alternatives'
      | 'detailed_design'
      | 'implementation_timeline'
      | 'motivation'
      | 'other'
      | 'rollback_plan'
      | 'summary'
      | 'unresolved_questions';
    readonly heading: string;
    /** Markdown below the heading. */
    readonly text: string;
  }[];
  readonly alternatives: readonly AlternativeView[];
  readonly questions: readonly OpenQuestionView[];
  readonly threads: readonly ThreadView[];
  readonly review: {
    readonly stage: null | 'awaiting_human' | 'questions_pending' | 'reviewing';
    readonly count: number;
    readonly loops: number;
  };
  readonly reviews: readonly ReviewView[];
  readonly decisions: readonly RfcDecisionView[];
  /** What prevents an approval: numbers of blocking threads, of questions for a human, and of unanswered ones. */
  readonly missing: {
    readonly threads: readonly number[];
    readonly questions: readonly number[];
    /** A human can waive each of these with the approval. */
    readonly open: readonly number[];
  };
  readonly ended: null | {
    readonly how: 'rejected' | 'withdrawn';
    readonly then: 'another_way' | 'stop';
    readonly reason: string;
    readonly by: string;
    readonly at: string;
  };
  readonly id: string;
  readonly title: string;
  readonly status: 'approved' | 'draft' | 'implemented' | 'rejected' | 'under_review' | 'withdrawn';
  /** Status of the amendment. Until it is approved, the approved revision stays in force. */
  readonly amendment: null | 'draft' | 'under_review';
  /** Status and amendment as text: "approved, with an amendment under review". */
  readonly place: string;
  readonly agent_id: string;
  readonly agent_name: string;
  /** The agent to which its author handed it over, or null. */
  readonly handed_to: null | string;
  /** The person or responsibility that it is for, or null. */
  readonly for: null | string;
  readonly proposed_at: string;
  readonly updated_at: string;
  /** When the revision that waits for a human was submitted; null if none waits. */
  readonly waiting_since: null | string;
  readonly time_waiting_ms: number;
  /** Number of the latest revision. */
  readonly revision: number;
  /** True while it blocks work: no human has approved, rejected or withdrawn it. */
  readonly holding: boolean;
  /** True while it waits for a human. */
  readonly waiting: boolean;
  readonly affected_workflows: readonly NamedWork[];
  readonly blocked_tasks: readonly NamedWork[];
  /** Dependants of those. */
  readonly cascade: readonly NamedWork[];
  /** Number of held work items that are not finished, dependants included. */
  readonly holds_work: number;
  readonly holds: readonly string[];
  /** Set while widened to every file of the workspace; `holds` then says so too. */
  readonly all_files: null | { readonly at: string; readonly by: string };
  readonly last_decision: RfcDecisionView | null;
  /** The approved revision with its terms; it stays in force while an amendment waits, and after its rejection. */
  readonly approval: ApprovalView | null;
  /** Which people must decide it, and who has signed so far; null if any human can. */
  readonly quorum: QuorumView | null;
  /** Whether the policy asks for a passkey. */
  readonly needs_passkey: boolean;
  /** The AI reviewer's verdict on the latest revision, or null. It decides nothing. */
  readonly last_review: LastReview | null;
}

export interface RevisionView {
  readonly number: number;
  readonly hash: string;
  readonly author: string;
  readonly at: string;
  readonly note: null | string;
}

export interface AlternativeView {
  readonly name: string;
  readonly description?: string;
  readonly pros: readonly string[];
  readonly cons: readonly string[];
  readonly effort_estimate?: string;
}

export interface ReviewView {
  readonly number: number;
  readonly revision: number;
  readonly model: null | string;
  readonly prompt: null | string;
  readonly follow_up: boolean;
  readonly verdict: null | 'approve' | 'revise';
  readonly stage: 'awaiting_human' | 'questions_pending' | 'reviewing';
  readonly summary: null | string;
  /** Why the loop ended early, if it did. */
  readonly note: null | 'budget_spent' | 'failed' | 'malformed' | 'no_model' | 'not_allowed' | 'timed_out';
  readonly at: string;
}

export interface UpdateRfc {
  readonly schema: 'holdpoint/update_rfc/1';
  readonly rfc: RfcView;
  /** Parts of the file that fields replace: no human sees them. */
  readonly left_out?: readonly string[];
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface GetBriefing {
  readonly schema: 'holdpoint/get_briefing/1';
  readonly briefing: Briefing;
  readonly requests_waiting: number;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface Briefing {
  /** The project's name; null where the caller gave none. */
  readonly project: null | string;
  /** Workspace-relative; null without a focus. */
  readonly focus: null | string;
  readonly generated_at: string;
  readonly critical_warnings: {
    readonly items: readonly BriefedEvent[];
    /** Number of further events. */
    readonly more: number;
  };
  readonly waiting: {
    readonly items: readonly WaitingItem[];
    /** Number of further events. */
    readonly more: number;
  };
  /** Decisions that may contradict each other. */
  readonly conflicts: {
    readonly items: readonly DecisionConflict[];
    /** Number of further events. */
    readonly more: number;
  };
  /** By type, in reading order; empty without a focus. */
  readonly relevant: {
    readonly decision: {
      readonly items: readonly BriefedEvent[];
      /** Number of further events. */
      readonly more: number;
    };
    readonly warning: {
      readonly items: readonly BriefedEvent[];
      /** Number of further events. */
      readonly more: number;
    };
    readonly mutation: {
      readonly items: readonly BriefedEvent[];
      /** Number of further events. */
      readonly more: number;
    };
    readonly discovery: {
      readonly items: readonly BriefedEvent[];
      /** Number of further events. */
      readonly more: number;
    };
    readonly outcome: {
      readonly items: readonly BriefedEvent[];
      /** Number of further events. */
      readonly more: number;
    };
  };
  readonly other: {
    readonly items: readonly BriefedEvent[];
    /** Number of further events. */
    readonly more: number;
  };
  readonly recently_resolved: {
    readonly items: readonly BriefedEvent[];
    /** Number of further events. */
    readonly more: number;
  };
  /** How many active events are left out because nothing has mentioned them for long. */
  readonly aged: number;
}

export interface BriefedEvent {
  readonly id: string;
  /** Position in the journal among events: greater is newer. */
  readonly number: number;
  readonly type: 'decision' | 'discovery' | 'mutation' | 'outcome' | 'warning';
  readonly priority: 'critical' | 'high' | 'low' | 'normal';
  readonly status: 'active' | 'resolved' | 'superseded';
  readonly text: string;
  readonly scopes: readonly string[];
  readonly author: string;
  readonly author_kind: 'agent' | 'human';
  readonly posted_at: string;
  readonly resolved_reason: null | string;
  readonly superseded_by_event_id: null | string;
  readonly closed_at: null | string;
  readonly closed_by: null | string;
  /** Imported: its author is the one named in the source. */
  readonly imported: boolean;
  /** When it was posted, or last named by another event, a question or an RFC. */
  readonly mentioned_at: string;
}

export interface WaitingItem {
  /** `ask_back`: a human waits for a reply. `terms`: what a human required with an approved or rejected RFC, while in force. */
  readonly kind: 'answer' | 'ask_back' | 'hold' | 'terms';
  /** For example `Q-12` or `RFC-3`. */
  readonly id: string;
  /** First line of the question. */
  readonly text: string;
  readonly agent_id: string;
  /** The person or responsibility that it is for. */
  readonly for?: string;
  readonly since: string;
  /** Number of held work items, dependants included. */
  readonly holds_work: number;
  /** The human who widened it to every file; null where it holds only what was named. */
  readonly all_files_by: null | string;
  /** True when it holds the focus, or something below it. */
  readonly concerns_focus: boolean;
  /** The AI reviewer asks for changes. A human can still decide. */
  readonly asks_changes?: true;
  /** Who acts next: the author of an unsubmitted draft; the agent, once a human has answered or asked back. */
  readonly waits_on: 'agent' | 'author' | 'human';
  /** For all but a hold: what the human said, on one line. */
  readonly answer: null | string;
}

export interface DecisionConflict {
  readonly scope: string;
  readonly decisions: readonly (BriefedEvent | BriefedEvent)[];
}

export type SearchEvents =
  | {
      readonly schema: 'holdpoint/search_events/1';
      readonly event: EventView;
      readonly also?: readonly QuestionView[];
      readonly also_rfcs?: readonly RfcSummary[];
      /** Requests that have ended, that wait for the agent, or that are overdue. */
      readonly also_requests?: readonly NoticedRequest[];
      /** Why the disk takes no writes: earlier ones are not confirmed. */
      readonly unconfirmed?: string;
      readonly status?: 'denied' | 'error' | 'ok';
      readonly text?: string;
    }
  | {
      readonly schema: 'holdpoint/search_events/1';
      readonly events: readonly FoundEvent[];
      readonly total: number;
      readonly unranked: number;
      readonly also?: readonly QuestionView[];
      readonly also_rfcs?: readonly RfcSummary[];
      /** Requests that have ended, that wait for the agent, or that are overdue. */
      readonly also_requests?: readonly NoticedRequest[];
      /** Why the disk takes no writes: earlier ones are not confirmed. */
      readonly unconfirmed?: string;
      readonly status?: 'denied' | 'error' | 'ok';
      readonly text?: string;
    };

export interface EventView {
  readonly related_ids: readonly string[];
  /** Predecessors and successors, oldest first, including the event itself; empty without either. */
  readonly lineage: readonly LinkedEvent[];
  /** An agent's open proposal to close it. */
  readonly proposal: Proposal | null;
  readonly id: string;
  /** Position in the journal among events: greater is newer. */
  readonly number: number;
  readonly type: 'decision' | 'discovery' | 'mutation' | 'outcome' | 'warning';
  readonly priority: 'critical' | 'high' | 'low' | 'normal';
  readonly status: 'active' | 'resolved' | 'superseded';
  readonly text: string;
  readonly scopes: readonly string[];
  readonly author: string;
  readonly author_kind: 'agent' | 'human';
  readonly posted_at: string;
  readonly resolved_reason: null | string;
  readonly superseded_by_event_id: null | string;
  readonly closed_at: null | string;
  readonly closed_by: null | string;
  /** Imported: its author is the one named in the source. */
  readonly imported: boolean;
  /** When it was posted, or last named by another event, a question or an RFC. */
  readonly mentioned_at: string;
}

export interface LinkedEvent {
  /** Its successor, or null. */
  readonly superseded_by_event_id: null | string;
  /** Its first line. */
  readonly text: string;
  readonly id: string;
  readonly status: 'active' | 'resolved' | 'superseded';
}

export interface Proposal {
  readonly how: 'resolved' | 'superseded';
  readonly reason: null | string;
  readonly by: null | string;
  readonly agent: string;
  readonly at: string;
}

export interface FoundEvent {
  /** Text around the words found, which are between `**`; null without words. */
  readonly snippet: null | string;
  readonly id: string;
  /** Position in the journal among events: greater is newer. */
  readonly number: number;
  readonly type: 'decision' | 'discovery' | 'mutation' | 'outcome' | 'warning';
  readonly priority: 'critical' | 'high' | 'low' | 'normal';
  readonly status: 'active' | 'resolved' | 'superseded';
  readonly text: string;
  readonly scopes: readonly string[];
  readonly author: string;
  readonly author_kind: 'agent' | 'human';
  readonly posted_at: string;
  readonly resolved_reason: null | string;
  readonly superseded_by_event_id: null | string;
  readonly closed_at: null | string;
  readonly closed_by: null | string;
  /** Imported: its author is the one named in the source. */
  readonly imported: boolean;
  /** When it was posted, or last named by another event, a question or an RFC. */
  readonly mentioned_at: string;
}

export interface PostEvent {
  readonly schema: 'holdpoint/post_event/1';
  readonly already: boolean;
  readonly event: EventView;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface CloseEvent {
  readonly schema: 'holdpoint/close_event/1';
  readonly outcome: 'active' | 'proposed' | 'resolved' | 'superseded';
  readonly event: EventView;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export type ListQuestions =
  | {
      readonly schema: 'holdpoint/list_questions/1';
      readonly question: QuestionView;
      readonly also?: readonly QuestionView[];
      readonly also_rfcs?: readonly RfcSummary[];
      /** Requests that have ended, that wait for the agent, or that are overdue. */
      readonly also_requests?: readonly NoticedRequest[];
      /** Why the disk takes no writes: earlier ones are not confirmed. */
      readonly unconfirmed?: string;
      readonly status?: 'denied' | 'error' | 'ok';
      readonly text?: string;
    }
  | {
      readonly schema: 'holdpoint/list_questions/1';
      readonly questions: readonly QuestionView[];
      readonly total: number;
      readonly pending_count: number;
      readonly sync_count: number;
      readonly also?: readonly QuestionView[];
      readonly also_rfcs?: readonly RfcSummary[];
      /** Requests that have ended, that wait for the agent, or that are overdue. */
      readonly also_requests?: readonly NoticedRequest[];
      /** Why the disk takes no writes: earlier ones are not confirmed. */
      readonly unconfirmed?: string;
      readonly status?: 'denied' | 'error' | 'ok';
      readonly text?: string;
    };

export interface ListRfcs {
  readonly schema: 'holdpoint/list_rfcs/1';
  readonly rfcs: readonly RfcSummary[];
  readonly total: number;
  readonly waiting_count: number;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface GetRfc {
  readonly schema: 'holdpoint/get_rfc/1';
  readonly rfc: RfcView;
  readonly revision?: {
    readonly title: string;
    readonly sections: readonly {
      readonly key:
        | 'alternatives'
        | 'detailed_design'
        | 'implementation_timeline'
        | 'motivation'
        | 'other'
        | 'rollback_plan'
        | 'summary'
        | 'unresolved_questions';
      readonly heading: string;
      /** Markdown below the heading. */
      readonly text: string;
    }[];
    readonly alternatives: readonly AlternativeView[];
    readonly questions: readonly {
      /** Its author wants a human's answer. */
      readonly human_required?: true;
      readonly answer?: string;
      readonly text: string;
      readonly answered: boolean;
    }[];
    readonly number: number;
  };
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export type ListRequests =
  | {
      readonly schema: 'holdpoint/list_requests/1';
      readonly request: RequestDetails;
      readonly also?: readonly QuestionView[];
      readonly also_rfcs?: readonly RfcSummary[];
      /** Requests that have ended, that wait for the agent, or that are overdue. */
      readonly also_requests?: readonly NoticedRequest[];
      /** Why the disk takes no writes: earlier ones are not confirmed. */
      readonly unconfirmed?: string;
      readonly status?: 'denied' | 'error' | 'ok';
      readonly text?: string;
    }
  | {
      readonly schema: 'holdpoint/list_requests/1';
      readonly requests: readonly RequestView[];
      readonly total: number;
      readonly responsibilities?: readonly ResponsibilityView[];
      readonly queues?: readonly Queue[];
      readonly also?: readonly QuestionView[];
      readonly also_rfcs?: readonly RfcSummary[];
      /** Requests that have ended, that wait for the agent, or that are overdue. */
      readonly also_requests?: readonly NoticedRequest[];
      /** Why the disk takes no writes: earlier ones are not confirmed. */
      readonly unconfirmed?: string;
      readonly status?: 'denied' | 'error' | 'ok';
      readonly text?: string;
    };

export interface RequestView {
  /** The fields of the request's type. */
  readonly payload:
    | {
        readonly bundle_ids: readonly string[];
        /** Why the bundles matter: a text, or a list of texts. */
        readonly objectives: readonly string[] | string;
        readonly suggested_actions: readonly string[];
        readonly links: readonly string[];
        readonly tags: readonly string[];
        /** The ingestion that led to this request. */
        readonly ingest_request_id?: string;
      }
    | {
        readonly bundle_ids: readonly string[];
        /** Why the bundles matter: a text, or a list of texts. */
        readonly objectives: readonly string[] | string;
        readonly suggested_actions: readonly string[];
        readonly links: readonly string[];
        readonly tags: readonly string[];
        readonly user_hints?: { readonly suggested_responsibilities: readonly string[] };
      }
    | {
        readonly suggested_actions: readonly string[];
        readonly links: readonly string[];
        readonly tags: readonly string[];
      };
  /** Free data of an integration. */
  readonly payload_json: null | Readonly<Record<string, unknown>>;
  /** A steward's completed steps for an accepted ingestion. */
  readonly steps: readonly ('dispatch' | 'lineage' | 'normalise')[];
  /** Deadline for responding or completing; null if none applies to its status. */
  readonly sla_due_at: null | string;
  /** The deadline has passed. */
  readonly overdue: boolean;
  readonly id: string;
  readonly type: 'ingest_new_context' | 'new_context_available' | 'request_for_action';
  readonly origin_responsibility_id: string;
  readonly target_responsibility_id: string;
  readonly origin_mandate_id: null | string;
  readonly subject: string;
  readonly summary: string;
  readonly body_md_path: null | string;
  readonly workspace_id: string;
  readonly status: 'accepted' | 'cancelled' | 'completed' | 'created' | 'deferred' | 'expired' | 'pending' | 'rejected';
  /** Lower is sooner. */
  readonly priority: number;
  readonly sla_response_seconds: null | number;
  readonly sla_completion_seconds: null | number;
  /** When the target first touched it. */
  readonly acknowledged_at: null | string;
  readonly created_at: string;
  readonly available_at: string;
  readonly due_at: null | string;
  /** When it was completed. */
  readonly processed_at: null | string;
  /** When it reached any final status. */
  readonly closed_at: null | string;
  readonly idempotency_key: null | string;
  /** Acceptance is the first; each reported failure starts another. */
  readonly attempts: number;
  readonly last_error: null | string;
  readonly authored_by: 'ai' | 'automation' | 'human';
  readonly author_agent_id: null | string;
  readonly source_context: null | string;
  readonly accepted_at: null | string;
  readonly accepted_by: null | string;
  /** When the target last moved it out of `pending`. */
  readonly responded_at: null | string;
  readonly response: null | 'ack_context_relevant' | 'not_relevant';
  /** Why it was deferred, rejected or cancelled, or its result. */
  readonly note: null | string;
  readonly escalated_at: null | string;
}

export interface ResponsibilityView {
  readonly registered_by: string;
  readonly registered_at: string;
  readonly id: string;
  readonly kind: 'agent' | 'automation' | 'human' | 'steward';
  readonly name: string;
  readonly agents: readonly string[];
  readonly workspace_id: string;
}

export interface Queue {
  readonly target_responsibility_id: string;
  readonly depth: number;
  /** Averages; null without data. */
  readonly response_seconds: null | number;
  readonly completion_seconds: null | number;
  readonly breaches: number;
}

export type ListWork =
  | {
      readonly schema: 'holdpoint/list_work/1';
      readonly work: WorkView;
      readonly also?: readonly QuestionView[];
      readonly also_rfcs?: readonly RfcSummary[];
      /** Requests that have ended, that wait for the agent, or that are overdue. */
      readonly also_requests?: readonly NoticedRequest[];
      /** Why the disk takes no writes: earlier ones are not confirmed. */
      readonly unconfirmed?: string;
      readonly status?: 'denied' | 'error' | 'ok';
      readonly text?: string;
    }
  | {
      readonly schema: 'holdpoint/list_work/1';
      readonly work: readonly WorkView[];
      readonly total: number;
      readonly also?: readonly QuestionView[];
      readonly also_rfcs?: readonly RfcSummary[];
      /** Requests that have ended, that wait for the agent, or that are overdue. */
      readonly also_requests?: readonly NoticedRequest[];
      /** Why the disk takes no writes: earlier ones are not confirmed. */
      readonly unconfirmed?: string;
      readonly status?: 'denied' | 'error' | 'ok';
      readonly text?: string;
    };

export interface ReplyQuestion {
  readonly schema: 'holdpoint/reply_question/1';
  readonly result: 'denied' | 'error' | 'expired' | 'proceed' | 'refused' | 'waiting' | 'withdrawn';
  /** `still_held`: a human decided, and `held_by` holds the work all the same. Else `answered`, `cancelled`, `released`, `expired`, `waiting` or `asked_back`; for RFCs, the decision. */
  readonly outcome: string;
  readonly effect: null | 'do_not' | 'proceed' | 'stop';
  readonly approved: boolean | null;
  /** What still holds the work or the session; of an UNKNOWN store, nothing. Only with `still_held`. */
  readonly held_by?: readonly string[];
  readonly question: QuestionView;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface ParkQuestion {
  readonly schema: 'holdpoint/park_question/1';
  readonly result: 'denied' | 'error' | 'expired' | 'proceed' | 'refused' | 'waiting' | 'withdrawn';
  /** `still_held`: a human decided, and `held_by` holds the work all the same. Else `answered`, `cancelled`, `released`, `expired`, `waiting` or `asked_back`; for RFCs, the decision. */
  readonly outcome: string;
  readonly effect: null | 'do_not' | 'proceed' | 'stop';
  readonly approved: boolean | null;
  /** What still holds the work or the session; of an UNKNOWN store, nothing. Only with `still_held`. */
  readonly held_by?: readonly string[];
  readonly question: QuestionView;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface WithdrawQuestion {
  readonly schema: 'holdpoint/withdraw_question/1';
  readonly result: 'denied' | 'error' | 'expired' | 'proceed' | 'refused' | 'waiting' | 'withdrawn';
  /** `still_held`: a human decided, and `held_by` holds the work all the same. Else `answered`, `cancelled`, `released`, `expired`, `waiting` or `asked_back`; for RFCs, the decision. */
  readonly outcome: string;
  readonly effect: null | 'do_not' | 'proceed' | 'stop';
  readonly approved: boolean | null;
  /** What still holds the work or the session; of an UNKNOWN store, nothing. Only with `still_held`. */
  readonly held_by?: readonly string[];
  readonly question: QuestionView;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface RegisterResponsibility {
  readonly schema: 'holdpoint/register_responsibility/1';
  readonly responsibility: ResponsibilityView;
  /** True when it was registered before. */
  readonly already: boolean;
  readonly changed: readonly FieldChange[];
  /** Fields that were given and stay as they are: only a human changes them. */
  readonly kept: readonly string[];
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface CreateRequest {
  readonly schema: 'holdpoint/create_request/1';
  readonly already: boolean;
  readonly request: RequestDetails;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface RespondToRequest {
  readonly schema: 'holdpoint/respond_to_request/1';
  readonly request: RequestDetails;
  readonly also?: readonly QuestionView[];
  readonly also_rfcs?: readonly RfcSummary[];
  /** Requests that have ended, that wait for the agent, or that are overdue. */
  readonly also_requests?: readonly NoticedRequest[];
  /** Why the disk takes no writes: earlier ones are not confirmed. */
  readonly unconfirmed?: string;
  readonly status?: 'denied' | 'error' | 'ok';
  readonly text?: string;
}

export interface Operations {
  /** The agent that the token acts as. */
  whoami: { readonly input: object; readonly answer: Whoami };
  /** Blockers, newest first, in pages. */
  list_blockers: {
    readonly input: {
      readonly project_id?: string;
      readonly status?: 'PENDING' | 'RESOLVED' | 'EXPIRED';
      readonly agent_id?: string;
      readonly task_id?: string;
      readonly blocker_type?: 'SYNC' | 'ASYNC';
      readonly type?: 'clarification' | 'decision' | 'approval';
      readonly limit?: number;
      readonly before?: string;
    };
    readonly answer: BlockerList;
  };
  /** Ask a human; SYNC stops the work. */
  create_blocker: { readonly input: BlockerCreate; readonly answer: Blocker };
  /** One blocker. */
  get_blocker: { readonly input: { readonly id: string }; readonly answer: Blocker };
  /** Record a decision that a human has signed; without a signature, nothing is resolved. */
  resolve_blocker: {
    readonly input: { readonly id: string } & (
      | {
          readonly record: {
            readonly kind: string;
            readonly envelope: Readonly<Record<string, unknown>>;
            readonly [member: string]: unknown;
          };
        }
      | { readonly answer: string }
    );
    readonly answer: Resolved;
  };
  /** Ask a human and wait. */
  raise_question: {
    readonly input: {
      /** The question, in Markdown, up to 2,000 characters. Ask one thing, and make the first line understandable by itself. */
      readonly text: string;
      /** clarification: which way? decision: should I? approval: yes or no, always sync. */
      readonly type?: 'clarification' | 'decision' | 'approval';
      /** low: can wait for days; medium: hours; high: blocks work now; critical: stops the whole workflow. */
      readonly urgency?: 'low' | 'medium' | 'high' | 'critical';
      /** sync: you stop. async: you continue on the assumption. */
      readonly mode?: 'sync' | 'async';
      /** The work item it stops. Without one it stops your whole session. */
      readonly work_id?: string;
      /** More work items it stops. */
      readonly also_work_ids?: readonly string[];
      /** A workflow it stops, instead of a work item or in addition to it. */
      readonly workflow_id?: string;
      /** Answers to pick from, if any. Not for approvals. */
      readonly choices?: readonly {
        /** What the human picks. */
        readonly label: string;
        /** What picking it means. */
        readonly description?: string;
        /** True for the choice you recommend. */
        readonly recommended?: boolean;
        /** What picking it means for your work: proceed, do_not (not this; the rest may continue another way) or stop (the work stops). The human can change it. */
        readonly effect?: 'proceed' | 'do_not' | 'stop';
      }[];
      /** True if several choices may be picked. */
      readonly multiple?: boolean;
      /** False if the human must pick one of the choices. */
      readonly free_text?: boolean;
      /** Why you ask: what you found, in Markdown. */
      readonly background?: string;
      /** The code or text the question is about. */
      readonly context?: string;
      /** The impact, for example "Delays API tokens by 2 days". */
      readonly impact?: string;
      /** What happens if the answer comes late. */
      readonly if_delayed?: string;
      /** async: what you assume until the answer comes. */
      readonly assumption?: string;
      readonly alternatives?: readonly string[];
      /** Files to look at, as context. They are not held. */
      readonly files?: readonly {
        /** Workspace-relative or absolute path. */
        readonly path: string;
        readonly line?: number;
      }[];
      /** Files that no agent may edit until the question or RFC is decided: workspace-relative paths or globs with * ** ?. A folder includes everything in it. ** and the root are not accepted: only a human can hold every file. */
      readonly holds?: readonly string[];
      /** A person or responsibility that should answer, for example "ada" or "security". Everyone can answer. */
      readonly for?: string;
      /** Free JSON object that an integration keeps with the question; the human sees it. */
      readonly payload_json?: object;
      /** Only if this was answered before: why that answer no longer applies. */
      readonly reopen_reason?: string;
      /** How long to wait before returning; call again while the result is `waiting`. */
      readonly wait_seconds?: number;
    };
    readonly answer: RaiseQuestion;
  };
  /** Wait for an answer. */
  await_answer: {
    readonly input: {
      /** A question or RFC, for example "Q-12". Omit it to wait for all your open ones. */
      readonly id?: string;
      /** How long to wait before returning; call again while the result is `waiting`. */
      readonly wait_seconds?: number;
    };
    readonly answer: AwaitAnswer;
  };
  /** Wait for an answer. */
  await_request: {
    readonly input: {
      /** A request, for example "R-7". Omit it to wait for all your open ones. */
      readonly id?: string;
      /** How long to wait before returning; call again while the result is `waiting`. */
      readonly wait_seconds?: number;
    };
    readonly answer: AwaitRequest;
  };
  /** Check whether work may continue. */
  check_gate: {
    readonly input: {
      /** Id of a registered work item, for example "t-1". */
      readonly work_id?: string;
      /** Workspace-relative or absolute paths you want to edit. */
      readonly files?: readonly string[];
    };
    readonly answer: CheckGate;
  };
  /** Register or update work. */
  register_work: {
    readonly input: {
      /** Your own short id for it, for example "t-1" or "auth/tokens". */
      readonly id: string;
      /** task (default) or workflow. A hold on a workflow holds all its tasks. */
      readonly kind?: 'task' | 'workflow';
      /** Short name for people. */
      readonly title: string;
      /** todo (default), or in_progress if you start it now. */
      readonly status?: 'todo' | 'in_progress';
      /** The workflow it belongs to. */
      readonly workflow?: string;
      /** Work items that must be finished first. */
      readonly depends_on?: readonly string[];
      /** Files that belong to this work: they are held while it is held. Paths or globs with * ** ?. */
      readonly holds?: readonly string[];
      readonly assigned_agent?: string;
    };
    readonly answer: RegisterWork;
  };
  /** Register or update work. */
  update_work: {
    readonly input: {
      /** Id of a registered work item, for example "t-1". */
      readonly id: string;
      /** in_progress: you start it. done: finished. todo: parked. failed, cancelled: abandoned. deleted: gone from lists, with everything in it; only while nothing is held and nothing else needs it. */
      readonly status?: 'todo' | 'in_progress' | 'done' | 'failed' | 'cancelled' | 'deleted';
      /** The step you are on. */
      readonly step?: string;
      /** Short name for people. */
      readonly title?: string;
      /** Id of a registered work item, for example "t-1". */
      readonly workflow?: string;
      readonly assigned_agent?: string;
      /** More work items that must be finished first. */
      readonly add_depends_on?: readonly string[];
      /** Work items it does not need any more. */
      readonly remove_depends_on?: readonly string[];
      /** More files that belong to it. */
      readonly add_holds?: readonly string[];
      /** Files that do not belong to it. */
      readonly remove_holds?: readonly string[];
    };
    readonly answer: UpdateWork;
  };
  /** Propose or revise a design. */
  propose_rfc: {
    readonly input: {
      /** Short name for people. Default: the title of the file. */
      readonly title?: string;
      /** A Markdown file in the workspace with the document: its headings become the sections. A check box is an open question (without any box, each point under “Open questions” is); a list beneath it offers answers. */
      readonly file?: string;
      /** The document itself, in place of a file. */
      readonly markdown?: string;
      /** What is proposed, in a few sentences. Markdown. */
      readonly summary?: string;
      /** Why: the problem, and what happens without it. Markdown. */
      readonly motivation?: string;
      /** How to build it. Markdown. */
      readonly detailed_design?: string;
      /** The steps, and when. Markdown. */
      readonly implementation_timeline?: string;
      /** How to revert it if it fails. Markdown. */
      readonly rollback_plan?: string;
      /** More sections, under your own headings. */
      readonly other_sections?: readonly { readonly heading: string; readonly text: string }[];
      /** Alternatives you considered. Give all of them: the list replaces the previous one. */
      readonly alternatives?: readonly {
        /** Its name. */
        readonly name: string;
        /** What it is. */
        readonly description?: string;
        readonly pros?: readonly string[];
        readonly cons?: readonly string[];
        /** Estimated effort. */
        readonly effort_estimate?: string;
      }[];
      /** Open questions, one per entry. The AI reviewer answers what it can; a human gets the rest. A question that begins with HUMAN REQUIRED: goes to a human immediately. */
      readonly unresolved_questions?: readonly string[];
      /** Workflows it holds until it is approved. They must be registered. */
      readonly affected_workflows?: readonly string[];
      /** Tasks it holds until it is approved. They must be registered. */
      readonly blocked_tasks?: readonly string[];
      /** Files that no agent may edit until the question or RFC is decided: workspace-relative paths or globs with * ** ?. A folder includes everything in it. ** and the root are not accepted: only a human can hold every file. */
      readonly holds?: readonly string[];
      /** Ids of events, questions or RFCs it builds on, for example "E-12". */
      readonly context_ids?: readonly string[];
      /** Ids of events, questions or RFCs that the reasoning relies on. */
      readonly reasoning_ids?: readonly string[];
      /** A person or responsibility that should review it, for example "ada" or "security". Everyone can. */
      readonly for?: string;
      /** True if it is finished: submits it to a human immediately. */
      readonly submit?: boolean;
    };
    readonly answer: ProposeRfc;
  };
  /** Propose or revise a design. */
  update_rfc: {
    readonly input: {
      /** Id of an RFC, for example "RFC-3". */
      readonly id: string;
      /** Short name for people. */
      readonly title?: string;
      /** A Markdown file in the workspace with the document: its headings become the sections. A check box is an open question (without any box, each point under “Open questions” is); a list beneath it offers answers. */
      readonly file?: string;
      /** The document itself, in place of a file. */
      readonly markdown?: string;
      /** What is proposed, in a few sentences. Markdown. */
      readonly summary?: string;
      /** Why: the problem, and what happens without it. Markdown. */
      readonly motivation?: string;
      /** How to build it. Markdown. */
      readonly detailed_design?: string;
      /** The steps, and when. Markdown. */
      readonly implementation_timeline?: string;
      /** How to revert it if it fails. Markdown. */
      readonly rollback_plan?: string;
      /** More sections, under your own headings. */
      readonly other_sections?: readonly { readonly heading: string; readonly text: string }[];
      /** Alternatives you considered. Give all of them: the list replaces the previous one. */
      readonly alternatives?: readonly {
        /** Its name. */
        readonly name: string;
        /** What it is. */
        readonly description?: string;
        readonly pros?: readonly string[];
        readonly cons?: readonly string[];
        /** Estimated effort. */
        readonly effort_estimate?: string;
      }[];
      /** Open questions, one per entry. The AI reviewer answers what it can; a human gets the rest. A question that begins with HUMAN REQUIRED: goes to a human immediately. */
      readonly unresolved_questions?: readonly string[];
      /** More alternatives; one with a known name replaces it. */
      readonly add_alternatives?: readonly {
        /** Its name. */
        readonly name: string;
        /** What it is. */
        readonly description?: string;
        readonly pros?: readonly string[];
        readonly cons?: readonly string[];
        /** Estimated effort. */
        readonly effort_estimate?: string;
      }[];
      /** More open questions. */
      readonly add_questions?: readonly string[];
      /** With file: the file contains only this section. Default: the whole document. */
      readonly section?:
        | 'summary'
        | 'motivation'
        | 'detailed_design'
        | 'alternatives'
        | 'unresolved_questions'
        | 'implementation_timeline'
        | 'rollback_plan';
      /** What you changed, for the reviewers. */
      readonly note?: string;
      /** Replies to feedback threads. */
      readonly replies?: readonly {
        /** Number of the thread. */
        readonly thread: number;
        /** Your reply. */
        readonly text: string;
      }[];
      /** More workflows it holds. */
      readonly add_workflows?: readonly string[];
      /** More tasks it holds. */
      readonly add_tasks?: readonly string[];
      /** Files that no agent may edit until the question or RFC is decided: workspace-relative paths or globs with * ** ?. A folder includes everything in it. ** and the root are not accepted: only a human can hold every file. */
      readonly add_holds?: readonly string[];
      /** More ids of events, questions or RFCs it builds on. */
      readonly context_ids?: readonly string[];
      /** More ids of events, questions or RFCs that the reasoning relies on. */
      readonly reasoning_ids?: readonly string[];
      /** True if it is finished: submits it to a human. */
      readonly submit?: boolean;
      /** An agent that may also change and submit it from now on. */
      readonly hand_to?: string;
      /** The person or responsibility that should review it from now on. "everybody": for no one in particular. */
      readonly for?: string;
      /** True once the approved design is implemented. */
      readonly implemented?: boolean;
    };
    readonly answer: UpdateRfc;
  };
  /** Briefing. */
  get_briefing: {
    readonly input: {
      /** The file or folder you are about to work on, workspace-relative or absolute. Default: the whole project. */
      readonly focus?: string;
      /** Approximate maximum length. Items are dropped from the end, but never critical warnings or holds. */
      readonly max_tokens?: number;
    };
    readonly answer: GetBriefing;
  };
  /** Briefing. */
  search_events: {
    readonly input: {
      /** Words to find in notes and in reasons for closing. */
      readonly words?: string;
      /** Returns only this event, in full. */
      readonly id?: string;
      readonly type?: 'warning' | 'decision' | 'mutation' | 'discovery' | 'outcome';
      /** Default: all, including closed ones. */
      readonly status?: 'active' | 'resolved' | 'superseded';
      readonly priority?: 'critical' | 'high' | 'normal' | 'low';
      /** Only events about this file, or about this folder and anything in it. */
      readonly scope?: string;
      /** Only events by this agent or human. */
      readonly author?: string;
      /** Only events posted at or after this time: a date such as 2026-05-03, or a time with its zone. */
      readonly since?: string | string;
      readonly limit?: number;
    };
    readonly answer: SearchEvents;
  };
  /** Post, close or replace a note. */
  post_event: {
    readonly input: {
      /** warning: something to watch out for. decision: how something is done here. discovery: how something works. mutation: what was changed. outcome: the result of something that was tried. */
      readonly type: 'warning' | 'decision' | 'mutation' | 'discovery' | 'outcome';
      /** The subject line, which lists and briefings show first. Default: the first line of the text, as in a commit message. */
      readonly title?: string;
      /** What others should know, in Markdown, 1 to 10,000 characters. Put the main point in the first line; write for a reader who knows nothing about this session. */
      readonly text: string;
      /** critical: critical warnings come first in every briefing, whatever its focus. high, normal, low: the order within a section. */
      readonly priority?: 'critical' | 'high' | 'normal' | 'low';
      /** Files or folders it is about, workspace-relative or absolute. Without any, it is about the whole project. */
      readonly scopes?: readonly string[];
      /** Related events. */
      readonly related?: readonly string[];
    };
    readonly answer: PostEvent;
  };
  /** Post, close or replace a note. */
  close_event: {
    readonly input: {
      /** Id of an event, for example "E-140". */
      readonly id: string;
      /** Why it is closed: "Fixed in PR #42". Required unless superseded_by is given. */
      readonly reason?: string;
      /** The event that replaces it. */
      readonly superseded_by?: string;
    };
    readonly answer: CloseEvent;
  };
  /** List items, or read one. */
  list_questions: {
    readonly input: {
      /** Returns only this question, in full. */
      readonly id?: string;
      readonly status?: 'pending' | 'answered' | 'cancelled' | 'expired';
      /** Includes finished questions. */
      readonly all?: boolean;
      /** Only questions that this agent asked. */
      readonly agent?: string;
      /** Id of a registered work item, for example "t-1". */
      readonly work_id?: string;
      readonly type?: 'clarification' | 'decision' | 'approval';
      /** Only high and critical questions. */
      readonly urgent?: boolean;
      /** Number of items to skip, to continue a list. */
      readonly skip?: number;
      /** The maximum number of items. */
      readonly limit?: number;
    };
    readonly answer: ListQuestions;
  };
  /** List items, or read one. */
  list_rfcs: {
    readonly input: {
      readonly status?: 'draft' | 'under_review' | 'approved' | 'rejected' | 'withdrawn' | 'implemented';
      /** Only RFCs that this agent proposed. */
      readonly agent?: string;
      /** Only RFCs that mention this work item. */
      readonly work_id?: string;
      /** Only RFCs that wait for a human. */
      readonly waiting?: boolean;
      /** Number of items to skip, to continue a list. */
      readonly skip?: number;
      /** The maximum number of items. */
      readonly limit?: number;
    };
    readonly answer: ListRfcs;
  };
  /** List items, or read one. */
  get_rfc: {
    readonly input: {
      /** Id of an RFC, for example "RFC-3". */
      readonly id: string;
      /** Returns the text of this revision. Default: the latest. */
      readonly revision?: number;
    };
    readonly answer: GetRfc;
  };
  /** List items, or read one. */
  list_requests: {
    readonly input: {
      /** Returns only this request, in full. */
      readonly id?: string;
      /** inbox: requests to you. outbox: requests from you. claimable: pending and available now. all: every request, with responsibilities and their queues. */
      readonly box?: 'inbox' | 'outbox' | 'claimable' | 'all';
      /** Default: all responsibilities you act for. */
      readonly responsibility?: string;
      readonly status?:
        'created' | 'pending' | 'accepted' | 'deferred' | 'rejected' | 'cancelled' | 'expired' | 'completed';
      readonly type?: 'request_for_action' | 'ingest_new_context' | 'new_context_available';
      /** Only requests that this agent created. */
      readonly agent?: string;
      /** Only requests for which this work item was made. */
      readonly work_id?: string;
      /** Number of items to skip, to continue a list. */
      readonly skip?: number;
      /** The maximum number of items. */
      readonly limit?: number;
    };
    readonly answer: ListRequests;
  };
  /** List items, or read one. */
  list_work: {
    readonly input: {
      /** Returns only this work item, in full. */
      readonly id?: string;
      readonly status?:
        | 'todo'
        | 'in_progress'
        | 'done'
        | 'failed'
        | 'cancelled'
        | 'deleted'
        | 'blocked_pending_human_input'
        | 'blocked_pending_approval'
        | 'held';
      /** Only work of this agent. */
      readonly agent?: string;
      /** This item, and those that belong to it or depend on it. */
      readonly work_id?: string;
      /** Number of items to skip, to continue a list. */
      readonly skip?: number;
      /** The maximum number of items. */
      readonly limit?: number;
    };
    readonly answer: ListWork;
  };
  /** Reply to a human. */
  reply_question: {
    readonly input: {
      /** Id of a question, for example "Q-12". */
      readonly id: string;
      /** Your reply, in Markdown. */
      readonly text: string;
    };
    readonly answer: ReplyQuestion;
  };
  /** Leave a resume brief and stop waiting. */
  park_question: {
    readonly input: {
      /** Id of a question, for example "Q-12". */
      readonly id: string;
      /** What you were doing, for a reader who knows nothing of this session. */
      readonly doing: string;
      /** What to do next, for each likely answer. */
      readonly next: string;
      /** The files that matter: workspace-relative or absolute paths. */
      readonly files?: readonly string[];
      /** What may have changed by then and should be checked before continuing. */
      readonly check_first?: string;
      /** The id of your session in your host, if you know it: a human can then resume it. */
      readonly session_id?: string;
    };
    readonly answer: ParkQuestion;
  };
  /** Withdraw a question. */
  withdraw_question: {
    readonly input: {
      /** Id of a question, for example "Q-12". */
      readonly id: string;
      /** Why it needs no answer. */
      readonly reason: string;
    };
    readonly answer: WithdrawQuestion;
  };
  /** Register a responsibility. */
  register_responsibility: {
    readonly input: {
      /** Id of a responsibility in this workspace, for example "backend" or "jane@app". */
      readonly id: string;
      /** agent: a model considers each request. automation: a program handles them. */
      readonly kind?: 'agent' | 'automation';
      /** Short name for people. */
      readonly name: string;
      /** Other agents that also act for it. For a responsibility that exists and that you act for: the agents to add. */
      readonly agents?: readonly string[];
    };
    readonly answer: RegisterResponsibility;
  };
  /** Ask another responsibility. */
  create_request: {
    readonly input: {
      /** request_for_action: asks the target to consider something. ingest_new_context: asks a steward to take in context bundles. new_context_available: a steward announces reviewed bundles (stewards only). */
      readonly type?: 'request_for_action' | 'ingest_new_context' | 'new_context_available';
      /** The responsibility you send it for; can be omitted if you act for only one. */
      readonly origin?: string;
      /** The responsibility that receives it; the list of all requests shows them. */
      readonly target: string;
      /** The request in one line. */
      readonly subject: string;
      /** What you need and why, in Markdown, for a reader who knows nothing about this session. */
      readonly summary: string;
      readonly suggested_actions?: readonly string[];
      readonly links?: readonly string[];
      readonly tags?: readonly string[];
      /** The context bundles; required for the two types about context. */
      readonly bundle_ids?: readonly string[];
      /** Required for the two types about context. */
      readonly objectives?: readonly string[];
      /** ingest_new_context: responsibilities that may be interested. */
      readonly suggested_responsibilities?: readonly string[];
      /** new_context_available: the ingestion this passes on; creating it also records that ingestion's dispatch step. */
      readonly ingest_request_id?: string;
      /** A Markdown file in this workspace with more detail. */
      readonly body_md_path?: string;
      /** The mandate of yours that it comes from. */
      readonly origin_mandate_id?: string;
      /** The run or report it comes from. */
      readonly source_context?: string;
      /** A lower number is handled sooner. Keep 100 unless there is a reason. */
      readonly priority?: number;
      /** Not available before this time. Default: now. A time with its zone, for example 2026-05-03T14:00:00Z. */
      readonly available_at?: string;
      /** Expires unless accepted by this time. A time with its zone, for example 2026-05-03T14:00:00Z. */
      readonly due_at?: string;
      /** Time for the target to respond. Seconds. */
      readonly sla_response_seconds?: number;
      /** Time to complete it once accepted. Seconds. */
      readonly sla_completion_seconds?: number;
      /** Free JSON object that an integration keeps with the request; the target sees it. The fields above are not part of it. */
      readonly payload_json?: object;
      /** A second call with the same key returns the first request. Give one if you may retry. */
      readonly idempotency_key?: string;
    };
    readonly answer: CreateRequest;
  };
  /** Respond to a request. */
  respond_to_request: {
    readonly input: {
      /** Id of a request, for example "R-7". */
      readonly id: string;
      /** accept (claims it), defer (until), reject (note: why), complete (note: the result), cancel (your own; note: why). Answer new_context_available with ack_context_relevant or not_relevant. While it is accepted: report_failure (note: the error), record_step (stewards, on ingest_new_context), make_work. */
      readonly action:
        | 'accept'
        | 'defer'
        | 'reject'
        | 'complete'
        | 'cancel'
        | 'ack_context_relevant'
        | 'not_relevant'
        | 'report_failure'
        | 'record_step'
        | 'make_work';
      /** The reason or the result. */
      readonly note?: string;
      /** defer: when it becomes available again; must be in the future. A time with its zone, for example 2026-05-03T14:00:00Z. */
      readonly until?: string;
      /** accept, ack_context_relevant, make_work: new work items for it. */
      readonly work?: readonly {
        readonly id: string;
        /** Short name for people. */
        readonly title: string;
        readonly kind?: 'task' | 'workflow';
      }[];
      /** record_step: normalise, lineage, then dispatch. */
      readonly step?: 'normalise' | 'lineage' | 'dispatch';
      /** record_step dispatch: the new_context_available requests that passed it on. */
      readonly requests?: readonly string[];
    };
    readonly answer: RespondToRequest;
  };
}

export const operations = {
  whoami: { method: 'GET', path: '/api/whoami' },
  list_blockers: { method: 'GET', path: '/api/blockers' },
  create_blocker: { method: 'POST', path: '/api/blockers' },
  get_blocker: { method: 'GET', path: '/api/blockers/{id}' },
  resolve_blocker: { method: 'POST', path: '/api/blockers/{id}/resolve' },
  raise_question: { method: 'POST', path: '/api/raise_question' },
  await_answer: { method: 'POST', path: '/api/await_answer' },
  await_request: { method: 'POST', path: '/api/await_request' },
  check_gate: { method: 'POST', path: '/api/check_gate' },
  register_work: { method: 'POST', path: '/api/register_work' },
  update_work: { method: 'POST', path: '/api/update_work' },
  propose_rfc: { method: 'POST', path: '/api/propose_rfc' },
  update_rfc: { method: 'POST', path: '/api/update_rfc' },
  get_briefing: { method: 'POST', path: '/api/get_briefing' },
  search_events: { method: 'POST', path: '/api/search_events' },
  post_event: { method: 'POST', path: '/api/post_event' },
  close_event: { method: 'POST', path: '/api/close_event' },
  list_questions: { method: 'POST', path: '/api/list_questions' },
  list_rfcs: { method: 'POST', path: '/api/list_rfcs' },
  get_rfc: { method: 'POST', path: '/api/get_rfc' },
  list_requests: { method: 'POST', path: '/api/list_requests' },
  list_work: { method: 'POST', path: '/api/list_work' },
  reply_question: { method: 'POST', path: '/api/reply_question' },
  park_question: { method: 'POST', path: '/api/park_question' },
  withdraw_question: { method: 'POST', path: '/api/withdraw_question' },
  register_responsibility: { method: 'POST', path: '/api/register_responsibility' },
  create_request: { method: 'POST', path: '/api/create_request' },
  respond_to_request: { method: 'POST', path: '/api/respond_to_request' },
} as const;
